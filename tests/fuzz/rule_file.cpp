#include "fuzz/rule_file.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "fuzz/board_text.h"
#include "fuzz/dice.h"
#include "fuzz/walk_text.h"

namespace arbiter::fuzz {
namespace {

using Texts = std::vector<std::string>;

struct Kind {
  std::string name;
  std::string letter;
  Texts body;  // statements
  bool royal = false;
  bool neutral = false;
};

class Writer {
 public:
  explicit Writer(uint64_t seed) : seed_(seed), dice_(seed) {}

  std::string Make() {
    const int mood = dice_.Below(100);
    simple_ = mood < 45;
    plain_ = mood < 75;
    board_ = MakeBoard(dice_);
    two_ = !dice_.OneIn(15);
    players_ = two_ ? Texts{"White", "Black"} : Texts{"White", "Black", "Red"};
    Zones();
    State();
    Kinds();
    Actions();
    Laws();
    Bodies();
    Events();
    Ends();
    Turns();
    return Write();
  }

 private:
  uint64_t seed_;
  Dice dice_;
  bool plain_ = true;
  bool simple_ = true;  // plain, and without what an engine could not count from sets of cells
  bool two_ = true;
  BoardText board_;
  Texts players_;
  Texts zones_;  // lines of the board
  Texts uses_ = {"use std.walks"};
  Texts state_;
  Texts piece_state_;
  std::vector<Kind> kinds_;
  Texts actions_;    // whole declarations
  Texts acts_;       // names of actions that pieces `can` do, with their arguments
  Texts free_acts_;  // names of actions without a piece
  Texts laws_, events_, ends_, turns_;
  bool has_points_ = false, has_clock_ = false, has_passed_ = false, has_marks_ = false, has_counter_ = false;
  bool has_may_ = false, has_box_ = false, has_ball_ = false, two_setups_ = false;

  WalkTexts Walks() {
    return {dice_, board_, "field",
            simple_  ? WalkTexts::Manner::kSimple
            : plain_ ? WalkTexts::Manner::kPlain
                     : WalkTexts::Manner::kAnything};
  }
  std::string Number(int low, int high) { return std::to_string(dice_.Between(low, high)); }
  Texts Names(bool neutral = false) {
    Texts names;
    for (const Kind& kind : kinds_) {
      if (neutral || !kind.neutral) names.push_back(kind.name);
    }
    return names;
  }
  std::string AnyKind() { return dice_.Pick(Names()); }
  bool Has(const std::string& name) {
    return std::any_of(kinds_.begin(), kinds_.end(), [&](const Kind& kind) { return kind.name == name; });
  }

  // ---- zones and state ---------------------------------------------------------------------------

  // Cells as a zone lists them: ranks, files, single cells.
  std::string SomeCells(int edge = -1) {
    const bool squares = board_.form == BoardText::Form::kSquares;
    if (squares && edge >= 0 && dice_.OneIn(2)) return "rank " + std::to_string(edge == 0 ? 1 : board_.height);
    if (squares && dice_.OneIn(4)) {
      const int low = dice_.Between(1, board_.height);
      return "ranks " + std::to_string(low) + ".." + Number(low, board_.height);
    }
    if (squares && dice_.OneIn(5)) return "file " + std::string(1, static_cast<char>('a' + dice_.Below(board_.width)));
    std::string list;
    std::set<std::string> seen;
    for (int i = dice_.Between(1, std::max(2, static_cast<int>(board_.cells.size()) / 3)); i > 0; --i) {
      const std::string cell = dice_.Pick(board_.cells);
      if (seen.insert(cell).second) list += (list.empty() ? "" : ", ") + cell;
    }
    return list;
  }
  void Zones() {
    zones_.push_back("zone field = " + SomeCells());
    for (const char* name : {"home", "goal"}) {
      for (std::size_t p = 0; p < players_.size(); ++p) {
        const int edge = static_cast<int>(name[0] == 'h' ? p : 1 - p);
        zones_.push_back(std::string("zone ") + name + "[" + players_[p] + "] = " + SomeCells(edge == 0 ? 0 : 1));
      }
    }
  }
  std::string Zone() { return dice_.Word({"field", "home[me]", "goal[me]", "field"}); }
  // The same in a handler that speaks of the player p.
  std::string ZoneOf() { return dice_.Word({"field", "home[p]", "goal[p]", "goal[p]"}); }

