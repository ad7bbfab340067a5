// The tree as text: one declaration, item, step or effect a line; expressions as nested lists in that line.
// Everything but spans is shown, so two texts with one dump mean the same.
#include <fmt/format.h>

#include "ast/ast.h"

namespace arbiter::ast {

namespace {

std::string Quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '\n') {
      out += "\\n";
    } else {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
  }
  return out + "\"";
}

std::string Words(const std::vector<Name>& names, const char* between = " ") {
  std::string out;
  for (const Name& name : names) out += (out.empty() ? "" : between) + name.text;
  return out;
}

std::string Show(const Expr* expr);
std::string Show(const ExprPtr& expr) { return Show(expr.get()); }

std::string ShowAll(const std::vector<ExprPtr>& exprs) {
  std::string out;
  for (const ExprPtr& each : exprs) out += " " + Show(each);
  return out;
}

std::string Repeats(const Times& times) {
  std::string least = times.least ? Show(times.least) : std::to_string(times.min);
  std::string most = times.most ? Show(times.most) : times.max < 0 ? std::string() : std::to_string(times.max);
  return fmt::format("{{{}..{}}}", least, most);
}

std::string Show(const Expr* expr) {
  if (expr == nullptr) return "-";
  std::string children = ShowAll(expr->children);
  switch (expr->kind) {
    case ExprKind::kError:
      return "(error)";
    case ExprKind::kInt:
      return std::to_string(expr->number);
    case ExprKind::kString:
      return Quoted(expr->text);
    case ExprKind::kName:
      return expr->text;
    case ExprKind::kCall:
      return fmt::format("({}(){})", expr->text, children);
    case ExprKind::kIndex:
      return fmt::format("(index{})", children);
    case ExprKind::kField:
      return fmt::format("(.{}{})", expr->text, children);
    case ExprKind::kOf:
      return fmt::format("(of{})", children);
    case ExprKind::kNot:
      return fmt::format("(not{})", children);
    case ExprKind::kBinary:
      return fmt::format("({}{})", expr->text, children);
    case ExprKind::kQuantifier:
      return fmt::format("({} {}{})", expr->text, expr->name.text, children);
    case ExprKind::kIf:
      return fmt::format("(if{})", children);
    case ExprKind::kIs:
      return fmt::format("(is{} [{}]{})", expr->negated ? " not" : "", Words(expr->words), children);
    case ExprKind::kExists:
      return fmt::format("(exists{})", children);
    case ExprKind::kPieces: {
      std::string out = fmt::format("(pieces [{}]", Words(expr->words));
      if (expr->owner) out += " of " + Show(expr->owner);
      if (!expr->except.empty()) out += fmt::format(" except [{}]", Words(expr->except));
      if (expr->on) out += " on " + Show(expr->on);
      return out + ")";
    }
    case ExprKind::kCells:
      return fmt::format("(cells {})", Words(expr->words));
    case ExprKind::kRank:
      return fmt::format("({}{})", expr->text, children);
    case ExprKind::kSet:
      return fmt::format("(set{})", children);
    case ExprKind::kComprehension:
      return fmt::format("(all {}{})", expr->name.text, children);
    case ExprKind::kThen:
      return fmt::format("(then{})", children);
    case ExprKind::kWays:
      return fmt::format("(ways{})", children);
    case ExprKind::kRepeat:
      return fmt::format("({}{})", Repeats(expr->times), children);
    case ExprKind::kOver:
      return fmt::format("(over{})", children);
    case ExprKind::kGuard:
      return fmt::format("(guard{})", children);
    case ExprKind::kFace:
      return fmt::format("(face{})", children);
    case ExprKind::kTurn:
      return fmt::format("(turn {})", expr->text);
    case ExprKind::kLeap:
      return fmt::format("(leap{})", children);
    case ExprKind::kBetza:
      return fmt::format("(betza {})", Quoted(expr->text));
    case ExprKind::kMayStay:
      return fmt::format("(may-stay{})", children);
    case ExprKind::kFilter:
      return fmt::format("(filter{}{})", expr->negated ? " not" : "", children);
    case ExprKind::kFilterTerm:
      return fmt::format("[{}]", Words(expr->words));
  }
  return "?";
}

