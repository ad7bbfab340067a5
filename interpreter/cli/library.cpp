// arbiter library: the files that rule files `use`.
#include <fmt/format.h>

#include "cli/commands.h"
#include "cli/load.h"
#include "diagnostics/diagnostic.h"
#include "source/loader.h"

namespace arbiter::cli {

namespace {

constexpr std::string_view kFolder = "stdlib/";
constexpr std::string_view kSuffix = ".rules";

// "stdlib/walks.rules" -> "std.walks"; "" for other files.
std::string ModuleName(std::string_view path) {
  if (!path.starts_with(kFolder) || !path.ends_with(kSuffix)) return {};
  return "std." + std::string(path.substr(kFolder.size(), path.size() - kFolder.size() - kSuffix.size()));
}

// What the head comment of a file says first.
std::string_view FirstLine(std::string_view text) {
  std::string_view line = text.substr(0, text.find('\n'));
  return line.starts_with("// ") ? line.substr(3) : std::string_view();
}

}  // namespace

int RunLibrary(const Arguments& arguments, Output& out) {
  std::vector<std::string> names;
  for (const source::EmbeddedFile& file : source::EmbeddedFiles()) {
    std::string name = ModuleName(file.path);
    if (name.empty()) continue;
    names.push_back(name);
    if (arguments.files.empty()) {
      out.Print(fmt::format("{:<18}{}\n", name, FirstLine(file.text)));
    } else if (arguments.files.front() == name || "std." + arguments.files.front() == name) {
      out.Print(file.text);
      return kExitOk;
    }
  }
  if (arguments.files.empty()) return kExitOk;
  std::string near = diagnostics::Nearest(arguments.files.front(), names);
  return UsageError(
      out, fmt::format("the library has no file `{}`: {}", arguments.files.front(),
                       near.empty() ? "`arbiter library` lists them" : fmt::format("did you mean `{}`?", near)));
}

}  // namespace arbiter::cli