  void State() {
    if (dice_.OneIn(2)) has_may_ = true, state_.emplace_back("may[player] : bool = true");
    if (dice_.OneIn(2)) has_points_ = true, state_.push_back("points[player] : 0.." + Number(2, 4) + " = 0");
    if (dice_.OneIn(3)) has_clock_ = true, state_.push_back("clock calm : 0.." + Number(3, 30) + " = 0");
    if (dice_.OneIn(4)) has_passed_ = true, state_.emplace_back("brief passed : cell? = none");
    if (dice_.OneIn(plain_ ? 5 : 2)) has_counter_ = true, state_.emplace_back("counter : 0..6 = " + Number(0, 6));
    if (!simple_ && dice_.OneIn(plain_ ? 8 : 3)) has_marks_ = true, piece_state_.emplace_back("used : bool = false");
    has_box_ = !plain_ && dice_.OneIn(4);
  }

  // ---- conditions --------------------------------------------------------------------------------

  // About the position and `me`; with `self` where there is one.
  std::string Condition(bool self, int depth = 1) {
    if (depth > 0 && dice_.OneIn(4)) {
      const std::string a = Condition(self, 0), b = Condition(self, 0);
      return dice_.Word({"not (" + a + ")", "(" + a + ") and (" + b + ")", "(" + a + ") or (" + b + ")",
                         "(" + a + ") implies (" + b + ")", "if " + a + " then " + b + " else not (" + a + ")"});
    }
    const std::string kind = AnyKind();
    Texts some = {
        "me == " + dice_.Pick(players_),
        "some x in own " + kind + " : x in " + Zone(),
        "no x in enemy " + kind + " : x in " + Zone(),
        "(count x in enemy pieces : true) >= " + Number(1, 4),
        "(count x in own " + kind + " : true) == " + Number(0, 2),
        "some x in pieces on field : x is " + kind,
        dice_.Pick(board_.cells) + " is empty",
        dice_.Pick(board_.cells) + " is enemy",
    };
    if (has_may_) some.insert(some.end(), {"may[me]", two_ ? "not may[opponent]" : "not may[me]", "may[me]"});
    if (has_counter_) some.push_back("counter < " + Number(1, 6));
    if (has_points_) some.push_back("points[me] < " + Number(1, 2));
    if (has_passed_) some.emplace_back("passed exists");
    if (self) {
      some.insert(some.end(), {"self in " + Zone(), "self not in field", "self is " + kind});
      if (has_marks_) some.insert(some.end(), {"not self.used", "self.used"});
      if (board_.grid()) some.push_back("rank(self) " + dice_.Word({"<", ">", "=="}) + " " + Number(1, board_.height));
      if (!plain_) {
        some.push_back("some x in own pieces : x != self and reaches(self, " + Walks().Short() + ", x)");
        some.emplace_back(dice_.Word({"not attacked(self)", "attacked(self)"}));
        some.push_back("steps(self, " + dice_.Pick(board_.cells) + ", step(" + dice_.Pick(board_.direction_sets) +
                       ")) <= " + Number(1, 5));
      }
    }
    return dice_.Pick(some);
  }

  // ---- kinds -------------------------------------------------------------------------------------

  void Kinds() {
    Texts names = {"Rook", "Pawn", "Ant", "Bee", "Cat", "Dog", "Elk"};
    kinds_.push_back({"King", "K", {}});
    for (int i = dice_.Between(1, 4); i > 0; --i) {
      const auto at = static_cast<std::size_t>(dice_.Below(static_cast<int>(names.size())));
      kinds_.push_back({names[at], names[at].substr(0, 1), {}});
      names.erase(names.begin() + static_cast<long>(at));
    }
  }

  // A piece's statement `move W`, `take W`, `move or take W`, with riders.
  std::string Statement() {
    return Statement(dice_.Word({"move", "take", "move or take", "move or take", "move or take"}));
  }
  std::string Statement(const std::string& verb, bool riders = true) {
    WalkTexts walks = Walks();
    std::string text = verb + " " + (dice_.OneIn(3) ? walks.Slide() : walks.Walk());
    if (!riders) return text;
    if (dice_.OneIn(40)) text += " may stay";
    if (dice_.OneIn(simple_ ? 20 : 9)) text += " from " + Zone();
    if (dice_.OneIn(simple_ ? 16 : 7)) text += dice_.OneIn(4) ? " to not " + Zone() : " to " + Zone();
    if (!simple_ && dice_.OneIn(plain_ ? 40 : 6)) text += " if (" + Condition(true) + ")";
    if (dice_.OneIn(plain_ ? 60 : 8)) text += " do { " + Assignment("me", true) + " }";
    return text;
  }

