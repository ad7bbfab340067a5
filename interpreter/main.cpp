// The arbiter program. Everything is in cli/.
#include <cstdlib>

#include "cli/commands.h"

int main(int argc, char** argv) {
  int code = arbiter::cli::Main(argc, argv);
#if !defined(__SANITIZE_ADDRESS__)
  // All output is flushed and every file closed. Taking the parser's tables apart would only cost time: about a
  // tenth of `arbiter check`. (Where leaks are looked for, the end is the usual one.)
  std::_Exit(code);
#endif
  return code;
}
