// The heads of all declarations: every name gets its symbol, every kind, player, class, phase and zone
// its number. Types and contents come later.

#include "check/declare.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "check/letters.h"
#include "check/passes.h"

namespace arbiter::check {

namespace {

// Words that mean something everywhere; what only stands in walks or handlers may be a local name.
const std::set<std::string_view> kBuiltIn = {"me",
                                             "self",
                                             "opponent",
                                             "owner",
                                             "everywhere",
                                             "cells",
                                             "pieces",
                                             "own",
                                             "enemy",
                                             "empty",
                                             "occupied",
                                             "any",
                                             "none",
                                             "true",
                                             "false",
                                             "here",
                                             "heading",
                                             "back",
                                             "origin",
                                             "it",
                                             "from",
                                             "to",
                                             "next",
                                             "way",
                                             "reaches",
                                             "ends",
                                             "steps",
                                             "distance",
                                             "run",
                                             "rank",
                                             "ranks",
                                             "file",
                                             "files",
                                             "cell",
                                             "colour",
                                             "attacked",
                                             "endangered",
                                             "stuck",
                                             "can_play",
                                             "done",
                                             "before",
                                             "crossed",
                                             "phase",
                                             "phases",
                                             "player",
                                             "players",
                                             "direction",
                                             "directions",
                                             "kind",
                                             "kinds",
                                             "piece",
                                             "zone",
                                             "walk",
                                             "walks",
                                             "bool",
                                             "number",
                                             "orthogonal",
                                             "diagonal",
                                             "all",
                                             "forward",
                                             "backward",
                                             "left",
                                             "right",
                                             "sideways",
                                             "along",
                                             "against",
                                             "ahead",
                                             "deflect",
                                             "face",
                                             "turn",
                                             "leap",
                                             "betza",
                                             "forward_left",
                                             "forward_right",
                                             "backward_left",
                                             "backward_right",
                                             "forward_diagonal",
                                             "backward_diagonal",
                                             "half_left",
                                             "half_right",
                                             "chance",
                                             "secret"};

bool IsFamily(SymbolKind kind) { return kind == SymbolKind::kZone || kind == SymbolKind::kSetup; }
bool IsField(SymbolKind kind) { return kind == SymbolKind::kPieceVar || kind == SymbolKind::kAttribute; }

Symbol* Earlier(Context& c, const Symbol& symbol) {
  if (IsField(symbol.kind)) return c.symbols.FindField(symbol.name);
  if (symbol.kind == SymbolKind::kEnumValue) return c.symbols.FindEnumValue(symbol.name, symbol.type.enumeration);
  return c.symbols.Find(symbol.name);
}

void ReportTwice(Context& c, const Symbol& symbol, const Symbol& earlier) {
  std::string_view kind = SymbolKindName(symbol.kind);
  std::string message = "`" + symbol.name + "` is declared twice";
  if (earlier.kind != symbol.kind) {
    message = "`" + symbol.name + "` is already " + WithArticle(SymbolKindName(earlier.kind));
  }
  Diagnostic& d = c.Error(Code::kNameDuplicate, symbol.span, message);
  d.labels.push_back({earlier.span, "declared here"});
  bool elsewhere = earlier.span.file != symbol.span.file;
  if (elsewhere && earlier.kind == symbol.kind) {
    d.help.push_back("to change the imported one, write `replace` in front");
  } else {
    d.help.push_back("give this " + std::string(kind) + " another name");
  }
}

}  // namespace

std::string WithArticle(std::string_view noun) {
  bool vowel = !noun.empty() && std::string_view("aeiou").find(noun.front()) != std::string_view::npos;
  return (vowel ? "an " : "a ") + std::string(noun);
}

bool IsBuiltInWord(std::string_view name) { return kBuiltIn.contains(name); }

Symbol* Declare(Context& c, Symbol symbol) {
  if (symbol.name.empty()) return nullptr;
  if (symbol.kind != SymbolKind::kEnumValue && IsBuiltInWord(symbol.name)) {
    Diagnostic& d = c.Error(Code::kNameReserved, symbol.span, "`" + symbol.name + "` is a word of the language");
    d.help.push_back("give this " + std::string(SymbolKindName(symbol.kind)) + " another name");
    return nullptr;
  }
  Symbol* earlier = Earlier(c, symbol);
  if (earlier == nullptr) return c.symbols.Add(std::move(symbol));
  if (earlier->kind == symbol.kind && IsFamily(symbol.kind)) return earlier;
  // Several modules may speak of one class.
  if (earlier->kind == symbol.kind && symbol.kind == SymbolKind::kClass && earlier->span.file != symbol.span.file) {
    return earlier;
  }
  ReportTwice(c, symbol, *earlier);
  return nullptr;
}

void CheckHidden(Context& c) {
  const board::Board& board = c.board();
  for (const auto& symbol : c.symbols.all()) {
    if (IsField(symbol->kind) || symbol->broken) continue;
    bool direction = board.FindDirection(symbol->name) >= 0;
    if (!direction && board.Find(symbol->name) < 0) continue;
    Diagnostic& d = c.Error(Code::kNameReserved, symbol->span,
                            "`" + symbol->name + "` is a " + (direction ? "direction" : "cell") + " of this board");
    d.help.push_back("give this " + std::string(SymbolKindName(symbol->kind)) + " another name");
    symbol->broken = true;
  }
}

void Suggest(Diagnostic& diagnostic, Span span, std::string_view wrong, const std::vector<std::string>& names) {
  std::string near = diagnostics::Nearest(wrong, names);
  if (near.empty()) return;
  diagnostic.fixes.push_back({"did you mean `" + near + "`?", {{span, near}}, diagnostics::Fix::Confidence::kMaybe});
}

// Lines of the library begin with the word of what they declare.
std::string LibraryModule(std::string_view name) {
  constexpr std::string_view kWords[] = {"class ", "define ", "walk ", "effect ", "action ", "piece "};
  for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
    if (!file.path.starts_with("stdlib/") || !file.path.ends_with(".rules")) continue;
    for (std::string_view rest = file.text; !rest.empty();) {
      std::string_view line = rest.substr(0, rest.find('\n'));
      rest.remove_prefix(std::min(rest.size(), line.size() + 1));
      for (std::string_view word : kWords) {
        if (!line.starts_with(word) || !line.substr(word.size()).starts_with(name)) continue;
        std::string_view after = line.substr(word.size() + name.size());
        if (!after.empty() && (std::isalnum(static_cast<unsigned char>(after[0])) != 0 || after[0] == '_')) continue;
        return "std." + std::string(file.path.substr(7, file.path.size() - 13));
      }
    }
  }
  return "";
}