  // Several statements that may reach the same cell without limits of their own, or one to move and one to take.
  void SimpleStatements(Texts* body) {
    if (dice_.OneIn(3)) {
      body->push_back(Statement("move"));
      body->push_back(Statement("take"));
      return;
    }
    const int count = dice_.Between(1, 3);
    for (int i = 0; i < count; ++i) body->push_back(Statement("move or take", count == 1));
  }

  // A change of the state that needs no look at the position.
  std::string Assignment(const std::string& player, bool self) {
    Texts some;
    if (has_may_) some.push_back("may[" + player + "] = " + dice_.Word({"false", "false", "true"}));
    if (has_points_ && plain_ && !dice_.OneIn(5)) some.push_back("points[" + player + "] = " + Number(0, 2));
    if (has_points_ && !plain_) some.push_back("if points[" + player + "] < 2 { points[" + player + "] += 1 }");
    if (has_clock_) some.push_back("calm " + dice_.Word({"= 0", "+= 1", "+= 2"}));
    if (has_counter_) some.push_back("counter = " + Number(0, 6));
    if (has_counter_ && !plain_) some.emplace_back("if counter > 0 { counter -= 1 }");
    if (self && has_marks_) some.push_back(std::string("self.used = ") + dice_.Word({"true", "true", "false"}));
    if (self && has_passed_) some.emplace_back("passed = self");
    if (has_passed_) some.push_back("passed = " + dice_.Pick(board_.cells));
    return some.empty() ? "" : dice_.Pick(some);
  }

  std::string Promotion(const Kind& of) {
    Texts names = Names();
    names.erase(std::remove(names.begin(), names.end(), of.name), names.end());
    if (simple_ && names.size() > 1) names.erase(std::remove(names.begin(), names.end(), "King"), names.end());
    std::string text = "promotes to " + dice_.Pick(names);
    if (dice_.OneIn(2) && names.size() > 1) {
      text = "promotes to " + names[0];
      for (std::size_t i = 1; i < names.size(); ++i) text += " | " + names[i];
    }
    text += " in " + Zone();
    if (!simple_ && dice_.OneIn(8)) text += " if (" + Condition(true) + ")";
    if (dice_.OneIn(4)) text += " optional";
    return text;
  }

  std::string Betza() {
    return "betza \"" + dice_.Word({"W", "F", "N", "fRbW", "mRcB", "fmWfcF", "R3", "B2", "WD", "fsWbF"}) + "\"";
  }

  void Bodies() {
    for (Kind& kind : kinds_) {
      if (kind.neutral) continue;
      const bool usual = kind.name == "King" && dice_.OneIn(2);
      if (usual) kind.body.push_back("move or take step(" + dice_.Word({"all", "orthogonal"}) + ")");
      if (usual && !board_.grid()) kind.body.back() = "move or take step(ways)";
      if (kind.name == "Pawn" && !board_.relative.empty() && dice_.OneIn(2)) {
        kind.body.emplace_back("move step(forward)");
        kind.body.emplace_back("take step(forward_diagonal)");
        if (has_passed_)
          kind.body.emplace_back("move forward then ahead from home[me] do { passed = next(self, backward) }");
      }
      if (!simple_) {
        for (int i = dice_.Between(kind.body.empty() ? 1 : 0, 3); i > 0; --i) kind.body.push_back(Statement());
      } else if (kind.body.empty()) {
        SimpleStatements(&kind.body);
      }
      if (dice_.OneIn(25)) kind.body.push_back("threaten " + Walks().Walk());
      if (board_.form == BoardText::Form::kSquares && dice_.OneIn(15)) kind.body.push_back(Betza());
      if (simple_ && (kind.royal || kind.name == "King")) continue;
      if (dice_.OneIn(kind.name == "Pawn" ? 2 : kind.name == "King" ? 20 : 6)) kind.body.push_back(Promotion(kind));
    }
    for (const std::string& act : acts_) {
      Kind* kind = &kinds_[static_cast<std::size_t>(dice_.Below(static_cast<int>(kinds_.size())))];
      if (act.starts_with("castle") || kind->neutral) kind = &kinds_.front();
      if (act == "en_passant")
        kind = &*std::find_if(kinds_.begin(), kinds_.end(), [](auto& k) { return k.name == "Pawn"; });
      std::string text = "can " + act;
      if (dice_.OneIn(simple_ ? 40 : 10)) text += " if (" + Condition(true) + ")";
      kind->body.push_back(text);
    }
  }