std::string Show(const Cites& cites) {
  std::string out;
  for (const Cite& cite : cites) out += " §" + cite.clause;
  return out;
}

std::string Show(const Type& type) {
  std::string out;
  if (type.kind == TypeKind::kRange) {
    out = Show(type.low) + ".." + Show(type.high);
  } else {
    out = type.kind == TypeKind::kError ? "(error)" : type.name.text;
    if (type.kind == TypeKind::kSet) out += fmt::format("{{{}}}", ShowAll(type.values).erase(0, 1));
  }
  return out + (type.optional ? "?" : "");
}

template <class Item>  // Param, Index
std::string ShowTyped(const std::vector<Item>& items) {
  if (items.empty()) return "";
  std::string out;
  for (const Item& item : items) {
    if (!out.empty()) out += ", ";
    out += item.name.text;
    if (item.type) out += ":" + Show(*item.type);
  }
  return "[" + out + "]";
}

std::string Show(const SetupRef& ref) { return ref.name.text + (ref.index.empty() ? "" : ShowAll(ref.index)); }

std::string Show(const Turn* turn) {
  if (turn == nullptr) return "-";
  std::string children;
  for (const TurnPtr& child : turn->children) children += " " + Show(child.get());
  std::string cites = Show(turn->cites);
  switch (turn->kind) {
    case TurnKind::kError:
      return "(error)";
    case TurnKind::kAtom:
      if (turn->by == Turn::By::kAnyone && turn->except.empty() && cites.empty()) {
        return turn->name.text == "any move" ? std::string("any-move") : turn->name.text;
      }
      return fmt::format("(play {}{}{}{})", turn->name.text,
                         turn->except.empty() ? "" : " except " + Words(turn->except),
                         turn->by == Turn::By::kSame    ? " by-same"
                         : turn->by == Turn::By::kOther ? " by-other"
                                                        : "",
                         cites);
    case TurnKind::kThen:
      return fmt::format("(then{}{})", children, cites);
    case TurnKind::kOr:
      return fmt::format("(or{}{})", children, cites);
    case TurnKind::kElse:
      return fmt::format("(else{}{})", children, cites);
    case TurnKind::kIf:
      return fmt::format("(if {}{}{})", Show(turn->condition), children, cites);
    case TurnKind::kRepeat:
      return fmt::format("({}{}{})", Repeats(turn->times), children, cites);
    case TurnKind::kLongest:
      return fmt::format("(longest{}{})", children, cites);
  }
  return "?";
}

std::string ShowSubject(const Subject& subject) {
  std::string out = subject.any_piece ? "any-piece" : subject.at ? "piece-at " + Show(subject.at) : subject.name.text;
  return subject.owner ? out + " of " + Show(subject.owner) : out;
}

std::string Show(const Event& event) {
  static constexpr const char* kNames[] = {"error",        "turn-begins", "turn-ends", "no-legal-turn",
                                           "after-action", "lands",       "enters",    "leaves",
                                           "crosses",      "moves",       "is-moved",  "is-captured"};
  std::string out = kNames[static_cast<int>(event.kind)];
  if (event.kind >= EventKind::kLands) out += " " + ShowSubject(event.subject);
  if (event.zone) out += " " + Show(event.zone);
  if (event.from) out += " from " + Show(event.from);
  if (event.to) out += " to " + Show(event.to);
  return out;
}

class Printer {
 public:
  std::string Take() { return std::move(out_); }

  void Print(const Decl& decl) {
    if (!decl.doc.empty()) Line("doc " + Quoted(decl.doc));
    if (decl.replaces) Line("replace");
    std::visit([&](const auto& payload) { Print(payload); }, decl.payload);
    if (!decl.cites.empty()) Line(" cites" + Show(decl.cites));
  }

 private:
  void Line(const std::string& text) {
    out_.append(static_cast<std::size_t>(depth_) * 2, ' ');
    out_ += text;
    out_ += '\n';
  }
  template <class Body>
  void Indented(Body body) {
    ++depth_;
    body();
    --depth_;
  }