Diagnostic& UnknownName(Context& c, Span span, std::string_view what, std::string_view name,
                        std::initializer_list<SymbolKind> kinds) {
  Diagnostic& d = c.Error(Code::kNameUnknown, span, "no " + std::string(what) + " named `" + std::string(name) + "`");
  if (c.sink.truncated()) return d;
  auto names =
      c.symbols.Names([&](const Symbol& s) { return std::find(kinds.begin(), kinds.end(), s.kind) != kinds.end(); });
  Suggest(d, span, name, names);
  if (!d.fixes.empty()) return d;
  if (std::string module = LibraryModule(name); !module.empty() && c.symbols.Find(name) == nullptr) {
    d.help.push_back("the library declares it: `use " + module + "`");
    return d;
  }
  if (Symbol* other = c.symbols.Find(name)) {
    d.labels.push_back({other->span, "this is " + WithArticle(SymbolKindName(other->kind))});
    d.help.push_back("write the name of " + WithArticle(what));
  } else if (!names.empty() && names.size() <= 8) {
    std::string list;
    for (const std::string& known : names) list += (list.empty() ? "`" : ", `") + known + "`";
    d.help.push_back("there is " + list);
  } else {
    d.help.push_back("declare it, or write the name of " + WithArticle(what) + " that is declared");
  }
  return d;
}

rules::KindSet KindsOf(Context& c, const std::vector<ast::Name>& names) {
  rules::KindSet kinds = 0;
  for (const ast::Name& name : names) {
    Symbol* symbol = c.symbols.Find(name.text);
    if (symbol != nullptr && symbol->kind == SymbolKind::kKind) {
      ++symbol->uses;
      kinds |= rules::KindSet{1} << symbol->id;
    } else if (symbol != nullptr && symbol->kind == SymbolKind::kClass) {
      ++symbol->uses;
      for (std::size_t k = 0; k < c.rules.kinds.size(); ++k) {
        const auto& classes = c.rules.kinds[k].classes;
        bool member = std::find(classes.begin(), classes.end(), symbol->id) != classes.end();
        if (member) kinds |= rules::KindSet{1} << k;
      }
    } else if (name.present()) {
      UnknownName(c, name.span, "piece or class", name.text, {SymbolKind::kKind, SymbolKind::kClass});
    }
  }
  return kinds;
}

