#include "check/overrides.h"

#include <algorithm>
#include <map>

#include "check/declare.h"

namespace arbiter::check {

namespace {

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
  void operator()(const ast::ShowDecl& d) { One("show", d.name); }
  void operator()(const ast::ShowZones& d) { keys.push_back({"show zones", "", d.word.span}); }
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

std::string FamilyOf(const Key& key) { return key.word + " " + std::string(BaseName(key.name)); }

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

class Overrides {
 public:
  Overrides(Context& c, Items& items, std::size_t imported, source::FileId own)
      : c_(c), items_(items), imported_(imported), own_(own) {}

  void Run() {
    bool any = false;
    for (std::size_t i = imported_; i < items_.size(); ++i) any |= IsOwn(i) && Changes(*items_[i].decl);
    if (!any) return;
    Index();
    for (std::size_t i = imported_; i < items_.size() && !c_.sink.truncated(); ++i) {
      if (!IsOwn(i) || items_[i].gone) continue;
      ast::Decl& decl = *items_[i].decl;
      if (const auto* removal = std::get_if<ast::Delete>(&decl.payload)) {
        items_[i].gone = true;
        Span span = removal->name.present() ? removal->name.span : removal->what.span;
        Key key{removal->what.text, removal->name.text, span};
        bool zones =
            key.word == "show" && key.name == "zones" && families_.contains(FamilyOf({"show zones", "", span}));
        Change(zones ? Key{"show zones", "", span} : key, "delete", nullptr);
      } else if (decl.replaces) {
        Replace(i);
      }
    }
  }

 private:
  static bool Changes(const ast::Decl& decl) {
    return decl.replaces || std::holds_alternative<ast::Delete>(decl.payload);
  }

  bool IsOwn(std::size_t i) const { return i >= imported_ && items_[i].decl->span.file == own_; }

  void Index() {
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if (items_[i].gone || IsOwn(i)) continue;
      std::vector<Key> keys = KeysOf(c_.sources, *items_[i].decl);
      for (Key& key : keys) {
        words_[key.name].push_back(key.word);
        families_[FamilyOf(key)].push_back({i, std::move(key)});
      }
      std::string unnamed = keys.empty() ? Unnamed(c_.sources, *items_[i].decl) : "";
      if (!unnamed.empty()) unnamed_[unnamed].push_back(i);
    }
  }

  void Replace(std::size_t own) {
    ast::Decl& decl = *items_[own].decl;
    std::vector<Key> keys = KeysOf(c_.sources, decl);
    if (std::holds_alternative<ast::Board>(decl.payload)) keys.resize(1);
    if (keys.empty()) {
      ReplaceUnnamed(own);
      return;
    }
    std::size_t spot = items_.size();
    for (const Key& key : keys) Change(key, "replace", &spot);
    Moved(own, spot);
  }

  // A replacement stands where the replaced declaration stood: the order of phases and ends stays.
  void Moved(std::size_t own, std::size_t spot) {
    if (spot >= items_.size() || !items_[spot].gone) return;
    items_[spot] = items_[own];
    items_[own].gone = true;
  }

  void ReplaceUnnamed(std::size_t own) {
    ast::Decl& decl = *items_[own].decl;
    std::string wanted = Unnamed(c_.sources, decl);
    if (wanted.empty()) {
      c_.Error(Code::kImportReplace, decl.span, "nothing says which declaration this replaces")
          .help.push_back("cite the clause of the one it replaces");
      return;
    }
    auto found = unnamed_.find(wanted);
    if (found == unnamed_.end()) {
      c_.Error(Code::kImportReplace, decl.span, "nothing imported is `" + wanted + "`")
          .help.push_back("leave `replace` out to add it");
      return;
    }
    std::size_t spot = found->second.front();
    for (std::size_t i : found->second) items_[i].gone = true;
    unnamed_.erase(found);
    Moved(own, spot);
  }