  // ---- special actions ---------------------------------------------------------------------------

  void Act(const std::string& name, const std::string& steps) {
    actions_.push_back("action " + name + " {\n  " + steps + "\n}");
    acts_.push_back(name);
  }

  void Actions() {
    if (board_.form == BoardText::Form::kSquares && board_.width >= 4 && Has("Rook") && dice_.OneIn(2)) Castling();
    if (!board_.relative.empty() && Has("Pawn") && dice_.OneIn(3)) EnPassant();
    if (dice_.OneIn(simple_ ? 20 : plain_ ? 8 : 4)) Ball();
    const int count = plain_ ? (dice_.OneIn(3) ? 1 : 0) : dice_.Between(0, 3);
    std::set<int> chosen;
    for (int i = 0; i < count; ++i) {
      const int which = dice_.Below(14);
      if (chosen.insert(which).second) Special(which);
    }
  }

  void Castling() {
    uses_.emplace_back("use std.castling");
    for (const std::string& p : players_) {
      for (const char* wing : {"kingside", "queenside"}) {
        zones_.push_back("zone castling_rook[" + p + ", " + wing + "] = " + dice_.Pick(board_.cells));
      }
    }
    acts_.push_back("castle(kingside, " + dice_.Word({"e", "e", "se", "n"}) + ")");
    acts_.push_back("castle(queenside, " + dice_.Word({"w", "w", "sw", "s"}) + ")");
  }
  void EnPassant() {
    uses_.emplace_back("use std.en_passant");
    acts_.emplace_back("en_passant");
    auto pawn = std::find_if(kinds_.begin(), kinds_.end(), [](const Kind& k) { return k.name == "Pawn"; });
    pawn->body.push_back("move forward then ahead from home[me] do { ep = next(self, backward) }");
    if (dice_.OneIn(2)) pawn->body.emplace_back("move step(forward)");
    if (dice_.OneIn(2)) pawn->body.emplace_back("take step(forward_diagonal)");
  }
  void Ball() {
    has_ball_ = true;
    if (dice_.OneIn(2)) {
      uses_.emplace_back("use std.ball");
      const std::string reach = "step(" + dice_.Pick(board_.direction_sets) + ")";
      acts_.push_back(dice_.Word({"kick", "strike"}) + "(" + reach + ", " + Walks().Slide() + ", everywhere)");
      if (dice_.OneIn(2)) acts_.push_back("dribble(" + reach + ", everywhere - field)");
      kinds_.push_back({"Ball", "o", {}, false, true});
      kinds_.back().letter = "";  // the library declares it
      return;
    }
    kinds_.push_back({"Ball", "o", {"may be off board"}, false, true});
    Act("poke", "choose hit = " + Walks().Walk() + " from self onto Ball\n  choose land = " + Walks().Slide() +
                    " from hit onto empty\n  do { hit -> land }");
  }