// ---- heads -------------------------------------------------------------------------------------

namespace {

constexpr std::size_t kMaxOfEach = 64;  // classes, phases, rings, barriers

class Heads {
 public:
  explicit Heads(Context& c) : c_(c) {}

  void Run() {
    // Players and classes first: letters depend on the one, heads of pieces on the other.
    for (const SourceDecl& d : c_.decls) {
      if (const auto* players = std::get_if<ast::Players>(&d.decl->payload)) Players(d, *players);
      if (const auto* classes = std::get_if<ast::ClassDecl>(&d.decl->payload)) Classes(d, *classes);
    }
    for (const SourceDecl& d : c_.decls) {
      at_ = &d;
      std::visit(*this, d.decl->payload);
    }
    KindHeads();
    Letters();
  }

  void operator()(const ast::Game& d) {
    if (Once(game_, *at_, "the game's title")) c_.rules.title = d.title;
  }
  void operator()(const ast::Author& d) {
    if (Once(author_, *at_, "the author")) c_.rules.author = d.text;
  }
  void operator()(const ast::Text& d) {
    if (!Once(text_, *at_, "the rule text")) return;
    c_.rules.text_path = d.path;  // as written: beside the file of text_span
    c_.rules.text_span = d.span;
  }
  void operator()(const ast::Option& d) { Add(SymbolKind::kOption, d.name); }
  void operator()(const ast::Board& d) {
    for (const ast::BoardItem& item : d.items) BoardItem(item);
  }
  void operator()(const ast::Zone& d) { Zone(d.name, false); }
  void operator()(const ast::State& d) {
    for (const ast::StateVar& var : d.vars) {
      Symbol* symbol = Add(d.of_pieces ? SymbolKind::kPieceVar : SymbolKind::kStateVar, var.name);
      if (symbol != nullptr) symbol->broken = true;  // until its type is known
    }
  }
  void operator()(const ast::PieceAttribute& d) {
    Symbol* symbol = Add(SymbolKind::kAttribute, d.name);
    if (symbol == nullptr) return;
    symbol->id = static_cast<int>(c_.rules.attributes.size());
    c_.rules.attributes.push_back({d.name.text, {}});
  }
  void operator()(const ast::Piece& d) {
    BeginsLikePiece(d.name, "piece");
    if (c_.rules.kinds.size() == rules::kMaxKinds) {
      c_.Error(Code::kLimitCount, d.name.span, "more than " + std::to_string(rules::kMaxKinds) + " kinds of pieces")
          .help.push_back("say the same with fewer");
      return;
    }
    // After a report it goes on as the name that was meant.
    Symbol* symbol = Add(SymbolKind::kKind, {UpperFirst(d.name.text), d.name.span});
    if (symbol == nullptr) return;
    symbol->id = static_cast<int>(c_.rules.kinds.size());
    rules::Kind kind;
    kind.name = UpperFirst(d.name.text);
    kind.span = d.name.span;
    c_.rules.kinds.push_back(std::move(kind));
    pieces_.push_back(&d);
  }
  void operator()(const ast::Action& d) { Add(SymbolKind::kAction, d.name); }
  void operator()(const ast::Define& d) { Add(SymbolKind::kDefine, d.name); }
  void operator()(const ast::WalkDecl& d) { Add(SymbolKind::kWalk, d.name); }
  void operator()(const ast::EffectDecl& d) { Add(SymbolKind::kEffect, d.name); }
  void operator()(const ast::TurnDecl& d) {
    if (d.name.present()) {
      Add(SymbolKind::kTurn, d.name);
    } else {
      Once(turn_, *at_, "the turn");
    }
  }
  void operator()(const ast::Phase& d) {
    if (c_.rules.phases.size() == kMaxOfEach) return TooMany(d.name.span, "phases");
    Symbol* symbol = Add(SymbolKind::kPhase, d.name);
    if (symbol == nullptr) return;
    symbol->id = static_cast<int>(c_.rules.phases.size());
    rules::Phase phase;
    phase.name = d.name.text;
    phase.span = d.name.span;
    c_.rules.phases.push_back(std::move(phase));
  }
  void operator()(const ast::Setup& d) {
    if (d.name.present()) Add(SymbolKind::kSetup, d.name);
  }
  void operator()(const ast::Start&) { Once(start_, *at_, "the start"); }
  void operator()(const ast::FenDecl&) { Once(fen_, *at_, "the meaning of FEN fields"); }
  // Labels are no names that anything else could use, so they stand in no table of symbols.
  void operator()(const ast::ShowDecl& d) {
    auto [earlier, fresh] = shown_.emplace(d.name.text, d.name.span);
    if (fresh && shown_.size() == kMaxOfEach + 1) TooMany(d.name.span, "lines to show");
    if (fresh) return;
    Diagnostic& twice = c_.Error(Code::kNameDuplicate, d.name.span, "the line `" + d.name.text + "` is declared twice");
    twice.labels.push_back({earlier->second, "declared here"});
    twice.help.push_back(earlier->second.file == d.name.span.file
                             ? "give this line another name"
                             : "to change the imported one, write `replace` in front");
  }
  template <class T>
  void operator()(const T&) {}

