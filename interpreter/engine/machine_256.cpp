// The machine for boards of up to 256 cells, for any processor.
#include "engine/machine_all.h"

namespace arbiter::engine {

std::unique_ptr<CoreBase> MakeCore256(std::shared_ptr<const program::Program> program) {
  return std::make_unique<Machine<4, MagicIndex>>(std::move(program));
}

}  // namespace arbiter::engine
