// Imports: from a root file to one flat list of declarations.
//
// `use` stands for the declarations of the module, at its place, once. `extends` stands for those of
// the other game, in front of all of this file; `replace` and `delete` then act on what was imported.
// What the extended game says about itself (title, author, rule text, examples) is not inherited if
// the extending file says its own; examples are never inherited: they speak of the other game.

#include <algorithm>
#include <set>

#include "check/context.h"
#include "check/overrides.h"
#include "parse/parse.h"

namespace arbiter::check {

namespace {

constexpr std::size_t kMaxFiles = 100;
constexpr std::string_view kLibrary = "stdlib/";

class Importer {
 public:
  Importer(Context& c, const source::Loader& loader, source::SourceMap& sources)
      : c_(c), loader_(loader), sources_(sources) {}

  bool Run(const std::string& path) {
    Items items = Game(path, Span{}, "");
    DropShadowed(c_, items);
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
    if (near.empty() && !of_library) near = Known(written);
    if (!near.empty()) {
      bool quoted = span.valid() && sources_.Slice(span).starts_with('"');
      std::string text = quoted ? '"' + near + '"' : near;
      d.fixes.push_back({"did you mean `" + near + "`?", {{span, text}}, diagnostics::Fix::Confidence::kMaybe});
    } else if (of_library) {
      std::string list;
      for (const std::string& name : known) list += (list.empty() ? "`" : ", `") + name + "`";
      d.help.push_back("the library has " + list);
    } else if (span.valid()) {
      d.help.push_back("a file is looked for beside the one that names it");
    }
  }

  // A module of the library whose `std.` was left out, or a built-in game nearly named.
  static std::string Known(const std::string& written) {
    std::vector<std::string> games;
    for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
      std::string_view stem = file.path.substr(file.path.rfind('/') + 1);
      if (!stem.ends_with(".rules")) continue;
      stem.remove_suffix(6);
      if (file.path.starts_with(kLibrary) && stem == written) return "std." + written;
      if (file.path.starts_with("rulesets/")) games.emplace_back(stem);
    }
    return diagnostics::Nearest(written, games);
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
    ApplyOverrides(c_, items, imported, file->file);
    stack_.pop_back();
    return items;
  }

  void ExtendBase(ast::File& file, const std::string& path, Items& items) {
    const ast::Decl* first = nullptr;
    for (ast::Decl& decl : file.decls) {
      const auto* extends = std::get_if<ast::Extends>(&decl.payload);
      if (extends == nullptr) continue;
      if (first != nullptr) {
        Diagnostic& d = c_.Error(Code::kImportConflict, extends->span, "a game can extend only one other");
        d.labels.push_back({std::get<ast::Extends>(first->payload).span, "it extends this one"});
        d.help.push_back("let one of them extend the other, or `use` what both need");
        continue;
      }
      first = &decl;
      std::string base = Found(source::BesidePath(path, extends->path));
      items = Game(base, extends->span, extends->path);
      Note(extends->span, base);
      if (auto known = sources_.Find(base)) {
        if (auto text = c_.texts.find(*known); text != c_.texts.end()) c_.texts[file.file] = text->second;
      }
      DropPrivate(items, file);
    }
  }

  void Note(Span span, const std::string& path) {
    if (auto file = sources_.Find(path)) c_.imported[{span.file, span.begin}] = *file;
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
        std::string module = Resolve(path, use->module);
        Items used = Module(module, use->span, use->module, file.file);
        Note(use->span, module);
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

  Context& c_;
  const source::Loader& loader_;
  source::SourceMap& sources_;
  std::vector<std::pair<std::string, Span>> stack_;
  std::set<std::string> used_;
};

}  // namespace

bool ResolveImports(Context& c, const std::string& path, const source::Loader& loader, source::SourceMap& sources) {
  return Importer(c, loader, sources).Run(path);
}

}  // namespace arbiter::check
