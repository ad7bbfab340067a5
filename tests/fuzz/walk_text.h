// Random walks as text: steps, leaps, slides, bends, rebounds, hops, guards and unions of them.
#pragma once

#include <string>

#include "fuzz/board_text.h"
#include "fuzz/dice.h"

namespace arbiter::fuzz {

class WalkTexts {
 public:
  enum class Manner {
    kSimple,  // only walks stopped by nothing but occupied cells
    kPlain,   // mostly such
    kAnything
  };
  // `zone`: the name of a zone that guards may ask for.
  WalkTexts(Dice& dice, const BoardText& board, std::string zone, Manner manner)
      : dice_(dice), board_(board), zone_(std::move(zone)), manner_(manner) {}

  // `n`, `orthogonal`, `forward`, `(n | e)`.
  std::string Direction();
  // A direction as an argument, `step(n | e)`.
  std::string Argument();
  // The same behind `face`.
  std::string Facing();
  // Whatever there is; the simple ones most often.
  std::string Walk();
  // Leaps and steps to a few cells near by.
  std::string Short();
  // Stopped by occupied cells only: slides, bent or not, limited or not.
  std::string Slide();

 private:
  Dice& dice_;
  const BoardText& board_;
  std::string zone_;
  Manner manner_;

  std::string Leap();
  std::string Turn();
  std::string Bent();
  std::string Jump();
  std::string Guarded();
  std::string Condition();
};

}  // namespace arbiter::fuzz
