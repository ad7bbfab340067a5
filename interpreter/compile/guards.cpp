// Laws that guard pieces: "some piece of mine of these kinds is attacked", in many wordings.
//
// Quantifiers may be turned round by negations, pieces be limited by the set or by the body, a number of pieces be
// compared with none; parts joined by `or` guard what each of them guards. Recognised from the checked rules alone.
#include <algorithm>
#include <optional>

#include "compile/builder.h"

namespace arbiter::compile {
namespace {

using rules::Expr;
using rules::KindSet;
using rules::Op;

constexpr KindSet kEveryKind = ~KindSet{0};

struct Guarded {
  KindSet kinds = 0;
  bool only = false;  // as long as there is one such piece
};

class GuardReader {
 public:
  explicit GuardReader(const Rules& rules) : rules_(rules) {}

  // What the condition guards when it must not hold; `negated`: when it must.
  [[nodiscard]] std::optional<Guarded> Read(ExprId id, bool negated) const {
    const Expr& e = rules_.exprs[id];
    switch (e.op) {
      case Op::kNot:
        return Read(e.children[0], !negated);
      case Op::kOr:
        return negated ? std::nullopt : All(e, negated);
      case Op::kAnd:
        return negated ? All(e, negated) : std::nullopt;
      case Op::kSome:
        return negated ? std::nullopt : SomePiece(e, false);
      case Op::kEvery:
        return negated ? SomePiece(e, true) : std::nullopt;
      case Op::kLt:  // 0 < count, not count < 1
        return negated ? Counted(e.children[0], e.children[1], 1) : Counted(e.children[1], e.children[0], 0);
      case Op::kLe:  // 1 <= count, not count <= 0
        return negated ? Counted(e.children[0], e.children[1], 0) : Counted(e.children[1], e.children[0], 1);
      case Op::kEq:  // not count == 0
        return negated ? Counted(e.children[0], e.children[1], 0) : std::nullopt;
      case Op::kAttacked:
        return negated ? std::nullopt : TheOne(e);
      default:
        return std::nullopt;
    }
  }

 private:
  [[nodiscard]] const Expr& expr(ExprId id) const { return rules_.exprs[id]; }
  [[nodiscard]] bool IsMe(ExprId id) const { return expr(id).op == Op::kMe || expr(id).op == Op::kSide; }

  // Several parts, each of which guards; pieces that are guarded alone do not mix with others.
  [[nodiscard]] std::optional<Guarded> All(const Expr& e, bool negated) const {
    Guarded all;
    for (const ExprId part : e.children) {
      const auto guarded = Read(part, negated);
      if (!guarded || guarded->only) return std::nullopt;
      all.kinds |= guarded->kinds;
    }
    return all;
  }

  [[nodiscard]] std::optional<Guarded> Counted(ExprId count, ExprId number, Value expected) const {
    const Expr& e = expr(count);
    if (e.op != Op::kCount || expr(number).op != Op::kConst || expr(number).value != expected) return std::nullopt;
    return SomePiece(e, false);
  }

  [[nodiscard]] std::optional<Guarded> TheOne(const Expr& e) const {
    const Expr* piece = &expr(e.children[0]);
    if (piece->op == Op::kCellOf) return std::nullopt;  // a cell is attacked by the enemies of whoever asks
    if (piece->op != Op::kTheOnly || piece->children.size() != 1 || !IsMe(piece->children[0])) return std::nullopt;
    return Guarded{piece->kinds, true};
  }

  // Some element of the set for which the body, or its negation, says that it is mine, of these kinds, and attacked.
  [[nodiscard]] std::optional<Guarded> SomePiece(const Expr& e, bool negated) const {
    const Expr& set = expr(e.children[0]);
    if (set.op != Op::kPieces || set.on_cells) return std::nullopt;
    Body body;
    body.mine = set.side == rules::Side::kMine || set.side == rules::Side::kOwn ||
                (set.side == rules::Side::kOf && !set.children.empty() && IsMe(set.children[0]));
    if (!body.mine && set.side != rules::Side::kAny) return std::nullopt;
    if (!ReadBody(e.children[1], e.slot, negated, &body) || !body.mine || !body.attacked) return std::nullopt;
    return Guarded{set.kinds & body.kinds, false};
  }