 private:
  Symbol* Add(SymbolKind kind, const ast::Name& name, const SourceDecl* at = nullptr) {
    Symbol symbol;
    symbol.kind = kind;
    symbol.name = name.text;
    symbol.span = name.span;
    symbol.decl = (at != nullptr ? at : at_)->decl;
    symbol.library = (at != nullptr ? at : at_)->library;
    return Declare(c_, std::move(symbol));
  }

  // What may stand once: reports the second.
  bool Once(const ast::Decl*& first, const SourceDecl& at, std::string_view what) {
    if (first == nullptr) {
      first = at.decl;
      return true;
    }
    Diagnostic& d = c_.Error(Code::kNameDuplicate, at.decl->span, std::string(what) + " is given twice");
    d.labels.push_back({first->span, "first here"});
    d.help.push_back(first->span.file == at.decl->span.file ? "keep one of the two"
                                                            : "to change the imported one, write `replace` in front");
    return false;
  }

  // Piece and player names begin with a capital, or are of a script without capitals.
  void BeginsLikePiece(const ast::Name& name, std::string_view what) {
    std::string capital = UpperFirst(name.text);
    if (capital == name.text) return;
    Diagnostic& d =
        c_.Error(Code::kNameCase, name.span, "the name of a " + std::string(what) + " begins with a capital letter");
    d.fixes.push_back({"write `" + capital + "`", {{name.span, capital}}, diagnostics::Fix::Confidence::kMaybe});
  }

  void Players(const SourceDecl& at, const ast::Players& d) {
    if (!Once(players_, at, "the list of players")) return;
    for (const ast::PlayerDecl& player : d.players) {
      BeginsLikePiece(player.name, "player");
      if (c_.rules.players.size() == board::kMaxPlayers) {
        c_.Error(Code::kLimitCount, player.name.span, "more than " + std::to_string(board::kMaxPlayers) + " players")
            .help.push_back("leave some out");
        return;
      }
      Symbol* symbol = Add(SymbolKind::kPlayer, {UpperFirst(player.name.text), player.name.span}, &at);
      if (symbol == nullptr) continue;
      symbol->id = static_cast<int>(c_.rules.players.size());
      symbol->value = symbol->id;
      symbol->type.base = rules::Base::kPlayer;
      c_.rules.players.push_back({player.name.text});
    }
  }

  void Classes(const SourceDecl& at, const ast::ClassDecl& d) {
    for (const ast::Name& name : d.names) {
      Symbol* symbol = Add(SymbolKind::kClass, name, &at);
      if (symbol == nullptr || symbol->id >= 0) continue;
      if (c_.rules.classes.size() == kMaxOfEach) {
        symbol->broken = true;
        TooMany(name.span, "classes");
        return;
      }
      symbol->id = static_cast<int>(c_.rules.classes.size());
      c_.rules.classes.push_back(name.text);
    }
  }

  void BoardItem(const ast::BoardItem& item) {
    using Kind = ast::BoardItemKind;
    switch (item.kind) {
      case Kind::kZone:
        Zone(item.zone->name, false);
        break;
      case Kind::kPlace:
        Zone(item.names[0], true);
        break;
      case Kind::kRing:
        Numbered(SymbolKind::kRing, item.names[0], rings_);
        break;
      case Kind::kBarrier:
        Numbered(SymbolKind::kBarrier, item.names[0], barriers_);
        break;
      case Kind::kDirections:
        Add(SymbolKind::kDirectionSet, item.names[0]);
        break;
      default:
        break;
    }
  }

  void Numbered(SymbolKind kind, const ast::Name& name, int& count) {
    if (count == static_cast<int>(kMaxOfEach)) {
      TooMany(name.span, std::string(SymbolKindName(kind)) + "s");
    } else if (Symbol* symbol = Add(kind, name)) {
      symbol->id = count++;
    }
  }