  void Special(int which) {
    const std::string step = "step(" + dice_.Pick(board_.direction_sets) + ")";
    const std::string walk = Walks().Walk();
    const std::string kind = AnyKind();
    const std::string extra = Assignment("me", true);
    switch (which) {
      case 0:
        return Act("trade", "choose other = " + walk + " from self onto own\n  do { swap self, other  " + extra + " }");
      case 1:
        return Act("push",
                   "choose hit = " + step + " from self onto " + dice_.Word({"enemy", "own", "any piece"}) +
                       "\n  choose land = face heading(hit) then ahead from hit onto empty\n  do { hit -> land  "
                       "self -> hit }");
      case 2:
        return Act("shoot", "choose hit = " + walk + " from self onto enemy\n  do { remove at hit  " + extra + " }" +
                                (dice_.OneIn(2) ? "\n  threatens reach(self, " + walk + ")" : ""));
      case 3:
        return Act("burst", "choose hit = " + walk + " from self onto " + dice_.Word({"enemy", "any piece"}) +
                                "\n  do { for c in reach(hit, " + step + ") { remove at c }  remove at hit" +
                                dice_.Word({"  remove self", ""}) + " }");
      case 4:
        return Act("pull", "choose hit = " + step + " from self onto enemy\n  choose land = " + step +
                               " from self onto empty\n  let start : cell = self\n  do { self -> land  hit -> start }");
      case 5:
        return Act("convert", "choose hit = " + step + " from self onto enemy " + kind + "\n  do { hit joins me }");
      case 6:
        return Act("jump", "choose to = face " + Walks().Facing() +
                               " then (ahead over enemy) then ahead from self onto empty\n  do { remove at before(to)  "
                               "self -> to  " +
                               extra + " }");
      case 7:
        return Act("change", "require " + Condition(true) + "\n  do { self becomes " + kind + "  " + extra + " }");
      case 8:
        return Act("rest", "require " + Condition(true) + "\n  do { " + extra + " }");
      case 9:
        return Act("discard", "choose gone = " + walk + " from self onto own\n  do { remove at gone }");
      case 10:
        free_acts_.emplace_back("drop");
        actions_.push_back("action drop {\n  choose c in empty cells & " + Zone() + "\n  require " + Condition(false) +
                           "\n  do { place " + kind + " of me at c }\n}");
        return;
      case 11:
        if (!has_passed_ || board_.relative.empty()) return;
        return Act("catch_it", "choose to = " + Walks().Short() +
                                   " from self onto passed\n  do { remove at next(to, backward)  self -> to }");
      case 12:
        if (!has_box_) return;
        free_acts_.emplace_back("enter");
        actions_.push_back(
            "action enter {\n  choose man in own pieces on box[me]\n  choose c in empty cells - field\n  do { man -> c "
            "}\n}");
        return Act("seize", "choose hit = " + walk +
                                " from self onto enemy\n  do { hit joins me  hit -> box[me]  self -> hit }");
      default:  // two men go, home-made
        return Act("leap_over", std::string(has_may_ ? "require may[me]\n  " : "") +
                                    "choose to = " + dice_.Pick(board_.directions) +
                                    " then ahead from self onto empty\n  let mate = slide(" +
                                    dice_.Pick(board_.directions) + ") from self onto own\n  require mate exists\n  " +
                                    dice_.Word({"require not attacked(self)\n  ", ""}) +
                                    "let beside : cell = self\n  do { self -> to  mate -> beside  " + extra + " }");
    }
  }

  // ---- guarded pieces ----------------------------------------------------------------------------

  void Laws() {
    if (dice_.OneIn(5)) return;  // nothing is guarded
    const std::string other = AnyKind();
    if (dice_.Percent(simple_ ? 85 : plain_ ? 70 : 30)) {
      uses_.emplace_back(dice_.OneIn(2) ? "use std.mate" : "use std.royal");
      kinds_.front().royal = true;
      for (Kind& kind : kinds_) {
        if (!kind.neutral && dice_.OneIn(6)) kind.royal = true;
      }
      if (uses_.back() == "use std.mate" && !two_) uses_.back() = "use std.royal";
      if (!simple_ && dice_.OneIn(plain_ ? 20 : 6)) laws_.push_back("forbid attacked(" + other + " of me)");
      return;
    }
    Texts usual = {"forbid some k in own King : attacked(k)",
                   "forbid some k in own pieces : k is King and attacked(k)",
                   "forbid some k in own pieces : attacked(k) and k is King",
                   "forbid attacked(King of me)",
                   "forbid not (no k in own King : attacked(k))",
                   "forbid not (every k in own King : not attacked(k))",
                   "forbid (count k in own King : attacked(k)) > 0",
                   "forbid (count k in own King : attacked(k)) != 0",
                   "forbid some k in own pieces : (k is King or k is " + other + ") and attacked(k)",
                   "forbid some k in own King : attacked(k)\nforbid some k in own " + other + " : attacked(k)",
                   "forbid attacked(King of me) or attacked(" + other + " of me)",
                   "define guarded(x) = x is King and x is own\nforbid some k in pieces : guarded(k) and attacked(k)",
                   "define danger(q) = some k in pieces of q : k is King and attacked(k)\nforbid danger(me)",
                   "forbid at turn end some k in own King : attacked(k)",
                   "forbid some k in own " + other + " : attacked(k)",
                   "forbid some k in own pieces : attacked(k)"};
    Texts unusual = {"forbid (count k in own King : attacked(k)) >= 2",
                     "forbid every k in own King : attacked(k)",
                     "forbid no k in own King : not attacked(k)",
                     "forbid action by m when attacked(m)",
                     "forbid action by m when m is " + other + " and attacked(m)",
                     "forbid some k in own King on field : attacked(k)",
                     "forbid some k in own King : attacked(k) and " + Condition(false),
                     "forbid some k in enemy King : attacked(k)",
                     "forbid some c in " + Zone() + " : attacked(c)",
                     "forbid some k in own King : endangered(k)",
                     "forbid " + Condition(false)};
    if (board_.cells.size() > 20) unusual[9] = unusual[0];
    laws_.push_back(simple_ || dice_.Percent(plain_ ? 85 : 60) ? dice_.Pick(usual) : dice_.Pick(unusual));
    if (!plain_ && dice_.OneIn(4)) laws_.push_back(dice_.Pick(unusual));
  }

