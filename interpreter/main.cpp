// The arbiter program. Everything is in cli/.
#include "cli/commands.h"

int main(int argc, char** argv) { return arbiter::cli::Main(argc, argv); }