  void Change(const Key& key, std::string_view verb, std::size_t* spot) {
    std::string title = key.word + (key.name.empty() ? "" : " " + key.name);
    auto [before, fresh] = changed_.emplace(title, key.span);
    if (!fresh) {
      Diagnostic& d = c_.Error(Code::kImportConflict, key.span, "`" + title + "` is changed twice");
      d.labels.push_back({before->second, "it is already changed here"});
      d.help.push_back("keep one of the two");
      return;
    }
    std::vector<Place> places = Find(key, verb == "delete" && key.name.find('[') == std::string::npos);
    if (places.empty()) ReportNothing(key, verb, title);
    for (const Place& place : places) {
      Item& item = items_[place.item];
      if (!TakeOut(*item.decl, place.key)) continue;
      item.gone = true;
      if (spot != nullptr) *spot = std::min(*spot, place.item);
    }
  }

  // `zone goal[White]` is one declaration; `delete zone goal` and `zone goal[p]` mean all of that name.
  std::vector<Place> Find(const Key& wanted, bool whole_family) const {
    auto family = families_.find(FamilyOf(wanted));
    if (family == families_.end()) return {};
    std::vector<Place> exact, all;
    for (const Place& place : family->second) {
      if (items_[place.item].gone) continue;
      all.push_back(place);
      if (place.key == wanted) exact.push_back(place);
    }
    return exact.empty() || whole_family ? all : exact;
  }

  void ReportNothing(const Key& key, std::string_view verb, const std::string& title) {
    constexpr std::size_t kMost = 1000;
    std::vector<std::string> names;
    for (const auto& [family, places] : families_) {
      if (places.front().key.word == key.word && names.size() < kMost) names.push_back(places.front().key.name);
    }
    Diagnostic& d = c_.Error(Code::kImportReplace, key.span, "nothing imported is `" + title + "`");
    std::string near = diagnostics::Nearest(key.name, names);
    auto words = words_.find(key.name);
    if (!near.empty()) {
      d.fixes.push_back({"did you mean `" + near + "`?", {{key.span, near}}, diagnostics::Fix::Confidence::kMaybe});
    } else if (!key.name.empty() && words != words_.end()) {
      const std::string& word = words->second.front();
      d.help.push_back("`" + key.name + "` is " + WithArticle(word) + ": write `" + std::string(verb) + " " + word +
                       " " + key.name + "`");
    } else if (families_.empty()) {
      d.help.push_back("`" + std::string(verb) + "` changes what `extends` or `use` brought in; this file has neither");
    } else {
      d.help.push_back(verb == "replace" ? "leave `replace` out to add it" : "leave it out");
    }
  }

  Context& c_;
  Items& items_;
  std::size_t imported_;
  source::FileId own_;
  std::map<std::string, std::vector<Place>> families_;       // "zone goal"
  std::map<std::string, std::vector<std::size_t>> unnamed_;  // see Unnamed()
  std::map<std::string, std::vector<std::string>> words_;    // by name
  std::map<std::string, Span> changed_;
};

// Classes and `show zones` add up.
bool Shares(const Key& key) { return key.word != "class" && key.word != "show zones" && !key.name.empty(); }

// Fields of pieces and lines that are shown have names of their own.
std::string Space(const Key& key) {
  bool field = key.word == "piece state" || key.word == "piece attribute";
  return (field ? "." : key.word == "show" ? "show " : "") + std::string(BaseName(key.name));
}

}  // namespace

void ApplyOverrides(Context& c, Items& items, std::size_t imported, source::FileId own) {
  Overrides(c, items, imported, own).Run();
}

void DropShadowed(Context& c, Items& items) {
  std::map<std::string, std::vector<Place>> library;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!items[i].library || items[i].gone) continue;
    for (const Key& key : KeysOf(c.sources, *items[i].decl)) {
      if (Shares(key)) library[Space(key)].push_back({i, key});
    }
  }
  if (library.empty()) return;
  for (const Item& item : items) {
    if (item.library || item.gone) continue;
    for (const Key& key : KeysOf(c.sources, *item.decl)) {
      auto found = Shares(key) ? library.find(Space(key)) : library.end();
      if (found == library.end()) continue;
      Diagnostic& d = c.sink.Add(diagnostics::Severity::kNote, Code::kNameShadows, key.span,
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

}  // namespace arbiter::check