  // ---- events ------------------------------------------------------------------------------------

  std::string PieceEvent(bool* names_player) {
    const std::string who = dice_.Word({AnyKind(), "any piece", "King", AnyKind()});
    *names_player = dice_.OneIn(2);
    const std::string of = *names_player ? who + " of p" : who;
    const std::string zone = *names_player ? ZoneOf() : "field";
    switch (dice_.Below(7)) {
      case 0:
        return of + " moves" + (dice_.OneIn(4) ? " from " + zone : "") + (dice_.OneIn(4) ? " to " + zone : "");
      case 1:
        return of + " is captured";
      case 2:
        return of + " leaves " + zone;
      case 3:
        return of + " enters " + zone;
      case 4:
        return of + " lands in " + zone;
      case 5:
        return (*names_player ? "piece at " + zone + " of p" : "piece at field") + " is captured";
      default:
        return of + " is moved" + (dice_.OneIn(3) ? " from " + zone : "");
    }
  }
  // What a handler of a piece event may do besides changing the state.
  std::string Wild(const std::string& p) {
    const std::string step = "step(" + dice_.Pick(board_.direction_sets) + ")";
    Texts some = {"remove it",
                  "it becomes " + AnyKind(),
                  "if to exists { for c in reach(to, " + step + ") { remove at c } }",
                  "if from exists and from is empty { place " + AnyKind() + " of " + p + " at from }",
                  "win " + p,
                  "lose " + p,
                  "draw",
                  "for x in own " + AnyKind() + " on field { x becomes " + AnyKind() + " }",
                  "it joins " + p,
                  "if " + Condition(false) + " { " + Assignment(p, false) + " }"};
    if (has_marks_) some.insert(some.end(), {"it.used = true", "it.used = not it.used"});
    if (has_passed_) some.insert(some.end(), {"passed = from", "passed = to"});
    if (two_setups_) some.push_back("set up second");
    return dice_.Pick(some);
  }
  void Events() {
    two_setups_ = !plain_ && dice_.OneIn(6);
    if (has_clock_ && dice_.OneIn(2)) {
      events_.emplace_back("when after action { calm += 1 }");
      events_.emplace_back("when any piece is captured { calm = 0 }");
      if (dice_.OneIn(2)) events_.push_back("when " + AnyKind() + " moves { calm = 0 }");
    }
    for (int i = dice_.Between(0, plain_ ? 2 : 4); i > 0; --i) {
      bool names_player = false;
      const std::string event = PieceEvent(&names_player);
      const std::string p = names_player ? "p" : "me";
      std::string block = !plain_ && dice_.OneIn(3) ? Wild(p) : Assignment(p, false);
      if (has_passed_ && dice_.OneIn(5)) block = "passed = " + dice_.Word({"from", "to"});
      if (has_marks_ && dice_.OneIn(4)) block = "it.used = true";
      if (block.empty()) continue;
      std::string text = "when " + event;
      if (!simple_ && dice_.OneIn(plain_ ? 10 : 4)) text += " if " + Condition(false);
      events_.push_back(text + " { " + block + " }");
    }
    if (dice_.OneIn(plain_ ? 10 : 4)) {
      const std::string block = Assignment("me", false);
      if (!block.empty()) {
        events_.push_back("when " + dice_.Word({"turn ends", "turn begins", "after action"}) +
                          (dice_.OneIn(2) ? " if " + Condition(false) : "") + " { " + block + " }");
      }
    }
  }

