// Imports: from a root file to one flat list of declarations.
//
// `use` stands for the declarations of the module, at its place, once. `extends` stands for those of
// the other game, in front of all of this file; `replace` and `delete` then act on what was imported.
// What the extended game says about itself (title, author, rule text, examples) is not inherited if
// the extending file says its own; examples are never inherited: they speak of the other game.

#include <algorithm>
#include <map>
#include <set>

#include "check/context.h"
#include "parse/parse.h"

namespace arbiter::check {

namespace {

constexpr std::size_t kMaxFiles = 100;
constexpr std::string_view kLibrary = "stdlib/";

struct Item {
  ast::Decl* decl = nullptr;
  bool library = false;
  bool gone = false;
};
using Items = std::vector<Item>;

// What `replace` and `delete` can speak of: a word for the kind of declaration and a name.
struct Key {
  std::string word;
  std::string name;  // zones and set-ups with their index: "goal[White]"
  Span span;
  bool operator==(const Key& other) const { return word == other.word && name == other.name; }
};

std::string_view BaseName(std::string_view name) { return name.substr(0, name.find('[')); }

std::string Joined(std::string_view name, const std::vector<std::string>& index) {
  std::string text(name);
  for (std::size_t i = 0; i < index.size(); ++i) text += (i == 0 ? "[" : ", ") + index[i];
  return index.empty() ? text : text + "]";
}

Key ZoneKey(const ast::Zone& zone) {
  std::vector<std::string> index;
  for (const ast::Index& i : zone.index) index.push_back(i.name.text);
  return {"zone", Joined(zone.name.text, index), zone.name.span};
}

// The names a declaration declares. Handlers, laws and ends have none: see Unnamed().
struct KeyReader {
  const source::SourceMap& sources;
  const ast::Decl& decl;
  std::vector<Key> keys;

