// The machine for boards of up to 128 cells, for any processor.
#include "engine/machine_all.h"

namespace arbiter::engine {

std::unique_ptr<CoreBase> MakeCore128(std::shared_ptr<const program::Program> program) {
  return std::make_unique<Machine<2, MagicIndex>>(std::move(program));
}

}  // namespace arbiter::engine