  void Print(const ErrorDecl& d) { Line("error " + d.name.text); }
  void Print(const Game& d) { Line("game " + Quoted(d.title)); }
  void Print(const Author& d) { Line("author " + Quoted(d.text)); }
  void Print(const Text& d) { Line("text " + Quoted(d.path)); }
  void Print(const Use& d) { Line("use " + d.module); }
  void Print(const Extends& d) { Line("extends " + Quoted(d.path)); }
  void Print(const Delete& d) { Line("delete " + d.what.text + " " + d.name.text); }
  void Print(const Option& d) { Line(fmt::format("option {} : {} = {}", d.name.text, Show(d.type), Show(d.value))); }
  void Print(const Players& d) {
    std::string out = "players";
    for (const PlayerDecl& each : d.players) {
      out += " " + each.name.text + (each.facing.present() ? "/" + each.facing.text : "");
    }
    Line(out);
  }
  void Print(const Board& d) {
    Line("board");
    Indented([&] {
      for (const BoardItem& item : d.items) Print(item);
    });
  }
  void Print(const BoardItem& item) {
    static constexpr const char* kNames[] = {"error",         "squares", "hexes", "cells",  "link",
                                             "directions",    "place",   "ring",  "facing", "deflect-at",
                                             "deflect-edges", "barrier", "zone"};
    if (item.zone) {
      Print(*item.zone);
      if (!item.cites.empty()) Line(" cites" + Show(item.cites));
      return;
    }
    std::string out = kNames[static_cast<int>(item.kind)];
    if (!item.names.empty()) out += " " + Words(item.names);
    out += ShowTyped(item.index);
    for (int number : item.numbers) out += " " + std::to_string(number);
    out += ShowAll(item.values);
    for (const Deflection& turn : item.turns) {
      out += fmt::format(" {}:{}->{}", turn.cell.text, turn.from.text, turn.to.text);
    }
    if (item.without) out += " without " + Show(item.without);
    if (!item.wrap.empty()) out += " wrap " + Words(item.wrap);
    if (item.condition) out += " if " + Show(item.condition);
    Line(out + Show(item.cites));
  }
  void Print(const Zone& d) { Line(fmt::format("zone {}{} ={}", d.name.text, ShowTyped(d.index), ShowAll(d.cells))); }
  void Print(const State& d) {
    static constexpr const char* kLives[] = {"", "brief ", "clock "};
    Line(d.of_pieces ? "piece-state" : "state");
    Indented([&] {
      for (const StateVar& var : d.vars) {
        Line(fmt::format("{}{}{} : {} = {}", kLives[static_cast<int>(var.life)], var.name.text, ShowTyped(var.index),
                         Show(var.type), Show(var.initial)));
      }
    });
  }
  void Print(const Piece& d) {
    std::string out = std::string(d.neutral ? "neutral " : "") + (d.fixed ? "fixed " : "") + "piece " + d.name.text;
    for (const std::string& letter : d.letters) out += " " + Quoted(letter);
    if (d.like.present()) out += " like " + d.like.text;
    if (!d.classes.empty()) out += " [" + Words(d.classes) + "]";
    Line(out);
    Print(d.items);
  }
  void Print(const std::vector<PieceItem>& items) {
    Indented([&] {
      for (const PieceItem& item : items) Print(item);
    });
  }
  void Print(const PieceItem& item) {
    std::string out;
    switch (item.kind) {
      case PieceItemKind::kError:
        out = "error";
        break;
      case PieceItemKind::kMoves:
        out = fmt::format("{}{}{}{}", item.moves ? "move " : "", item.takes ? "take " : "",
                          item.threatens ? "threaten " : "", Show(item.walk));
        break;
      case PieceItemKind::kBetza:
        out = "betza " + Quoted(item.walk->text);
        break;
      case PieceItemKind::kPromotes:
        out = fmt::format("promotes [{}] in {}", Words(item.names), Show(item.zone));
        if (item.condition) out += " if " + Show(item.condition);
        if (item.optional) out += " optional";
        break;
      case PieceItemKind::kCan:
        out = fmt::format("can {}{}", item.name.text, ShowAll(item.args));
        break;
      case PieceItemKind::kMayBeOffBoard:
        out = "may-be-off-board";
        break;
      case PieceItemKind::kAttribute:
        out = fmt::format("{} ={}", item.name.text, ShowAll(item.values));
        break;
    }
    if (item.riders.from) out += " from " + Show(item.riders.from);
    if (item.riders.to) out += " to " + Show(item.riders.to);
    if (item.riders.condition) out += " if " + Show(item.riders.condition);
    Line(out + Show(item.cites));
    if (item.riders.effects) Print(*item.riders.effects);
  }
  void Print(const PieceAttribute& d) { Line(fmt::format("attribute {} : {}", d.name.text, Show(d.type))); }
  void Print(const EveryPiece& d) {
    Line(fmt::format("every-piece except [{}]", Words(d.except)));
    Print(d.items);
  }
  void Print(const ClassDecl& d) { Line("class " + Words(d.names)); }

