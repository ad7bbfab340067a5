// ast -> rules: the front door of the checker.
//
// Reads the root file through a loader, follows its imports, resolves names, types and options,
// inlines templates, and gives the checked rules. Everything wrong is a diagnostic in the sink; rules
// are given only if there was no error. Same input, same rules, same diagnostics.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "diagnostics/diagnostic.h"
#include "rules/rules.h"
#include "source/loader.h"
#include "source/source.h"

namespace arbiter::check {

struct Request {
  std::string path;                                          // the rule file, as the loader knows it
  std::vector<std::pair<std::string, std::string>> options;  // --option name=value
  bool lint = true;                                          // warnings and notes too
  bool trace = false;                                        // rules to be traced: see rules.h
};

// Null if there were errors. `sources` receives every text that was read.
std::unique_ptr<rules::Rules> Check(const Request& request, const source::Loader& loader, source::SourceMap& sources,
                                    diagnostics::Sink& sink);

}  // namespace arbiter::check
