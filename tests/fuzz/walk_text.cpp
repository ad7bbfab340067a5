#include "fuzz/walk_text.h"

#include <algorithm>

namespace arbiter::fuzz {

std::string WalkTexts::Argument() {
  const std::string text = Direction();
  return text.front() == '(' ? text.substr(1, text.size() - 2) : text;
}

std::string WalkTexts::Direction() {
  switch (dice_.Below(8)) {
    case 0:
    case 1:
      return dice_.Pick(board_.directions);
    case 2:
      return "(" + dice_.Pick(board_.directions) + " | " + dice_.Pick(board_.directions) + ")";
    case 3:
    case 4:
      if (!board_.relative.empty()) return dice_.Pick(board_.relative);
      [[fallthrough]];
    default:
      return dice_.Pick(board_.direction_sets);
  }
}

std::string WalkTexts::Facing() {
  std::string text = Direction();
  while (text.front() == '(') text = Direction();
  return text;
}

std::string WalkTexts::Leap() {
  if (board_.form == BoardText::Form::kGraph)
    return "(" + Direction() + " then " + dice_.Pick(board_.directions) + ") over any";
  const int longer = std::max(board_.width, board_.height) - 1, shorter = std::min(board_.width, board_.height) - 1;
  int b = dice_.Between(1, std::min(3, longer));
  int a = dice_.Between(0, std::min(b, shorter));
  if (board_.form == BoardText::Form::kHexes) {
    b = dice_.Between(1, 2);
    a = dice_.Between(0, std::min(1, b));
  } else if (longer >= 2 && shorter >= 1 && dice_.OneIn(2)) {
    a = 1, b = 2;
  }
  return "leap(" + std::to_string(a) + ", " + std::to_string(b) + ")";
}

std::string WalkTexts::Short() {
  switch (dice_.Below(8)) {
    case 0:
    case 1:
    case 2:
      return Leap();
    case 3:
      return Direction() + " then ahead";
    case 4:
      return Direction() + " then " + Direction();
    case 5:
      return "step(" + Argument() + ")";
    case 6:
      return Direction() + " then " + Direction() + "?";
    default:
      return "step(" + dice_.Pick(board_.direction_sets) + ")";
  }
}

std::string WalkTexts::Turn() {
  if (board_.turns.empty()) return "face " + dice_.Pick(board_.directions);
  if (dice_.OneIn(3)) return "(turn " + dice_.Pick(board_.turns) + " | turn " + dice_.Pick(board_.turns) + ")";
  return "turn " + dice_.Pick(board_.turns);
}

std::string WalkTexts::Bent() {
  const std::string start = Direction() + " then ahead* then ";
  switch (dice_.Below(board_.deflects ? 9 : 6)) {
    case 0:
      return start + "(" + Turn() + " then ahead+)?";
    case 1:
      return start + "(" + Turn() + " then ahead+){0.." +
             std::to_string(manner_ == Manner::kSimple ? 1 : dice_.Between(1, 3)) + "}";
    case 2:
      return start + Turn() + " then ahead" + dice_.Word({"", "+", "*", "{0..2}"});
    case 3:
      return "(" + Direction() + " then " + Turn() + " then ahead){1..2}";
    case 4:
      return Direction() + " then " + Turn() + " then ahead" + dice_.Word({"", "*", "?"});
    case 5:
      return Leap() + " then ahead" + dice_.Word({"*", "{0..2}"});
    case 6:
      return "rebound(" + Argument() + ")";
    case 7:
      return start + "(deflect then ahead+){0..2}";
    default:
      return Direction() + " then (ahead | deflect then ahead)*";
  }
}

std::string WalkTexts::Slide() {
  switch (dice_.Below(7)) {
    case 0:
      return "face " + Facing() + " then ahead{1.." + std::to_string(dice_.Between(1, 4)) + "}";
    case 1:
      return Direction() + " then ahead{" + dice_.Word({"0..1", "1..2", "1..3", "2..", "0..5"}) + "}";
    case 2:
    case 3:
      return Bent();
    default:
      return "slide(" + Argument() + ")";
  }
}

std::string WalkTexts::Jump() {
  const std::string d = Facing();
  switch (dice_.Below(8)) {
    case 0:
      return "face " + d + " then ahead* then (ahead over occupied) then ahead";
    case 1:
      return "face " + d + " then ahead* then (ahead over occupied) then ahead+";
    case 2:
      return "(" + d + " then ahead*) over " + dice_.Word({"any", "occupied", "enemy", "own"});
    case 3:
      return "face " + d + " then (ahead over " + dice_.Word({"enemy", "own", "occupied"}) + ") then ahead";
    case 4:
      return "(" + d + " then ahead) over " + dice_.Word({"any", "occupied", "enemy", "own"});
    case 5:
      return "(" + d + " then ahead*) over (" + Condition() + ")";
    case 6:
      return "face " + d + " then ahead* then (ahead over own){1..2} then ahead";
    default:
      return dice_.Word({"hop(", "vault("}) + Argument() + ")";
  }
}

std::string WalkTexts::Condition() {
  switch (dice_.Below(6)) {
    case 0:
      return "here is empty or here is own";
    case 1:
      return "here is enemy and here in " + zone_;
    case 2:
      return "here in " + zone_;
    case 3:
      return "not (here is own)";
    case 4:
      return "here is empty or here in " + zone_;
    default:
      return "here is enemy or here is empty";
  }
}

std::string WalkTexts::Guarded() {
  const std::string guard = [&]() -> std::string {
    switch (dice_.Below(6)) {
      case 0:
        return "(if heading != " + dice_.Pick(board_.directions) + ")";
      case 1:
        return "(if back is empty)";
      case 2:
        return "(if not (here in " + zone_ + "))";
      case 3:
        return "(if here is empty)";
      case 4:
        return "(if origin in " + zone_ + ")";
      default:
        return "(if here in " + zone_ + ")";
    }
  }();
  switch (dice_.Below(3)) {
    case 0:
      return Direction() + " then ahead* then " + guard;
    case 1:
      return Direction() + " then " + guard + " then ahead" + dice_.Word({"*", "?", "{0..2}"});
    default:
      return Direction() + " then (ahead then " + guard + ")*";
  }
}

std::string WalkTexts::Walk() {
  const bool few = manner_ == Manner::kSimple || (manner_ == Manner::kPlain && !dice_.OneIn(3));
  switch (dice_.Below(few ? 10 : 16)) {
    case 0:
    case 1:
    case 2:
    case 3:
      return Short();
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      return Slide();
    case 9:
      return few ? "(" + Short() + ") | (" + Slide() + ")" : Bent();
    case 10:
    case 11:
      return Jump();
    case 12:
      return Guarded();
    case 13:
      return Direction() + "{1.." + std::to_string(dice_.Between(2, 3)) + "}";  // a walk about, with turns on the way
    default:
      return "(" + (dice_.OneIn(3) ? Jump() : Slide()) + ") | (" + (dice_.OneIn(3) ? Short() : Slide()) + ")";
  }
}

}  // namespace arbiter::fuzz