  void Print(const Action& d) {
    Line(fmt::format("action {}{}{}", d.name.text, ShowTyped(d.params), d.by.empty() ? "" : " by " + Words(d.by)));
    Print(d.steps);
  }
  void Print(const std::vector<Step>& steps) {
    Indented([&] {
      for (const Step& step : steps) Print(step);
    });
  }
  void Print(const Step& step) {
    static constexpr const char* kNames[] = {"error", "choose", "let",     "require",   "do",
                                             "if",    "for",    "written", "threatens", "call"};
    std::string out = kNames[static_cast<int>(step.kind)];
    if (step.name.present()) out += " " + step.name.text;
    if (step.type) out += ":" + Show(*step.type);
    if (step.query) {
      out += fmt::format(" {} from {} onto {}", Show(step.query->walk), Show(step.query->from), Show(step.query->onto));
      if (step.query->within) out += " within " + Show(step.query->within);
    }
    if (step.value) out += " = " + Show(step.value);
    Line(out + ShowAll(step.args) + Show(step.cites));
    Print(step.block);
    Print(step.body);
    if (!step.otherwise.empty()) {
      Line("else");
      Print(step.otherwise);
    }
  }
  void Print(const Block& block) {
    Indented([&] {
      for (const Effect& effect : block) Print(effect);
    });
  }
  void Print(const Effect& effect) {
    static constexpr const char* kNames[] = {"error",   "move",   "lift",   "put",    "place", "remove", "swap",
                                             "becomes", "joins",  "assign", "set-up", "goto",  "win",    "lose",
                                             "draw",    "result", "if",     "for",    "call"};
    std::string out = kNames[static_cast<int>(effect.kind)];
    if (effect.name.present()) out += " " + effect.name.text;
    if (effect.owner) out += " of " + Show(effect.owner);
    if (effect.target) out += " " + Show(effect.target);
    if (!effect.op.empty()) out += " " + effect.op;
    if (effect.value) out += " " + Show(effect.value);
    for (const auto& [points, player] : effect.results) out += fmt::format(" {} to {}", Show(points), Show(player));
    Line(out + ShowAll(effect.args) + Show(effect.cites));
    Print(effect.body);
    if (!effect.otherwise.empty()) {
      Line("else");
      Print(effect.otherwise);
    }
  }

  void Print(const Define& d) {
    Line(fmt::format("define {}{} = {}", d.name.text, ShowTyped(d.params), Show(d.value)));
  }
  void Print(const WalkDecl& d) { Line(fmt::format("walk {}{} = {}", d.name.text, ShowTyped(d.params), Show(d.walk))); }
  void Print(const EffectDecl& d) {
    Line(fmt::format("effect {}{}", d.name.text, ShowTyped(d.params)));
    Print(d.block);
  }
  void Print(const TurnDecl& d) {
    Line(fmt::format("turn {}= {}", d.name.present() ? d.name.text + " " : "", Show(d.turn.get())));
  }
  void Print(const Phase& d) {
    Line("phase " + d.name.text);
    Indented([&] {
      if (d.player) Line("player " + Show(d.player));
      if (d.turn) Line("turn " + Show(d.turn.get()));
      if (d.after) {
        Line("after");
        Print(*d.after);
      }
    });
  }
  void Print(const Handler& d) {
    std::string out = "when " + Show(d.event);
    if (!d.phases.empty()) out += " in-phase [" + Words(d.phases) + "]";
    if (d.condition) out += " if " + Show(d.condition);
    Line(out);
    Print(d.block);
  }
  void Print(const Law& d) {
    std::string out = "forbid";
    if (d.scope == Law::Scope::kTurnEnd) out += " at-turn-end";
    if (d.scope == Law::Scope::kAction) out += " action-by " + d.actor.text;
    if (!d.phases.empty()) out += " in-phase [" + Words(d.phases) + "]";
    Line(out + " " + Show(d.condition));
  }
  void Print(const Outcome& d) {
    static constexpr const char* kNames[] = {"win", "lose", "draw", "draw-repetition", "limit-turns"};
    std::string out = kNames[static_cast<int>(d.kind)];
    if (d.player) out += " " + Show(d.player);
    if (d.number != 0) out += " " + std::to_string(d.number);
    if (d.at_once) out += " at-once";
    if (!d.phases.empty()) out += " in-phase [" + Words(d.phases) + "]";
    if (d.condition) out += " when " + Show(d.condition);
    Line(out);
  }

