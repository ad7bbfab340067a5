// The only way into ANTLR's headers. Private to parse/: no other room may see them, and within this
// room only the files that walk the grammar's own tree do.
#pragma once

#include "ArbiterParser.h"
#include "antlr4-runtime.h"
