#include "cli/output.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

namespace arbiter::cli {

namespace {

bool WantsColour(int descriptor) {
  const char* none = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (none != nullptr && *none != '\0') return false;
  if (terminal != nullptr && std::strcmp(terminal, "dumb") == 0) return false;
  return isatty(descriptor) == 1;
}

}  // namespace

Output::Output(bool no_colour)
    : colour_out_(!no_colour && WantsColour(STDOUT_FILENO)), colour_error_(!no_colour && WantsColour(STDERR_FILENO)) {}

void Output::Print(std::string_view text) {
  if (gone_ || failed_) return;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) (errno == EPIPE ? gone_ : failed_) = true;
}

void Output::Error(std::string_view text) {
  Flush();  // what was said before stands before
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void Output::Flush() {
  if (gone_ || failed_) return;
  if (std::fflush(stdout) != 0) (errno == EPIPE ? gone_ : failed_) = true;
}

int Output::Finish(int exit_code) {
  Flush();
  if (!failed_) return exit_code;
  std::fputs("arbiter: not everything could be written to standard output\n", stderr);
  return kExitProblem;
}

namespace {

std::string CannotWrite(const std::string& path, int code) {
  return fmt::format("`{}` cannot be written: {}", path, std::strerror(code));
}

bool WriteAll(int descriptor, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    ssize_t written = write(descriptor, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return true;
}

// A device or a pipe is written to as it is: there is nothing to replace.
std::string WriteStraight(const std::string& path, std::string_view text) {
  int descriptor = open(path.c_str(), O_WRONLY);
  if (descriptor < 0) return CannotWrite(path, errno);
  int code = WriteAll(descriptor, text) ? 0 : errno;
  if (close(descriptor) != 0 && code == 0) code = errno;
  return code == 0 ? std::string() : CannotWrite(path, code);
}

}  // namespace

std::string WriteFileAtomically(const std::string& path, std::string_view text) {
  namespace fs = std::filesystem;
  struct stat old {};
  bool exists = stat(path.c_str(), &old) == 0;
  if (exists && !S_ISREG(old.st_mode)) return WriteStraight(path, text);
  std::error_code error;
  fs::path target = fs::exists(path, error) ? fs::canonical(path, error) : fs::path(path);
  if (error) target = path;
  // A link to a file that does not exist yet stays a link.
  if (!exists && fs::is_symlink(fs::symlink_status(path, error))) {
    target = fs::path(path).parent_path() / fs::read_symlink(path, error);
  }
  std::string temporary = target.string() + ".XXXXXX";
  int descriptor = mkstemp(temporary.data());
  if (descriptor < 0) return CannotWrite(path, errno);
  auto fail = [&](int code) {
    close(descriptor);
    unlink(temporary.c_str());
    return CannotWrite(path, code);
  };
  mode_t mode = 0644;
  if (exists) {
    mode = old.st_mode & 07777U;
  } else {
    mode_t mask = umask(0);
    umask(mask);
    mode = 0666U & ~mask;
  }
  if (!WriteAll(descriptor, text)) return fail(errno);
  if (fchmod(descriptor, mode) != 0 || fsync(descriptor) != 0) return fail(errno);
  if (rename(temporary.c_str(), target.c_str()) != 0) return fail(errno);
  close(descriptor);
  return {};
}

}  // namespace arbiter::cli
