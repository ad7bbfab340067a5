// Standard output and standard error, for every command.
//
// A reader that goes away (`arbiter moves chess | head -1`) is no problem: further output is dropped and the command
// may ask `gone()` to stop early. A disk that is full is one: see Finish.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace arbiter::cli {

inline constexpr int kExitOk = 0;
inline constexpr int kExitProblem = 1;
inline constexpr int kExitUsage = 2;

class Output {
 public:
  explicit Output(bool no_colour);

  void Print(std::string_view text);  // standard output
  void Error(std::string_view text);  // standard error
  void Flush();
  [[nodiscard]] bool gone() const { return gone_; }  // nobody reads standard output any more
  [[nodiscard]] bool colour_out() const { return colour_out_; }
  [[nodiscard]] bool colour_error() const { return colour_error_; }

  // A program reads standard output: what is wrong has to be said there too.
  void SetJson(bool json) { json_ = json; }
  [[nodiscard]] bool json() const { return json_; }

  // Flushes. Gives `exit_code`, or kExitProblem if not everything could be written.
  int Finish(int exit_code);

 private:
  bool colour_out_, colour_error_;
  bool gone_ = false;
  bool failed_ = false;
  bool json_ = false;
};

// Writes a file whole or not at all: into a file beside it, then renamed. Gives "" or what went wrong.
std::string WriteFileAtomically(const std::string& path, std::string_view text);

}  // namespace arbiter::cli