  void One(std::string_view word, const ast::Name& name) {
    keys.push_back({std::string(word), name.text, name.present() ? name.span : decl.span});
  }
  void operator()(const ast::Option& d) { One("option", d.name); }
  void operator()(const ast::Players&) { keys.push_back({"players", "", decl.span}); }
  void operator()(const ast::Board& d) {
    keys.push_back({"board", "", decl.span});
    for (const ast::BoardItem& item : d.items) {
      if (item.zone) keys.push_back(ZoneKey(*item.zone));
    }
  }
  void operator()(const ast::Zone& d) { keys.push_back(ZoneKey(d)); }
  void operator()(const ast::State& d) {
    for (const ast::StateVar& var : d.vars) One(d.of_pieces ? "piece state" : "state", var.name);
  }
  void operator()(const ast::Piece& d) { One("piece", d.name); }
  void operator()(const ast::PieceAttribute& d) { One("piece attribute", d.name); }
  void operator()(const ast::ClassDecl& d) {
    for (const ast::Name& name : d.names) One("class", name);
  }
  void operator()(const ast::Action& d) { One("action", d.name); }
  void operator()(const ast::Define& d) { One("define", d.name); }
  void operator()(const ast::WalkDecl& d) { One("walk", d.name); }
  void operator()(const ast::EffectDecl& d) { One("effect", d.name); }
  void operator()(const ast::TurnDecl& d) { One("turn", d.name); }
  void operator()(const ast::Phase& d) { One("phase", d.name); }
  void operator()(const ast::Setup& d) {
    std::vector<std::string> index;
    for (const ast::ExprPtr& e : d.index) index.emplace_back(sources.Slice(e->span));
    keys.push_back({"setup", Joined(d.name.text, index), d.name.present() ? d.name.span : decl.span});
  }
  void operator()(const ast::Start&) { keys.push_back({"start", "", decl.span}); }
  void operator()(const ast::FenDecl&) { keys.push_back({"fen", "", decl.span}); }
  template <class T>
  void operator()(const T&) {}
};

std::vector<Key> KeysOf(const source::SourceMap& sources, const ast::Decl& decl) {
  KeyReader reader{sources, decl, {}};
  std::visit(reader, decl.payload);
  return std::move(reader.keys);
}

std::string Squeezed(std::string_view text) {
  std::string out;
  for (char ch : text) {
    if (static_cast<unsigned char>(ch) > ' ') {
      out += ch;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

// How a declaration without a name is found again: a handler by its event, a repetition or a limit by
// being one, a law or an end by the clause it cites.
std::string Unnamed(const source::SourceMap& sources, const ast::Decl& decl) {
  if (const auto* handler = std::get_if<ast::Handler>(&decl.payload)) {
    return "when " + Squeezed(sources.Slice(handler->event.span));
  }
  std::string clauses;
  for (const ast::Cite& cite : decl.cites) clauses += " §" + cite.clause;
  if (std::holds_alternative<ast::Law>(decl.payload)) return clauses.empty() ? "" : "forbid" + clauses;
  if (const auto* end = std::get_if<ast::Outcome>(&decl.payload)) {
    if (end->kind == ast::Outcome::Kind::kRepetition) return "draw when repetition";
    if (end->kind == ast::Outcome::Kind::kLimitTurns) return "limit turns";
    return clauses.empty() ? "" : "end" + clauses;
  }
  return "";
}

class Importer {
 public:
  Importer(Context& c, const source::Loader& loader, source::SourceMap& sources)
      : c_(c), loader_(loader), sources_(sources) {}

  bool Run(const std::string& path) {
    Items items = Game(path, Span{}, "");
    DropShadowed(items);
    for (const Item& item : items) {
      if (!item.gone) c_.decls.push_back({item.decl, item.library});
    }
    return !c_.sink.has_errors();
  }

 private:
  // ---- reading ---------------------------------------------------------------------------------

  std::string Resolve(const std::string& from, const std::string& module) const {
    bool is_path = module.find('/') != std::string::npos || module.ends_with(".rules");
    if (is_path) return source::BesidePath(from, module);
    std::string path = module;
    std::replace(path.begin(), path.end(), '.', '/');
    if (path.starts_with("std/")) return std::string(kLibrary) + path.substr(4) + ".rules";
    return source::BesidePath(from, path + ".rules");
  }

  source::LoadResult Read(const std::string& path) const {
    using Problem = source::LoadResult::Problem;
    source::LoadResult result;
    if (!path.starts_with(kLibrary)) {
      result = loader_.Read(path);
      if (result.problem != Problem::kMissing) return result;
    }
    if (auto embedded = source::FindEmbedded(path)) {
      result.problem = Problem::kNone;
      result.text = std::string(*embedded);
    } else {
      result.problem = Problem::kMissing;
    }
    return result;
  }

  std::string Found(const std::string& path) const {
    // A short name of a built-in game may stand for its file: extends "chess".
    if (path.ends_with(".rules") || loader_.Read(path).problem == source::LoadResult::Problem::kNone) return path;
    std::string name = path.substr(path.rfind('/') == std::string::npos ? 0 : path.rfind('/') + 1);
    std::string built_in = "rulesets/" + name + "/" + name + ".rules";
    return source::FindEmbedded(built_in) ? built_in : path;
  }

  void ReportUnread(const std::string& path, const source::LoadResult& result, Span span, const std::string& written) {
    using Problem = source::LoadResult::Problem;
    if (result.problem == Problem::kTooLarge) {
      c_.Error(Code::kLimitSize, span, "`" + path + "` is larger than a rule file may be")
          .notes.push_back("a rule file has at most " + std::to_string(source::kMaxTextBytes >> 10) + " KiB");
      return;
    }
    std::string message = "no file `" + path + "`";
    if (result.problem == Problem::kDirectory) message = "`" + path + "` is a folder, not a rule file";
    if (result.problem == Problem::kUnreadable) message = "`" + path + "` cannot be read";
    std::vector<std::string> known;
    bool of_library = path.starts_with(kLibrary);
    if (of_library) {
      message = "no module `" + written + "` in the library";
      for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
        if (!file.path.starts_with(kLibrary) || !file.path.ends_with(".rules")) continue;
        known.push_back("std." +
                        std::string(file.path.substr(kLibrary.size(), file.path.size() - kLibrary.size() - 6)));
      }
    }
    Diagnostic& d = c_.Error(Code::kImportMissing, span, message);
    std::string near = diagnostics::Nearest(written, known);
    if (!near.empty()) {
      d.fixes.push_back({"did you mean `" + near + "`?", {{span, near}}, diagnostics::Fix::Confidence::kMaybe});
    } else if (of_library) {
      std::string list;
      for (const std::string& name : known) list += (list.empty() ? "`" : ", `") + name + "`";
      d.help.push_back("the library has " + list);
    } else if (span.valid()) {
      d.help.push_back("a file is looked for beside the one that names it");
    }
  }

  // Reads and parses, or reports and gives null.
  ast::File* Parse(const std::string& path, Span span, const std::string& written) {
    if (c_.files.size() >= kMaxFiles) {
      c_.Error(Code::kLimitImports, span, "more than " + std::to_string(kMaxFiles) + " files are imported");
      return nullptr;
    }
    source::LoadResult result = Read(path);
    if (result.problem != source::LoadResult::Problem::kNone) {
      ReportUnread(path, result, span, written);
      return nullptr;
    }
    source::FileId id = sources_.Add(path, std::move(result.text));
    c_.files.push_back(std::make_unique<ast::File>(parse::Parse(sources_, id, c_.sink)));
    return c_.files.back().get();
  }

  // True if `path` is being read already: reports the ring.
  bool Cycle(const std::string& path, Span span) {
    auto first = std::find_if(stack_.begin(), stack_.end(), [&](const auto& on) { return on.first == path; });
    if (first == stack_.end()) return false;
    std::string message = stack_.back().first == path ? "`" + path + "` imports itself"
                                                      : "`" + path + "` is imported by a file that it imports";
    Diagnostic& d = c_.Error(Code::kImportCycle, span, message);
    for (auto on = first + 1; on != stack_.end(); ++on)
      d.labels.push_back({on->second, "`" + on->first + "` is imported here"});
    d.help.push_back("move what both files need into a third one");
    return true;
  }

  // ---- a game: the root, or what a game extends -------------------------------------------------

  Items Game(const std::string& path, Span span, const std::string& written) {
    if (Cycle(path, span)) return {};
    ast::File* file = Parse(path, span, written);
    if (file == nullptr) return {};
    stack_.emplace_back(path, span);
    Items items;
    ExtendBase(*file, path, items);
    RuleText(*file, path);
    Items own = Own(*file, path);
    std::size_t imported = items.size();
    items.insert(items.end(), own.begin(), own.end());
    Override(items, imported, *file);
    stack_.pop_back();
    return items;
  }

  void ExtendBase(ast::File& file, const std::string& path, Items& items) {
    const ast::Decl* first = nullptr;
    for (ast::Decl& decl : file.decls) {
      const auto* extends = std::get_if<ast::Extends>(&decl.payload);
      if (extends == nullptr) continue;
      if (first != nullptr) {
        c_.Error(Code::kImportConflict, extends->span, "a game can extend only one other")
            .labels.push_back({std::get<ast::Extends>(first->payload).span, "it extends this one"});
        continue;
      }
      first = &decl;
      std::string base = Found(source::BesidePath(path, extends->path));
      items = Game(base, extends->span, extends->path);
      if (auto known = sources_.Find(base)) {
        if (auto text = c_.texts.find(*known); text != c_.texts.end()) c_.texts[file.file] = text->second;
      }
      DropPrivate(items, file);
    }
  }

  static void DropPrivate(Items& items, const ast::File& file) {
    auto says = [&](std::size_t index) {
      return std::any_of(file.decls.begin(), file.decls.end(),
                         [&](const ast::Decl& decl) { return decl.payload.index() == index; });
    };
    for (Item& item : items) {
      const ast::Payload& payload = item.decl->payload;
      bool head = std::holds_alternative<ast::Game>(payload) || std::holds_alternative<ast::Author>(payload) ||
                  std::holds_alternative<ast::Text>(payload);
      if (std::holds_alternative<ast::Example>(payload) || (head && says(payload.index()))) item.gone = true;
    }
  }

  void RuleText(const ast::File& file, const std::string& path) {
    for (const ast::Decl& decl : file.decls) {
      if (const auto* text = std::get_if<ast::Text>(&decl.payload)) {
        c_.texts[file.file] = {source::BesidePath(path, text->path), text->span};
      }
    }
  }

  // The declarations of one file, its `use`s expanded in place.
  Items Own(ast::File& file, const std::string& path) {
    Items items;
    bool library = path.starts_with(kLibrary);
    for (ast::Decl& decl : file.decls) {
      if (const auto* use = std::get_if<ast::Use>(&decl.payload)) {
        Items used = Module(Resolve(path, use->module), use->span, use->module, file.file);
        items.insert(items.end(), used.begin(), used.end());
        items.push_back({&decl, library, false});  // it may cite clauses
      } else {
        items.push_back({&decl, library, false});
      }
    }
    return items;
  }

  Items Module(const std::string& path, Span span, const std::string& written, source::FileId user) {
    if (Cycle(path, span) || !used_.insert(path).second) return {};
    ast::File* file = Parse(path, span, written);
    if (file == nullptr) return {};
    stack_.emplace_back(path, span);
    if (auto text = c_.texts.find(user); text != c_.texts.end()) c_.texts[file->file] = text->second;
    RuleText(*file, path);
    Items items = Own(*file, path);
    stack_.pop_back();
    for (Item& item : items) {
      const ast::Payload& payload = item.decl->payload;
      // A module gives what it declares; it is not the game.
      item.gone |= std::holds_alternative<ast::Game>(payload) || std::holds_alternative<ast::Author>(payload) ||
                   std::holds_alternative<ast::Text>(payload) || std::holds_alternative<ast::Example>(payload);
    }
    return items;
  }

  // ---- replace and delete -----------------------------------------------------------------------

  // Takes the named part out of a declaration; true if nothing is left of it.
  bool TakeOut(ast::Decl& decl, const Key& key) {
    auto named = [&](const ast::Name& name) { return name.text == key.name; };
    if (auto* state = std::get_if<ast::State>(&decl.payload)) {
      std::erase_if(state->vars, [&](const ast::StateVar& var) { return named(var.name); });
      return state->vars.empty();
    }
    if (auto* classes = std::get_if<ast::ClassDecl>(&decl.payload)) {
      std::erase_if(classes->names, named);
      return classes->names.empty();
    }
    auto* board = std::get_if<ast::Board>(&decl.payload);
    if (board != nullptr && key.word == "zone") {
      std::erase_if(board->items,
                    [&](const ast::BoardItem& item) { return item.zone && ZoneKey(*item.zone).name == key.name; });
      return false;
    }
    return true;
  }

  struct Place {
    std::size_t item;
    Key key;
  };

  std::vector<Place> Find(const Items& items, std::size_t imported, const Key& wanted, bool whole_family) const {
    std::vector<Place> exact, family;
    for (std::size_t i = 0; i < items.size(); ++i) {
      bool foreign = i < imported || items[i].decl->span.file != own_file_;
      if (items[i].gone || !foreign) continue;
      for (const Key& key : KeysOf(sources_, *items[i].decl)) {
        if (key == wanted) exact.push_back({i, key});
        if (key.word == wanted.word && BaseName(key.name) == BaseName(wanted.name)) family.push_back({i, key});
      }
    }
    return exact.empty() || whole_family ? family : exact;
  }

  void Override(Items& items, std::size_t imported, const ast::File& file) {
    own_file_ = file.file;
    std::vector<std::pair<Key, Span>> changed;
    for (std::size_t i = imported; i < items.size(); ++i) {
      ast::Decl& decl = *items[i].decl;
      if (decl.span.file != own_file_ || items[i].gone) continue;
      if (const auto* removal = std::get_if<ast::Delete>(&decl.payload)) {
        items[i].gone = true;
        Span span = removal->name.present() ? removal->name.span : removal->what.span;
        Change(items, imported, {removal->what.text, removal->name.text, span}, "delete", nullptr, changed);
      } else if (decl.replaces) {
        ReplaceBy(items, imported, i, changed);
      }
    }
  }

  void ReplaceBy(Items& items, std::size_t imported, std::size_t own, std::vector<std::pair<Key, Span>>& changed) {
    ast::Decl& decl = *items[own].decl;
    std::vector<Key> keys = KeysOf(sources_, decl);
    if (std::holds_alternative<ast::Board>(decl.payload)) keys.resize(1);
    if (keys.empty()) {
      ReplaceUnnamed(items, imported, own);
      return;
    }
    std::size_t spot = items.size();
    for (const Key& key : keys) Change(items, imported, key, "replace", &spot, changed);
    if (spot < items.size()) Moved(items, own, spot);
  }

  // A replacement stands where the replaced declaration stood: the order of phases and ends stays.
  static void Moved(Items& items, std::size_t own, std::size_t spot) {
    if (!items[spot].gone) return;
    items[spot] = items[own];
    items[own].gone = true;
  }

  void ReplaceUnnamed(Items& items, std::size_t imported, std::size_t own) {
    ast::Decl& decl = *items[own].decl;
    std::string wanted = Unnamed(sources_, decl);
    if (wanted.empty()) {
      c_.Error(Code::kImportReplace, decl.span, "nothing says which declaration this replaces")
          .help.push_back("cite the clause of the one it replaces, or `delete` it by name");
      return;
    }
    std::size_t spot = items.size();
    for (std::size_t i = 0; i < items.size(); ++i) {
      bool foreign = i < imported || items[i].decl->span.file != own_file_;
      if (items[i].gone || !foreign || Unnamed(sources_, *items[i].decl) != wanted) continue;
      items[i].gone = true;
      spot = std::min(spot, i);
    }
    if (spot == items.size()) {
      c_.Error(Code::kImportReplace, decl.span, "nothing imported is `" + wanted + "`")
          .help.push_back("leave `replace` out to add it");
      return;
    }
    Moved(items, own, spot);
  }

  void Change(Items& items, std::size_t imported, const Key& key, std::string_view verb, std::size_t* spot,
              std::vector<std::pair<Key, Span>>& changed) {
    std::string title = key.word + (key.name.empty() ? "" : " " + key.name);
    auto before = std::find_if(changed.begin(), changed.end(), [&](const auto& c) { return c.first == key; });
    if (before != changed.end()) {
      Diagnostic& d = c_.Error(Code::kImportConflict, key.span, "`" + title + "` is changed twice");
      d.labels.push_back({before->second, "it is already changed here"});
      d.help.push_back("keep one of the two");
      return;
    }
    changed.emplace_back(key, key.span);
    std::vector<Place> places = Find(items, imported, key, verb == "delete" && key.name.find('[') == std::string::npos);
    if (places.empty()) {
      ReportNothing(items, imported, key, verb, title);
      return;
    }
    for (const Place& place : places) {
      Item& item = items[place.item];
      if (!TakeOut(*item.decl, place.key)) continue;
      item.gone = true;
      if (spot != nullptr) *spot = std::min(*spot, place.item);
    }
  }

  void ReportNothing(const Items& items, std::size_t imported, const Key& key, std::string_view verb,
                     const std::string& title) {
    std::vector<std::string> names, words;
    bool any = false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      bool foreign = i < imported || items[i].decl->span.file != own_file_;
      any |= foreign;
      if (!foreign || items[i].gone) continue;
      for (const Key& known : KeysOf(sources_, *items[i].decl)) {
        if (known.word == key.word) names.push_back(known.name);
        if (known.name == key.name && !key.name.empty()) words.push_back(known.word);
      }
    }
    Diagnostic& d = c_.Error(Code::kImportReplace, key.span, "nothing imported is `" + title + "`");
    std::string near = diagnostics::Nearest(key.name, names);
    if (!near.empty()) {
      d.fixes.push_back({"did you mean `" + near + "`?", {{key.span, near}}, diagnostics::Fix::Confidence::kMaybe});
    } else if (!words.empty()) {
      d.help.push_back("`" + key.name + "` is a " + words.front() + ": write `" + std::string(verb) + " " +
                       words.front() + " " + key.name + "`");
    } else if (!any) {
      d.help.push_back("`" + std::string(verb) + "` changes what `extends` or `use` brought in; this file has neither");
    } else if (verb == "replace") {
      d.help.push_back("leave `replace` out to add it");
    }
  }

  // ---- library names declared anew ---------------------------------------------------------------

  // A name the rule files declare too is taken out of the library (a note says so).
  void DropShadowed(Items& items) {
    std::map<std::string, std::vector<Place>> library;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (!items[i].library || items[i].gone) continue;
      for (const Key& key : KeysOf(sources_, *items[i].decl)) {
        if (Shares(key)) library[Space(key)].push_back({i, key});
      }
    }
    if (library.empty()) return;
    for (const Item& item : items) {
      if (item.library || item.gone) continue;
      for (const Key& key : KeysOf(sources_, *item.decl)) {
        auto found = Shares(key) ? library.find(Space(key)) : library.end();
        if (found == library.end()) continue;
        Diagnostic& d = c_.sink.Add(diagnostics::Severity::kNote, Code::kNameShadows, key.span,
                                    "`" + std::string(BaseName(key.name)) + "` is declared in the library too");
        d.labels.push_back({found->second.front().key.span, "the library's own"});
        d.help.push_back("this one is used everywhere, in the library's text too; write `replace` in front to say so");
        for (const Place& place : found->second) {
          if (TakeOut(*items[place.item].decl, place.key)) items[place.item].gone = true;
        }
        library.erase(found);
      }
    }
  }

  static bool Shares(const Key& key) { return key.word != "class" && !key.name.empty(); }
  static std::string Space(const Key& key) {
    bool field = key.word == "piece state" || key.word == "piece attribute";
    return (field ? "." : "") + std::string(BaseName(key.name));
  }

  Context& c_;
  const source::Loader& loader_;
  source::SourceMap& sources_;
  std::vector<std::pair<std::string, Span>> stack_;
  std::set<std::string> used_;
  source::FileId own_file_;
};

}  // namespace

bool ResolveImports(Context& c, const std::string& path, const source::Loader& loader, source::SourceMap& sources) {
  return Importer(c, loader, sources).Run(path);
}

}  // namespace arbiter::check