  void TooMany(Span span, const std::string& what) {
    c_.Error(Code::kLimitCount, span, "more than " + std::to_string(kMaxOfEach) + " " + what)
        .help.push_back("say the same with fewer");
  }

  void Zone(const ast::Name& name, bool place) {
    Symbol* symbol = Add(SymbolKind::kZone, name);
    if (symbol == nullptr) return;
    if (symbol->id >= 0) {
      if (place || c_.rules.zones[rules::ZoneId(symbol->id)].is_place) {
        Diagnostic& d = c_.Error(Code::kNameDuplicate, name.span, "`" + name.text + "` is declared twice");
        d.labels.push_back({symbol->span, "declared here"});
        d.help.push_back("give this " + std::string(place ? "place" : "zone") + " another name");
      }
      return;
    }
    rules::Zone zone;
    zone.name = name.text;
    zone.is_place = place;
    zone.span = name.span;
    symbol->id = c_.rules.zones.Add(std::move(zone)).value;
    symbol->type.base = rules::Base::kCell;
    symbol->type.set = true;
  }

  // ---- kinds -----------------------------------------------------------------------------------

  void KindHeads() {
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      rules::Kind& kind = c_.rules.kinds[k];
      kind.neutral = pieces_[k]->neutral;
      kind.fixed = pieces_[k]->fixed;
      for (const ast::Name& name : pieces_[k]->classes) {
        Symbol* symbol = c_.symbols.Find(name.text);
        if (symbol == nullptr || symbol->kind != SymbolKind::kClass) {
          UnknownName(c_, name.span, "class", name.text, {SymbolKind::kClass});
          continue;
        }
        ++symbol->uses;
        if (std::find(kind.classes.begin(), kind.classes.end(), symbol->id) == kind.classes.end()) {
          kind.classes.push_back(symbol->id);
        }
      }
    }
    for (std::size_t k = 0; k < pieces_.size(); ++k) {
      std::vector<std::size_t> seen{k};
      Inherit(k, seen);
    }
  }

  // `piece Archer like Bishop`: classes, fixed and neutral come from it too.
  void Inherit(std::size_t k, std::vector<std::size_t>& seen) {
    const ast::Name& like = pieces_[k]->like;
    if (!like.present() || inherited_.contains(k)) return;
    inherited_.insert(k);
    Symbol* base = c_.symbols.Find(like.text);
    if (base == nullptr || base->kind != SymbolKind::kKind) {
      UnknownName(c_, like.span, "piece", like.text, {SymbolKind::kKind});
      return;
    }
    ++base->uses;
    auto b = static_cast<std::size_t>(base->id);
    if (std::find(seen.begin(), seen.end(), b) != seen.end()) {
      Diagnostic& d = c_.Error(Code::kNameUnknown, like.span,
                               "`" + like.text + "` is itself like `" + c_.rules.kinds[k].name + "`");
      d.labels.push_back({base->span, "declared here"});
      d.help.push_back("let one of them have moves of its own");
      return;
    }
    seen.push_back(b);
    Inherit(b, seen);
    rules::Kind& kind = c_.rules.kinds[k];
    const rules::Kind& model = c_.rules.kinds[b];
    kind.fixed |= model.fixed;
    kind.neutral |= model.neutral;
    for (int id : model.classes) {
      if (std::find(kind.classes.begin(), kind.classes.end(), id) == kind.classes.end()) kind.classes.push_back(id);
    }
  }

  void Letters() {
    LetterTable table(c_);
    for (std::size_t k = 0; k < pieces_.size(); ++k) table.Give(c_.rules.kinds[k], *pieces_[k]);
  }

  Context& c_;
  const SourceDecl* at_ = nullptr;
  const ast::Decl* game_ = nullptr;
  const ast::Decl* author_ = nullptr;
  const ast::Decl* text_ = nullptr;
  const ast::Decl* players_ = nullptr;
  const ast::Decl* turn_ = nullptr;
  const ast::Decl* start_ = nullptr;
  const ast::Decl* fen_ = nullptr;
  std::map<std::string, Span> shown_;  // labels
  int rings_ = 0, barriers_ = 0;
  std::vector<const ast::Piece*> pieces_;
  std::set<std::size_t> inherited_;
};

}  // namespace

void DeclareHeads(Context& c) { Heads(c).Run(); }

}  // namespace arbiter::check