  // ---- ends --------------------------------------------------------------------------------------

  void Ends() {
    const std::string kind = AnyKind(), at_once = !plain_ && dice_.OneIn(4) ? " at once" : "";
    Texts some = {"win p" + at_once + " when " + kind + " of p in goal[p]",
                  "win p when some k in pieces of p : k is " + kind + " and k in goal[p]",
                  "lose p" + at_once + " when no k in pieces of p : k is King",
                  "lose p when no k in pieces of p : true",
                  "draw when (count x in pieces : true) <= " + Number(1, 4),
                  "draw when repetition " + Number(2, 3),
                  "win p when p == me and King of p in field",
                  "lose p when (count k in pieces of p : k is " + kind + ") < " + Number(1, 2),
                  "win p when p != me and no k in pieces of p : k is not " + kind,
                  "draw when no x in pieces : x is " + kind,
                  "draw when " + Condition(false)};
    if (has_points_) some.insert(some.end(), {"win p when points[p] == 2", "win p" + at_once + " when points[p] >= 1"});
    if (has_clock_) some.push_back("draw when calm >= 3");
    if (has_counter_) some.emplace_back("draw when counter == 6");
    for (int i = dice_.Between(0, 2); i > 0; --i) ends_.push_back(dice_.Pick(some));
    if (dice_.OneIn(2)) {
      Texts last = {"lose me", "draw", "win me", "if attacked(King of me) { lose me } else { draw }",
                    "if " + Condition(false) + " { lose me } else { draw }"};
      if (two_) last.emplace_back("win opponent");
      ends_.push_back("when no legal turn { " + dice_.Pick(last) + " }");
    }
    ends_.push_back("limit turns " + Number(20, 300));
  }

  // ---- turns -------------------------------------------------------------------------------------

  void Turns() {
    Texts own;  // actions that pieces can do, by name
    for (const std::string& act : acts_) own.push_back(act.substr(0, act.find('(')));
    std::string first = "any move";
    for (const std::string& act : free_acts_) first += " or " + act;
    if (plain_ || dice_.OneIn(2)) {
      if (!simple_ && dice_.OneIn(plain_ ? 20 : 6)) first += dice_.OneIn(3) ? " or pass" : " else pass";
      if (first != "any move" || dice_.OneIn(3)) turns_.push_back("turn = " + first);
      return;
    }
    const std::string act = own.empty() ? "any move" : dice_.Pick(own);
    const std::string rest = own.empty() ? "any move" : "any move except " + act;
    const Texts some = {"any move then any move",
                        "any move then any move?",
                        act + " else " + first,
                        act + " then any move or " + rest,
                        rest + " then (" + act + " by same)?",
                        rest + " then (" + act + " by other)? or " + act,
                        act + " then (" + act + " by same else done){1} else any move",
                        "longest (" + act + "{1..3}) else any move",
                        "if " + Condition(false) + " : any move otherwise " + first,
                        act + " else any move else pass",
                        "(any move by other){1..2}",
                        first + " or done"};
    if (dice_.OneIn(5)) {
      turns_.push_back("phase early {\n  turn = " + first + "\n  after { " + Assignment("me", false) + " if " +
                       Condition(false) + " { goto late } }\n}");
      turns_.push_back("phase late {\n  turn = " + dice_.Pick(some) + "\n" +
                       (dice_.OneIn(2) ? "  after { goto early }\n" : "") + "}");
      return;
    }
    turns_.push_back("turn = " + dice_.Pick(some));
  }

  // ---- set-ups -----------------------------------------------------------------------------------

  std::string Letter(const Kind& kind, std::size_t player) const {
    static const Texts kThird = {"к", "р", "п", "а", "б", "ц", "д", "э"};
    static const std::string kLetters = "KRPABCDE";
    if (kind.neutral) return "o";
    if (player == 0) return kind.letter;
    if (player == 1) return std::string(1, static_cast<char>(kind.letter[0] - 'A' + 'a'));
    return kThird[kLetters.find(kind.letter)];
  }