  struct Body {
    KindSet kinds = kEveryKind;
    bool mine = false, attacked = false;
  };
  [[nodiscard]] bool ReadBody(ExprId id, int slot, bool negated, Body* body) const {
    const Expr& e = expr(id);
    if (e.op == Op::kNot) return ReadBody(e.children[0], slot, !negated, body);
    if (e.op == (negated ? Op::kOr : Op::kAnd)) {
      return std::all_of(e.children.begin(), e.children.end(),
                         [&](ExprId part) { return ReadBody(part, slot, negated, body); });
    }
    if (e.op == Op::kImplies && negated) {
      return ReadBody(e.children[0], slot, false, body) && ReadBody(e.children[1], slot, true, body);
    }
    if (const auto kinds = KindsOf(id, slot, negated)) {
      body->kinds &= *kinds;
      return true;
    }
    if (negated) return false;
    if (e.op == Op::kAttacked) return body->attacked = IsPiece(e.children[0], slot);
    if (e.op == Op::kIsOwn) return body->mine = IsPiece(e.children[0], slot);
    if (e.op != Op::kEq) return false;
    const bool turned = IsMe(e.children[0]);
    const Expr& owner = expr(e.children[turned ? 1 : 0]);
    return body->mine = (turned || IsMe(e.children[1])) && owner.op == Op::kOwner && IsPiece(owner.children[0], slot);
  }

  // The kinds for which a condition holds that asks about nothing but the kind of the piece.
  [[nodiscard]] std::optional<KindSet> KindsOf(ExprId id, int slot, bool negated) const {
    const Expr& e = expr(id);
    if (e.op == Op::kNot) return KindsOf(e.children[0], slot, !negated);
    if (e.op == Op::kIsKind && IsPiece(e.children[0], slot)) return negated ? ~e.kinds : e.kinds;
    if (e.op != Op::kAnd && e.op != Op::kOr) return std::nullopt;
    const bool either = (e.op == Op::kOr) != negated;
    KindSet all = either ? 0 : kEveryKind;
    for (const ExprId part : e.children) {
      const auto kinds = KindsOf(part, slot, negated);
      if (!kinds) return std::nullopt;
      all = either ? all | *kinds : all & *kinds;
    }
    return all;
  }

  // The element of the loop, or what stands on its cell.
  [[nodiscard]] bool IsPiece(ExprId id, int slot) const {
    const Expr* e = &expr(id);
    if (e->op == Op::kPieceAt || e->op == Op::kCellOf) e = &expr(e->children[0]);
    if (e->op == Op::kCellOf) e = &expr(e->children[0]);
    return e->op == Op::kLocal && e->slot == slot;
  }

  const Rules& rules_;
};

}  // namespace

void RecogniseLaws(Builder& b) {
  const GuardReader reader(b.rules);
  for (std::size_t i = 0; i < b.rules.laws.size(); ++i) {
    const rules::Law& law = b.rules.laws[i];
    program::Law& out = b.program.laws[i];
    out.why = "the condition has no form that tables answer";
    if (!law.free.empty()) out.why = "it is asked for several values of a name";
    if (law.scope == rules::Law::Scope::kAction) out.why = "it asks about the action";
    if (!law.free.empty() || law.scope == rules::Law::Scope::kAction) continue;
    const auto guarded = reader.Read(law.condition, false);
    if (!guarded) continue;
    out.guarded = guarded->kinds & b.program.all_kinds;
    if (out.guarded == 0) continue;
    out.only = guarded->only;
    out.why = out.only ? "the piece of mine of these kinds may not be attacked, as long as there is only one"
                       : "no piece of mine of these kinds may be attacked";
    out.why += b.program.attacks_folded ? ": reversed tables" : "; some attacks are conditional: tried piece by piece";
  }
}

}  // namespace arbiter::compile
