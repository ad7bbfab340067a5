#include "fuzz/shrink.h"

#include <algorithm>
#include <sstream>
#include <vector>

namespace arbiter::fuzz {
namespace {

using Lines = std::vector<std::string>;

Lines Split(const std::string& text) {
  Lines lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}
std::string Join(const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

int Balance(const std::string& line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{')) -
         static_cast<int>(std::count(line.begin(), line.end(), '}'));
}
bool HasQuotes(const std::string& line) { return line.find("\"\"\"") != std::string::npos; }

class Shrinker {
 public:
  Shrinker(const std::string& text, const std::function<bool(const std::string&)>& shows, int most)
      : lines_(Split(text)), shows_(shows), left_(most) {}

  std::string Run() {
    for (bool shorter = true; shorter && left_ > 0;) {
      const bool dropped = DropChunks(), cut = CutLines(), cleared = ClearDiagrams();
      shorter = dropped || cut || cleared;
    }
    return Join(lines_);
  }

 private:
  Lines lines_;
  const std::function<bool(const std::string&)>& shows_;
  int left_;

  bool Try(Lines lines) {
    if (left_-- <= 0 || !shows_(Join(lines))) return false;
    lines_ = std::move(lines);
    return true;
  }

  // The line behind the declaration that begins here.
  [[nodiscard]] std::size_t ChunkEnd(std::size_t at) const {
    std::size_t end = at + 1;
    if (HasQuotes(lines_[at])) {
      while (end < lines_.size() && !HasQuotes(lines_[end])) ++end;
      return std::min(end + 1, lines_.size());
    }
    for (int open = Balance(lines_[at]); open > 0 && end < lines_.size(); ++end) open += Balance(lines_[end]);
    return end;
  }

  bool DropChunks() {
    bool any = false;
    for (std::size_t at = lines_.size(); at-- > 0;) {
      if (at >= lines_.size() || Balance(lines_[at]) < 0) continue;
      Lines fewer = lines_;
      fewer.erase(fewer.begin() + static_cast<long>(at), fewer.begin() + static_cast<long>(ChunkEnd(at)));
      any |= Try(std::move(fewer));
    }
    return any;
  }

  // Pieces of a line that may be left out: from each of these words on up to the next of them, or a bracket's content.
  bool CutLines() {
    bool any = false;
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      for (const char* word : {" if ", " do ", " from ", " to ", " without ", " wrap ", " then ", " | ", " or ",
                               " and ", " else ", " else pass", " may stay", " optional", ", "}) {
        for (std::size_t found = lines_[at].find(word); found != std::string::npos;
             found = lines_[at].find(word, found + 1)) {
          if (CutAt(at, found)) any = true;
          if (found >= lines_[at].size()) break;
        }
      }
    }
    return any;
  }
  // Tries to leave out what begins at `from`, up to some later blank or bracket: the longest first.
  bool CutAt(std::size_t at, std::size_t from) {
    const std::string line = lines_[at];
    for (std::size_t to = line.size(); to > from; --to) {
      if (to < line.size() && line[to] != ' ' && line[to] != ')' && line[to] != '}') continue;
      const std::string gone = line.substr(from, to - from);
      if (Balance(gone) != 0 ||
          std::count(gone.begin(), gone.end(), '(') != std::count(gone.begin(), gone.end(), ')')) {
        continue;
      }
      Lines fewer = lines_;
      fewer[at] = line.substr(0, from) + line.substr(to);
      if (Try(std::move(fewer))) return true;
    }
    return false;
  }

  bool ClearDiagrams() {
    bool any = false, inside = false;
    for (std::size_t at = 0; at < lines_.size(); ++at) {
      if (HasQuotes(lines_[at])) inside = !inside;
      if (!inside || HasQuotes(lines_[at])) continue;
      for (std::size_t i = 0; i < lines_[at].size(); ++i) {
        if (std::isalpha(static_cast<unsigned char>(lines_[at][i])) == 0) continue;
        Lines fewer = lines_;
        fewer[at][i] = '.';
        any |= Try(std::move(fewer));
      }
    }
    return any;
  }
};

}  // namespace

std::string Shrink(const std::string& text, const std::function<bool(const std::string&)>& shows, int most) {
  return Shrinker(text, shows, most).Run();
}

}  // namespace arbiter::fuzz
