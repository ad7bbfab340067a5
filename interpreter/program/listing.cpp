// The listing: what every part became, and why; and the bytecode as text.
#include <algorithm>

#include "program/program.h"

namespace arbiter::program {
namespace {

struct OpInfo {
  const char* name;
  const char* operands;
};
constexpr OpInfo kOps[] = {
#define ARBITER_INS(symbol, name, operands) {name, operands},
#include "program/op.def"
#undef ARBITER_INS
};

std::string KindNames(const Program& p, KindSet kinds) {
  std::string text;
  for (std::size_t k = 0; k < p.kinds.size(); ++k) {
    if (((kinds >> k) & 1) == 0) continue;
    if (!text.empty()) text += ", ";
    text += p.kinds[k].name;
  }
  return text;
}

std::string Kilobytes(std::size_t bytes) { return std::to_string((bytes + 1023) / 1024) + " KiB"; }

ListingLine OfWalk(const Program& p, const Walk& walk) {
  (void)p;
  ListingLine line{"walk", walk.name, "", walk.why};
  switch (walk.form) {
    case WalkForm::kConstant:
      line.form = "constant";
      break;
    case WalkForm::kTable:
      line.form = "table";
      line.why += "; at most " + std::to_string(walk.groups) + (walk.groups == 1 ? " table" : " tables") + " of " +
                  std::to_string(walk.bits) + " cells an origin";
      break;
    case WalkForm::kFlood:
      line.form = "flood";
      line.why = "searched while playing: " + walk.why;
      break;
  }
  return line;
}

void OfAttacks(const Program& p, std::vector<ListingLine>* out) {
  for (std::size_t player = 0; player < p.families.size(); ++player) {
    for (const AttackFamily& f : p.families[player]) {
      bool constant = true;
      for (const Row& row : f.rows) constant = constant && row.group_count == 0;
      out->push_back({"attack", KindNames(p, f.kinds) + " of player " + std::to_string(player + 1),
                      constant ? "constant, reversed" : "table, reversed",
                      f.lines_exact ? "blockers and pins are known" : "an attack may need an occupied cell: no pins"});
    }
  }
  for (const Attack& a : p.attacks) {
    if (!a.folded) {
      out->push_back(
          {"attack", KindNames(p, a.kinds), "piece by piece", "depends on more than which cells are occupied"});
    }
  }
}

std::string CodeNames(const Program& p, const std::vector<Code>& codes) {
  KindSet kinds = 0;
  for (const Code code : codes) kinds |= KindSet{1} << p.flat.code_of[code][0];
  return KindNames(p, kinds);
}

// How the flat form finds the moves of each player.
void OfFlat(const Program& p, std::vector<ListingLine>* out) {
  const Flat& f = p.flat;
  out->push_back({"flat", "the game", f.usable ? "counted from sets" : "no flat form", f.why});
  if (f.usable) out->back().why += "; perft and random games go this way, lists of moves by the parts above";
  for (std::size_t player = 0; player < f.sides.size(); ++player) {
    const std::string of_player = " of player " + std::to_string(player + 1);
    for (const FlatMover& m : f.sides[player].movers) {
      std::string form = "look-up";
      std::string why = "one look-up a piece";
      const auto constant = [&](int share) {
        const auto& groups = f.shares[static_cast<std::size_t>(share)].groups;
        return std::all_of(groups.begin(), groups.end(), [](int32_t group) { return group < 0; });
      };
      if (!m.shifts.empty()) {
        form = "shift";
        why = "all pieces at once: the steps are the same everywhere";
      } else if (m.shares.size() > 1) {
        why = std::to_string(m.shares.size()) + " look-ups a piece";
      } else if (m.shares.empty() || constant(m.shares.front())) {
        form = "constant";
        why = "the ends depend on the origin only";
      }
      if (m.guarded) why += "; may not be attacked: every end is asked";
      const char* onto[] = {"", " onto empty cells", " onto enemies", " onto some pieces"};
      out->push_back({"flat", CodeNames(p, m.codes) + of_player + onto[static_cast<std::size_t>(m.onto)], form, why});
    }
    for (const FlatGroup& g : f.sides[player].groups) {
      out->push_back({"flat", p.actions[static_cast<std::size_t>(g.action)].origin + of_player,
                      std::to_string(g.first.back() - g.first.front()) + " cases",
                      g.by_state           ? "found by a number in the state"
                      : g.self != kNoPiece ? "found by where the piece stands"
                                           : "no piece acts"});
    }
  }
}

bool HasDirectPart(const Program& p, int offer) {
  if (p.plans[static_cast<std::size_t>(offer)].direct) return true;
  const auto& parts = p.offers[static_cast<std::size_t>(offer)].parts;
  return p.offers[static_cast<std::size_t>(offer)].kind != rules::Offer::Kind::kLongest &&
         std::any_of(parts.begin(), parts.end(), [&](int part) { return HasDirectPart(p, part); });
}

}  // namespace

Sizes SizesOf(const Program& p) {
  const auto held = [](const auto& vector) { return vector.size() * sizeof(vector[0]); };
  Sizes sizes;
  sizes.tables = held(p.tables) + held(p.groups) + held(p.rows);
  sizes.paths = held(p.lines);
  sizes.sets = held(p.sets);
  sizes.code = held(p.code);
  for (const std::vector<AttackFamily>& of_player : p.families) {
    for (const AttackFamily& family : of_player) {
      sizes.tables += held(family.rows);
      sizes.paths += held(family.lines);
    }
  }
  for (const auto* tables : {&p.flat.moved, &p.flat.moved_timeless, &p.flat.removed, &p.flat.removed_timeless}) {
    for (const ChangeTable& table : *tables) sizes.tables += held(table);
  }
  for (const FlatShare& share : p.flat.shares) sizes.tables += held(share.groups) + held(share.constants);
  sizes.code += held(p.flat.cases) + held(p.flat.tests) + held(p.flat.changes);
  return sizes;
}

std::vector<ListingLine> ListingLines(const Program& p) {
  std::vector<ListingLine> lines;
  for (const Walk& walk : p.walks) lines.push_back(OfWalk(p, walk));
  OfAttacks(p, &lines);
  for (std::size_t i = 0; i < p.laws.size(); ++i) {
    const Law& law = p.laws[i];
    lines.push_back({"law", std::to_string(i + 1),
                     law.guarded != 0 ? "guard of " + KindNames(p, law.guarded) : "bytecode", law.why});
  }
  for (const Action& a : p.actions) {
    lines.push_back({"action", a.origin, a.plain ? "plain" : "bytecode", a.why});
  }
  for (std::size_t i = 0; i < p.turn_states.size(); ++i) {
    const Plan& plan = p.plan(static_cast<int>(i));
    const std::string name = p.turn_states[i].name.empty() ? "place " + std::to_string(i) : p.turn_states[i].name;
    const int offer = p.turn_states[i].offer;
    const char* form = plan.direct                             ? "direct, counted in bulk"
                       : plan.apart && HasDirectPart(p, offer) ? "automaton with direct parts"
                                                               : "automaton";
    lines.push_back({"turn", name, form, plan.why});
  }
  OfFlat(p, &lines);
  const std::size_t words = sizeof(uint64_t);
  lines.push_back({"memory", "tables", Kilobytes(p.tables.size() * words),
                   std::string("ends by occupied cells, found by ") +
                       (p.index == TableIndex::kExtract ? "extraction of bits" : "multiplication")});
  lines.push_back({"memory", "sets", Kilobytes(p.sets.size() * words), "cell sets"});
  lines.push_back({"memory", "code", std::to_string(p.code.size()) + " instructions", ""});
  return lines;
}

std::string Listing(const Program& p) {
  std::string text = std::to_string(p.board_cells) + " cells, " + std::to_string(p.cells - p.board_cells) +
                     " off-board, sets of " + std::to_string(p.words * 64) + " bits\n";
  std::string part;
  for (const ListingLine& line : ListingLines(p)) {
    if (line.part != part) {
      part = line.part;
      text += "\n" + part + "\n";
    }
    text += "  " + line.name + ": " + line.form;
    if (!line.why.empty()) text += " (" + line.why + ")";
    text += "\n";
  }
  return text;
}

std::string Dump(const Program& p, int action) {
  std::string text;
  const auto instruction = [&](std::size_t at) {
    const Ins& ins = p.code[at];
    const OpInfo& info = kOps[static_cast<std::size_t>(ins.op)];
    text += std::to_string(at) + "  " + info.name + " " + std::to_string(ins.a) + " " + std::to_string(ins.b) + " " +
            std::to_string(ins.c) + " " + std::to_string(ins.imm);
    if (ins.flag != 0) text += " flag " + std::to_string(ins.flag);
    text += std::string("  // ") + info.operands + "\n";
  };
  if (action < 0) {
    for (std::size_t at = 0; at < p.code.size(); ++at) instruction(at);
    return text;
  }
  if (static_cast<std::size_t>(action) >= p.actions.size()) return text;
  const Function& f = p.actions[static_cast<std::size_t>(action)].function;
  for (auto at = static_cast<std::size_t>(f.entry); at < p.code.size(); ++at) {
    instruction(at);
    if (p.code[at].op == Op::kEnd) break;
  }
  return text;
}

}  // namespace arbiter::program
