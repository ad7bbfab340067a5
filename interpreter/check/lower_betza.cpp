// Betza notation: `betza "FfmW"` -> walk nodes.
//
// Atoms W F D N A H C Z G (and L = C, J = Z) are leaps by 0-1, 1-1, 0-2, 1-2, 2-2, 0-3, 1-3, 2-3, 3-3; K = WF,
// R B Q slide. A number behind an atom is its greatest number of steps, 0 or the atom doubled: any
// number. Before an atom stand: directions (f b l r v s, pairs of them, h for a half), m and c (only in
// a statement: moves only, captures only), n (lame: the cells between must be empty) and j (the cell
// between must be occupied).
#include <fmt/format.h>

#include <algorithm>

#include "check/lower.h"

namespace arbiter::check {

namespace {

struct Vector {
  int x = 0, y = 0;  // to the right, forward
  auto operator<=>(const Vector&) const = default;
};

// All symmetric forms of (a, b).
std::vector<Vector> Forms(int a, int b) {
  std::set<Vector> forms;
  for (int sx : {-1, 1}) {
    for (int sy : {-1, 1}) {
      forms.insert({sx * a, sy * b});
      forms.insert({sx * b, sy * a});
    }
  }
  return {forms.begin(), forms.end()};
}

bool Goes(const Vector& v, char d) {
  switch (d) {
    case 'f':
      return v.y > 0;
    case 'b':
      return v.y < 0;
    case 'l':
      return v.x < 0;
    case 'r':
      return v.x > 0;
    case 'v':
      return v.y != 0;
    default:  // s
      return v.x != 0;
  }
}

bool Vertical(char d) { return d == 'f' || d == 'b' || d == 'v'; }

// Which forms of an atom with eight of them the letters choose.
bool ChosenOfEight(const Vector& v, const std::string& letters) {
  bool main_vertical = std::abs(v.y) > std::abs(v.x);
  for (std::size_t i = 0; i < letters.size();) {
    char d = letters[i], next = i + 1 < letters.size() ? letters[i + 1] : '\0';
    bool pair = next == d || next == 'h' || (next != '\0' && Vertical(next) != Vertical(d));
    bool chosen = false;
    if (next == 'h') {  // the half of the board on that side
      chosen = Goes(v, d);
    } else if (next == d) {  // the narrow ones
      chosen = Goes(v, d) && main_vertical == Vertical(d);
    } else if (pair && (next == 's' || next == 'v')) {  // the wide ones
      chosen = Goes(v, d) && main_vertical != Vertical(d);
    } else if (pair) {  // the first letter says the longer side
      chosen = Goes(v, d) && Goes(v, next) && main_vertical == Vertical(d);
    } else if (d == 'v' || d == 's') {
      chosen = main_vertical == (d == 'v');
    } else {
      chosen = Goes(v, d);
    }
    if (chosen) return true;
    i += pair ? 2 : 1;
  }
  return letters.empty();
}

bool ChosenOfFour(const Vector& v, const std::string& letters) {
  bool diagonal = v.x != 0 && v.y != 0;
  for (std::size_t i = 0; i < letters.size();) {
    char d = letters[i], next = i + 1 < letters.size() ? letters[i + 1] : '\0';
    if (next == 'h' || next == d) {
      if (Goes(v, d)) return true;
      i += 2;
      continue;
    }
    bool corner = diagonal && next != '\0' && Vertical(next) != Vertical(d);
    if (Goes(v, d) && (!corner || Goes(v, next))) return true;
    i += corner ? 2 : 1;
  }
  return letters.empty();
}

struct Part {
  std::string directions;
  bool moves = false, takes = false, lame = false, jump = false;
  int a = 0, b = 0;
  int range = 1;  // 0: no bound
};

// Reads the notation; gives what is wrong, or nothing.
std::string Read(const std::string& text, std::vector<Part>& parts) {
  static const std::map<char, std::pair<int, int>> atoms = {{'W', {0, 1}}, {'F', {1, 1}}, {'D', {0, 2}}, {'N', {1, 2}},
                                                            {'A', {2, 2}}, {'H', {0, 3}}, {'C', {1, 3}}, {'L', {1, 3}},
                                                            {'Z', {2, 3}}, {'J', {2, 3}}, {'G', {3, 3}}};
  std::size_t i = 0;
  while (i < text.size()) {
    Part part;
    for (; i < text.size() && text[i] >= 'a' && text[i] <= 'z'; ++i) {
      switch (text[i]) {
        case 'm':
          part.moves = true;
          break;
        case 'c':
          part.takes = true;
          break;
        case 'n':
          part.lame = true;
          break;
        case 'j':
          part.jump = true;
          break;
        case 'f':
        case 'b':
        case 'l':
        case 'r':
        case 'v':
        case 's':
          part.directions += text[i];
          break;
        case 'h':
          if (part.directions.empty()) return "`h` stands behind a direction";
          part.directions += text[i];
          break;
        default:
          return fmt::format("`{}` is no modifier that is known here", text[i]);
      }
    }
    if (i == text.size()) return "an atom is missing at the end";
    char atom = text[i++];
    std::vector<std::pair<int, int>> leaps;
    bool slides = atom == 'R' || atom == 'B' || atom == 'Q';
    if (atom == 'K' || atom == 'Q') {
      leaps = {{0, 1}, {1, 1}};
    } else if (atom == 'R') {
      leaps = {{0, 1}};
    } else if (atom == 'B') {
      leaps = {{1, 1}};
    } else if (auto found = atoms.find(atom); found != atoms.end()) {
      leaps = {found->second};
    } else {
      return fmt::format("`{}` is no atom", atom);
    }
    part.range = slides ? 0 : 1;
    if (i < text.size() && text[i] == atom && !slides && atom != 'K') {
      part.range = 0;
      ++i;
    }
    if (i < text.size() && text[i] >= '0' && text[i] <= '9') {
      part.range = 0;
      for (; i < text.size() && text[i] >= '0' && text[i] <= '9'; ++i) {
        part.range = std::min(part.range * 10 + (text[i] - '0'), 1000);
      }
      if (part.range > 100) return "no piece goes more than 100 steps; 0 is any number";
    }
    for (auto [a, b] : leaps) {
      part.a = a;
      part.b = b;
      parts.push_back(part);
    }
  }
  return parts.empty() ? "nothing stands between the quotes" : "";
}

// The relative direction of a unit vector.
board::Relative RelativeOf(const Vector& v) {
  using board::Relative;
  static const std::map<Vector, Relative> names = {{{0, 1}, Relative::kForward},   {{1, 1}, Relative::kForwardRight},
                                                   {{1, 0}, Relative::kRight},     {{1, -1}, Relative::kBackwardRight},
                                                   {{0, -1}, Relative::kBackward}, {{-1, -1}, Relative::kBackwardLeft},
                                                   {{-1, 0}, Relative::kLeft},     {{-1, 1}, Relative::kForwardLeft}};
  return names.at(v);
}

int Sign(int n) { return n > 0 ? 1 : n < 0 ? -1 : 0; }

}  // namespace

bool Lowerer::Betza(const std::string& text, Span span, bool statement, BetzaWalks* out) {
  auto fail = [&](const std::string& why) {
    c.Error(Code::kWalkBetza, span, fmt::format("`{}` cannot be read: {}", text, why))
        .help.push_back("the table in docs/language.md lists the atoms and modifiers");
    return false;
  };
  const board::Board& board = c.board();
  if (board.shape() != board::Shape::kSquares) {
    return fail("Betza notation is for boards of squares");
  }
  std::vector<Part> parts;
  if (std::string wrong = Read(text, parts); !wrong.empty()) return fail(wrong);
  for (const Part& part : parts) {
    if (!statement && (part.moves || part.takes)) return fail("`m` and `c` belong to a statement, not to a walk");
    bool eight = part.a != part.b && part.a != 0;
    std::vector<Vector> chosen;
    for (const Vector& v : Forms(part.a, part.b)) {
      if (eight ? ChosenOfEight(v, part.directions) : ChosenOfFour(v, part.directions)) chosen.push_back(v);
    }
    if (chosen.empty()) return fail(fmt::format("`{}` leaves no direction", part.directions));
    bool unit = part.b == 1;
    bool straight = !eight;
    if ((part.jump || part.lame) && unit) return fail("`n` and `j` need a leap of two cells or more");
    if (part.jump && !straight) return fail("`j` needs a leap along a line");
    if ((part.jump || part.lame) && part.range != 1) return fail("`n` and `j` do not go with a number of steps");
    if (part.lame && eight && part.b > 2) return fail("`n` is known for leaps along a line and for `N`");
    std::vector<WalkNodeId> ways;
    rules::WalkNode ahead;
    ahead.op = WalkOp::kAhead;
    ahead.span = span;
    WalkNodeId go_on = InternNode(ahead);
    if (unit) {
      std::vector<int> labels;
      if (part.directions.empty()) {
        labels = *DirectionLabels(c, part.a == 0 ? "orthogonal" : "diagonal");
      } else {
        for (const Vector& v : chosen) labels.push_back(-1 - static_cast<int>(RelativeOf(v)));
      }
      ways.push_back(StepNode(labels, WalkOp::kStep, span));
    } else if (part.lame || part.jump) {
      for (const Vector& v : chosen) {
        Vector first{Sign(v.x), Sign(v.y)};
        if (eight) first = std::abs(v.y) > std::abs(v.x) ? Vector{0, Sign(v.y)} : Vector{Sign(v.x), 0};
        std::vector<WalkNodeId> line{StepNode({-1 - static_cast<int>(RelativeOf(first))}, WalkOp::kStep, span)};
        if (eight) {  // then one step diagonally outward
          line.push_back(StepNode({-1 - static_cast<int>(RelativeOf({Sign(v.x), Sign(v.y)}))}, WalkOp::kStep, span));
        } else {
          line.push_back(RepeatNode(go_on, part.b - 1, part.b - 1, span));
        }
        WalkNodeId way = ThenNode(std::move(line), span);
        if (part.jump) {
          ExprId here = Make(Op::kHere, CellType(), span, {});
          rules::WalkNode over;
          over.op = WalkOp::kOver;
          over.span = span;
          over.children = {way};
          over.expr = Make(Op::kExists, BoolType(), span, {PieceAt(here, span)});
          way = InternNode(std::move(over));
        }
        ways.push_back(way);
      }
    } else if (part.directions.empty()) {
      ways.push_back(LeapNode(part.a, part.b, span));
    } else {
      // Leaps relative to the facing: one set of vectors for each way a player may face.
      ExprId facing = Make(Op::kWay, OfBase(Base::kDirection), span, {Make(Op::kHere, CellType(), span, {})},
                           static_cast<Value>(board::Relative::kForward));
      std::set<int> facings;
      for (int p = 0; p < rules.player_count(); ++p) {
        for (int cell = 0; cell < board.board_size(); ++cell) facings.insert(board.Facing(p, cell));
      }
      facings.erase(-1);
      for (int direction : facings) {
        std::vector<int> labels;
        for (const Vector& v : chosen) {
          const std::string name = board.label_name(direction);
          Vector turned = v;
          if (name == "e") turned = {v.y, -v.x};
          if (name == "s") turned = {-v.x, -v.y};
          if (name == "w") turned = {-v.y, v.x};
          if (name.size() != 1) return fail("a player here faces along a diagonal");
          int label = -1;
          if (std::string wrong = c.builder.Vector(turned.x, turned.y, &label); !wrong.empty()) return fail(wrong);
          labels.push_back(label);
        }
        WalkNodeId leap = StepNode(labels, WalkOp::kStep, span);
        rules::WalkNode guard;
        guard.op = WalkOp::kGuard;
        guard.span = span;
        guard.expr = Equal(facing, Const(OfBase(Base::kDirection), direction, span), span);
        ways.push_back(ThenNode({InternNode(std::move(guard)), leap}, span));
      }
    }
    WalkNodeId node = WaysNode(std::move(ways), span);
    if (part.range != 1) {
      node = ThenNode({node, RepeatNode(go_on, 0, part.range == 0 ? -1 : part.range - 1, span)}, span);
    }
    if (!node.valid()) return false;
    (part.moves == part.takes ? out->both : part.moves ? out->moves : out->takes).push_back(node);
  }
  return true;
}

}  // namespace arbiter::check