  std::string Diagram() {
    Texts at(board_.cells.size(), ".");
    const int cells = static_cast<int>(at.size());
    const auto put = [&](const Kind& kind, std::size_t player) {
      for (int tries = 0; tries < (kind.neutral ? 400 : 8); ++tries) {  // a ball must stand somewhere
        int cell = dice_.Below(cells);
        if (!dice_.OneIn(3)) cell = player == 0 ? cell / 2 : player == 1 ? cells - 1 - cell / 2 : cell;
        if (at[static_cast<std::size_t>(cell)] != ".") continue;
        at[static_cast<std::size_t>(cell)] = Letter(kind, player);
        return;
      }
    };
    const int most = std::clamp(cells / (two_ ? 4 : 6), 1, 12);
    for (std::size_t p = 0; p < players_.size(); ++p) {
      int left = dice_.Between((most + 1) / 2, most);
      for (const Kind& kind : kinds_) {
        if (kind.neutral) continue;
        const bool only = kind.royal || kind.name == "King";
        int count = only ? (dice_.OneIn(5) ? dice_.Below(4) : 1) : dice_.Between(0, 3);
        for (; count > 0 && left > 0; --count, --left) put(kind, p);
      }
    }
    for (const Kind& kind : kinds_) {
      if (kind.neutral) put(kind, 0);
    }
    std::string text;
    for (std::size_t r = 0; r < board_.rows.size(); ++r) {
      text += " ";
      for (int cell : board_.rows[r]) text += " " + (cell < 0 ? "#" : at[static_cast<std::size_t>(cell)]);
      text += "\n";
    }
    return text;
  }

  // ---- the text ----------------------------------------------------------------------------------

  std::string Write() {
    std::string text = "// " +
                       std::string(simple_  ? "simple"
                                   : plain_ ? "plain"
                                            : "anything") +
                       ", seed " + std::to_string(seed_) + "\n";
    text += "game \"Random " + std::to_string(seed_) + "\"\n";
    for (const std::string& use : uses_) text += use + "\n";
    text += "players";
    for (std::size_t p = 0; p < players_.size(); ++p) {
      text += (p == 0 ? " " : ", ") + players_[p];
      if (!board_.facing.empty()) text += " facing " + board_.facing[p];
    }
    text += "\nboard {\n";
    for (const std::string& item : board_.items) text += "  " + item + "\n";
    if (has_box_) text += "  place box[player] 8\n";
    for (const std::string& zone : zones_) text += "  " + zone + "\n";
    text += "}\n";
    if (!state_.empty()) {
      text += "state {\n";
      for (const std::string& line : state_) text += "  " + line + "\n";
      text += "}\n";
    }
    for (const std::string& line : piece_state_) text += "piece state { " + line + " }\n";
    for (const Kind& kind : kinds_) {
      if (kind.neutral && kind.letter.empty()) continue;
      text += std::string(kind.neutral ? "neutral " : "") + "piece " + kind.name;
      for (std::size_t p = 0; p < (kind.neutral || two_ ? 1U : 3U); ++p) text += " \"" + Letter(kind, p) + "\"";
      text += std::string(kind.royal ? " royal" : "") + " {\n";
      for (const std::string& statement : kind.body) text += "  " + statement + "\n";
      text += "}\n";
    }
    for (const Texts* part : {&actions_, &turns_, &laws_, &events_, &ends_}) {
      for (const std::string& line : *part) text += line + "\n";
    }
    const std::string to_move = " to move " + dice_.Pick(players_);
    if (two_setups_) {
      text += "setup first" + to_move + " \"\"\"\n" + Diagram() + "\"\"\"\n";
      text += "setup second to move " + dice_.Pick(players_) + " \"\"\"\n" + Diagram() + "\"\"\"\nstart first\n";
    } else {
      text += "setup" + to_move + " \"\"\"\n" + Diagram() + "\"\"\"\n";
    }
    return text;
  }
};

}  // namespace

std::string MakeRuleFile(uint64_t seed) { return Writer(seed).Make(); }

}  // namespace arbiter::fuzz