  void Print(const Setup& d) {
    std::string out = "setup";
    if (d.name.present()) out += " " + d.name.text + ShowAll(d.index);
    if (d.base) out += " = " + Show(*d.base);
    for (const auto& [kind, cell] : d.with) out += fmt::format(" with {} on {}", kind.text, cell.text);
    if (d.to_move.present()) out += " to-move " + d.to_move.text;
    if (!d.fen.empty()) out += " fen " + Quoted(d.fen);
    if (!d.diagram.empty()) out += " diagram " + Quoted(d.diagram);
    Line(out);
  }
  void Print(const Start& d) { Line("start " + Show(d.setup)); }
  void Print(const FenDecl& d) {
    static constexpr const char* kNames[] = {"flags", "cell", "number", "skip"};
    std::string out = "fen";
    for (const FenField& field : d.fields) {
      out += fmt::format(" ({}{}{})", kNames[static_cast<int>(field.kind)],
                         field.letters.empty() ? "" : " " + Quoted(field.letters), ShowAll(field.targets));
    }
    Line(out);
  }
  void Print(const ShowDecl& d) {
    std::string out = fmt::format("show {} ={}", d.name.text, ShowAll(d.parts));
    Line(d.condition ? out + " if " + Show(d.condition) : out);
  }
  void Print(const ShowZones& d) { Line("show-zones [" + Words(d.names) + "]"); }
  void Print(const Example& d) {
    std::string out = "example " + Quoted(d.title);
    for (const auto& [name, value] : d.options) out += fmt::format(" {}={}", name.text, Show(value));
    Line(out);
    Indented([&] {
      for (const ExampleItem& item : d.items) Print(item);
    });
  }
  void Print(const ExampleItem& item) {
    static constexpr const char* kNames[] = {"error", "setup",   "position", "fen",   "moves",  "count",
                                             "legal", "illegal", "after",    "perft", "result", "holds"};
    std::string out = kNames[static_cast<int>(item.kind)];
    if (item.setup) out += " " + Show(*item.setup);
    for (const ExampleItem::Entry& entry : item.entries) {
      if (entry.variable) {
        out += fmt::format(" ({} = {})", Show(entry.variable), Show(entry.value));
      } else if (entry.to_move.present()) {
        out += fmt::format(" (to-move {})", entry.to_move.text);
      } else {
        out += fmt::format(" ({}{} {})", entry.player.present() ? entry.player.text + " " : "", entry.kind.text,
                           Words(entry.cells));
      }
    }
    if (!item.text.empty()) out += " " + Quoted(item.text);
    if (item.of.present()) out += " of " + item.of.text;
    if (item.where) out += (item.kind == ExampleItem::Kind::kHolds ? " " : " where ") + Show(item.where);
    for (const auto& move : item.moves) out += " " + move.first;
    if (item.kind == ExampleItem::Kind::kPerft) out += fmt::format(" {}..{}", item.low, item.high);
    for (int64_t number : item.numbers) out += " " + std::to_string(number);
    if (!item.word.empty()) out += " " + item.word;
    if (item.player.present()) out += " " + item.player.text;
    for (const auto& [points, player] : item.points) out += fmt::format(" {} to {}", Show(points), player.text);
    Line(out + Show(item.because));
  }

  std::string out_;
  int depth_ = 0;
};

}  // namespace

std::string Dump(const File& file) {
  Printer printer;
  for (const Decl& decl : file.decls) printer.Print(decl);
  return printer.Take();
}

}  // namespace arbiter::ast
