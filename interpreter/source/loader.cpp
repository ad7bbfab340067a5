#include "source/loader.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace arbiter::source {

namespace {

// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

LoadResult Failed(LoadResult::Problem problem) { return {problem, {}}; }

}  // namespace

LoadResult FileLoader::Read(const std::string& path) const {
  using Problem = LoadResult::Problem;
  if (path.find('\0') != std::string::npos) return Failed(Problem::kMissing);
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.get() < 0) {
    bool missing = errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG;
    return Failed(missing ? Problem::kMissing : Problem::kUnreadable);
  }
  struct stat about {};
  if (::fstat(file.get(), &about) != 0) return Failed(Problem::kUnreadable);
  if (S_ISDIR(about.st_mode)) return Failed(Problem::kDirectory);
  if (!S_ISREG(about.st_mode)) return Failed(Problem::kUnreadable);
  if (static_cast<unsigned long long>(about.st_size) > kMaxTextBytes) return Failed(Problem::kTooLarge);
  // Files in /proc say they are empty, and a file may grow while it is read: the size above is only a
  // hint, the budget below is what holds.
  LoadResult result;
  char buffer[16384];
  for (;;) {
    ssize_t count = ::read(file.get(), buffer, sizeof buffer);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return Failed(Problem::kUnreadable);
    if (count == 0) return result;
    if (result.text.size() + static_cast<std::size_t>(count) > kMaxTextBytes) return Failed(Problem::kTooLarge);
    result.text.append(buffer, static_cast<std::size_t>(count));
  }
}

LoadResult MemoryLoader::Read(const std::string& path) const {
  for (const auto& [known, text] : files_) {
    if (known != path) continue;
    if (text.size() > kMaxTextBytes) return Failed(LoadResult::Problem::kTooLarge);
    return {LoadResult::Problem::kNone, text};
  }
  return Failed(LoadResult::Problem::kMissing);
}

std::optional<std::string_view> FindEmbedded(std::string_view path) {
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    if (file.path == path) return file.text;
  }
  return std::nullopt;
}

std::string BesidePath(const std::string& file, const std::string& relative) {
  bool from_root = !relative.empty() && relative.front() == '/';
  std::string_view rest = relative;
  std::vector<std::string> parts;
  bool absolute = from_root || (!file.empty() && file.front() == '/');
  auto add = [&](std::string_view part) {
    if (part.empty() || part == ".") return;
    if (part == ".." && !parts.empty() && parts.back() != "..") {
      parts.pop_back();
    } else if (part != ".." || !absolute) {
      parts.emplace_back(part);
    }
  };
  auto add_all = [&](std::string_view path) {
    while (!path.empty()) {
      std::size_t slash = path.find('/');
      add(path.substr(0, slash));
      if (slash == std::string_view::npos) break;
      path.remove_prefix(slash + 1);
    }
  };
  if (!from_root) {
    std::size_t slash = file.rfind('/');
    if (slash != std::string::npos) add_all(std::string_view(file).substr(0, slash));
  }
  add_all(rest);
  std::string joined = absolute ? "/" : "";
  for (std::size_t i = 0; i < parts.size(); ++i) joined += (i > 0 ? "/" : "") + parts[i];
  return joined;
}

}  // namespace arbiter::source
