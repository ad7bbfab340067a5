// Runs the real program: arguments and standard input in; exit code, output, time and memory out.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace arbiter::cli {

struct Ran {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string out, err;
  double seconds = 0;      // wall clock
  double cpu_seconds = 0;  // user and system
  long peak_kib = 0;
};

struct RunOptions {
  std::string input;
  std::string folder;         // working folder; empty: this one
  std::string out_to;         // standard output goes to this file instead
  bool close_output = false;  // nobody reads standard output
};

inline Ran RunArbiter(const std::vector<std::string>& arguments, const RunOptions& options = {}) {
  int in[2], out[2], err[2];
  if (pipe(in) != 0 || pipe(out) != 0 || pipe(err) != 0) return {};
  auto begin = std::chrono::steady_clock::now();
  pid_t child = fork();
  if (child == 0) {
    if (!options.folder.empty() && chdir(options.folder.c_str()) != 0) _exit(127);
    int target = options.out_to.empty() ? out[1] : open(options.out_to.c_str(), O_WRONLY);
    if (target < 0) _exit(127);
    if (options.close_output) close(out[0]);
    dup2(in[0], 0);
    dup2(target, 1);
    dup2(err[1], 2);
    for (int* p : {in, out, err}) {
      close(p[0]);
      close(p[1]);
    }
    std::vector<char*> argv;
    std::string program = ARBITER_BINARY;
    argv.push_back(program.data());
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  close(in[0]);
  close(out[1]);
  close(err[1]);
  std::signal(SIGPIPE, SIG_IGN);
  if (options.close_output) close(out[0]);
  // Inputs are small: they fit into the pipe.
  if (write(in[1], options.input.data(), options.input.size()) < 0) options.input.size();
  close(in[1]);

  Ran ran;
  pollfd polls[2] = {{options.close_output ? -1 : out[0], POLLIN, 0}, {err[0], POLLIN, 0}};
  std::string* texts[2] = {&ran.out, &ran.err};
  while (polls[0].fd >= 0 || polls[1].fd >= 0) {
    if (poll(polls, 2, -1) < 0) break;
    for (int i = 0; i < 2; ++i) {
      if (polls[i].fd < 0 || polls[i].revents == 0) continue;
      char buffer[65536];
      ssize_t count = read(polls[i].fd, buffer, sizeof buffer);
      if (count > 0) {
        texts[i]->append(buffer, static_cast<std::size_t>(count));
      } else {
        close(polls[i].fd);
        polls[i].fd = -1;
      }
    }
  }
  int status = 0;
  rusage usage{};
  wait4(child, &status, 0, &usage);
  ran.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ran.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  ran.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6; };
  ran.cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  ran.peak_kib = usage.ru_maxrss;
  return ran;
}

// A folder of its own, removed at the end.
class Folder {
 public:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "arbiter-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~Folder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] std::string path() const { return path_.string(); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return (path_ / name).string();
  }
  [[nodiscard]] std::string Read(const std::string& name) const {
    std::ifstream in(path_ / name, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
  }

 private:
  std::filesystem::path path_;
};

inline std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

}  // namespace arbiter::cli
