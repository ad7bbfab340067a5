// Holds the source tree to docs/architecture.md: who may include whom, what may stand where.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace arbiter {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ARBITER_SOURCE_DIR;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<fs::path> FilesUnder(const fs::path& folder, const std::set<std::string>& extensions) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file() && extensions.count(entry.path().extension().string()) > 0) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string Relative(const fs::path& path) { return fs::relative(path, kRoot).generic_string(); }

// Code without comments; line breaks stay. String literals stay unless `strings` is false.
std::string WithoutComments(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    if (text.compare(i, 2, "//") == 0) {
      while (i < text.size() && text[i] != '\n') ++i;
    } else if (text.compare(i, 2, "/*") == 0) {
      std::size_t stop = text.find("*/", i + 2);
      stop = stop == std::string::npos ? text.size() : stop + 2;
      code += std::string(static_cast<std::size_t>(std::count(text.begin() + static_cast<long>(i),
                                                              text.begin() + static_cast<long>(stop), '\n')),
                          '\n');
      i = stop;
    } else if (text[i] == '"' ||
               (text[i] == '\'' && (i == 0 || std::isalnum(static_cast<unsigned char>(text[i - 1])) == 0))) {
      char quote = text[i];
      code += text[i++];
      while (i < text.size() && text[i] != quote && text[i] != '\n') {
        if (text[i] == '\\' && i + 1 < text.size()) code += text[i++];
        code += text[i++];
      }
      if (i < text.size()) code += text[i++];
    } else {
      code += text[i++];
    }
  }
  return code;
}

struct Include {
  int line = 0;
  bool quoted = false;
  std::string path;
};

std::vector<Include> IncludesOf(const fs::path& file) {
  static const std::regex kInclude(R"(^\s*#\s*include\s*([<"])([^>"]+)[>"])");
  std::vector<Include> includes;
  std::istringstream lines(ReadFile(file));
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) includes.push_back({number, match[1] == "\"", match[2]});
  }
  return includes;
}

// room -> the rooms it may use, as interpreter/CMakeLists.txt says.
std::map<std::string, std::set<std::string>> Rooms() {
  static const std::regex kRoom(R"(arbiter_room\((\w+)([^)]*)\))");
  std::map<std::string, std::set<std::string>> rooms;
  std::string text = ReadFile(kRoot / "interpreter/CMakeLists.txt");
  for (std::sregex_iterator it(text.begin(), text.end(), kRoom), end; it != end; ++it) {
    std::string name = (*it)[1];
    if (name == "name") continue;  // the definition of the function itself
    std::set<std::string>& uses = rooms[name];
    uses = {name, "base", "source", "diagnostics"};
    std::istringstream words((*it)[2]);
    bool in_uses = false;
    for (std::string word; words >> word;) {
      if (word == "USES" || word == "LINKS") {
        in_uses = word == "USES";
      } else if (in_uses) {
        uses.insert(word);
      }
    }
  }
  return rooms;
}

TEST(Architecture, rooms_are_declared_once_and_use_only_rooms_before_them) {
  std::string text = ReadFile(kRoot / "interpreter/CMakeLists.txt");
  auto rooms = Rooms();
  ASSERT_GT(rooms.size(), 15U);
  for (const auto& [room, uses] : rooms) {
    std::size_t at = text.find("\narbiter_room(" + room);
    ASSERT_NE(at, std::string::npos) << room;
    for (const std::string& used : uses) {
      if (used == room) continue;
      ASSERT_TRUE(rooms.count(used) > 0) << room << " uses the unknown room " << used;
      if (used == "base" || used == "source" || used == "diagnostics") continue;
      EXPECT_LT(text.find("\narbiter_room(" + used), at) << room << " uses " << used << ", which comes later";
    }
  }
}

TEST(Architecture, every_folder_is_a_room) {
  auto rooms = Rooms();
  for (const auto& entry : fs::directory_iterator(kRoot / "interpreter")) {
    if (!entry.is_directory() || entry.path().filename() == "include") continue;
    EXPECT_TRUE(rooms.count(entry.path().filename().string()) > 0) << entry.path() << " is no room of CMakeLists.txt";
  }
}

TEST(Architecture, a_room_includes_only_the_rooms_it_may_use) {
  auto rooms = Rooms();
  int seen = 0;
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".h", ".cpp", ".def"})) {
    std::string relative = fs::relative(file, kRoot / "interpreter").generic_string();
    std::string room = relative.substr(0, relative.find('/'));
    bool main = relative == "main.cpp";
    bool face = room == "include";
    if (!main && !face) {
      ASSERT_TRUE(rooms.count(room) > 0) << relative;
    }
    for (const Include& include : IncludesOf(file)) {
      if (!include.quoted) continue;
      ++seen;
      std::string other = include.path.substr(0, include.path.find('/'));
      std::string where = fmt::format("{}:{} includes {}", Relative(file), include.line, include.path);
      if (main) {
        EXPECT_EQ(other, "cli") << where;
      } else if (face) {
        ADD_FAILURE() << where << ": the public face stands alone";
      } else if (other == "arbiter") {
        EXPECT_TRUE(room == "session" || rooms[room].count("session") > 0) << where;
      } else if (include.path.find('/') == std::string::npos) {
        EXPECT_EQ(room, "parse") << where << ": write the room";  // the generated parser
      } else {
        EXPECT_TRUE(rooms[room].count(other) > 0) << where << ", but " << room << " does not use " << other;
      }
    }
  }
  EXPECT_GT(seen, 100);
}

TEST(Architecture, libraries_stay_in_their_rooms) {
  const std::map<std::string, std::set<std::string>> allowed = {
      {"antlr4", {"parse"}},      {"CLI/", {"cli"}},   {"nlohmann/", {"cli", "diagnostics"}},
      {"boost/graph", {"board"}}, {"iostream", {}},    {"filesystem", {"cli", "source"}},
      {"fstream", {"source"}},    {"chrono", {"cli"}},
  };
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".h", ".cpp"})) {
    std::string relative = fs::relative(file, kRoot / "interpreter").generic_string();
    std::string room = relative.substr(0, relative.find('/'));
    for (const Include& include : IncludesOf(file)) {
      for (const auto& [prefix, rooms] : allowed) {
        if (include.path.rfind(prefix, 0) != 0) continue;
        EXPECT_TRUE(rooms.count(room) > 0) << Relative(file) << ":" << include.line << " includes " << include.path;
      }
    }
  }
}

TEST(Architecture, the_command_line_library_is_compiled_once) {
  int units = 0;
  for (const fs::path& file : FilesUnder(kRoot / "interpreter/cli", {".h", ".cpp"})) {
    for (const Include& include : IncludesOf(file)) {
      if (include.path.rfind("CLI/", 0) != 0) continue;
      EXPECT_EQ(file.extension(), ".cpp") << Relative(file);
      ++units;
    }
  }
  EXPECT_EQ(units, 1);
}

TEST(Architecture, nothing_but_cli_prints) {
  static const std::regex kPrinting(R"(\b(printf|puts|putchar|fputs|cout|cerr|fmt::print)\s*\(?)");
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".h", ".cpp"})) {
    std::string relative = fs::relative(file, kRoot / "interpreter").generic_string();
    if (relative.rfind("cli/", 0) == 0 || relative == "base/check.cpp") continue;
    std::istringstream lines(WithoutComments(ReadFile(file)));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      if (line.rfind("#include", 0) == 0) continue;
      EXPECT_FALSE(std::regex_search(line, kPrinting)) << Relative(file) << ":" << number << ": " << line;
    }
  }
}

// Words inside identifiers count too: `kPawnRow`, `pawn_row`.
std::vector<std::string> WordsOf(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  auto flush = [&] {
    if (!word.empty()) words.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < line.size(); ++i) {
    auto c = static_cast<unsigned char>(line[i]);
    if (std::isalpha(c) == 0) {
      flush();
      continue;
    }
    bool begins = std::isupper(c) != 0 && i > 0 && std::islower(static_cast<unsigned char>(line[i - 1])) != 0;
    if (begins) flush();
    word += static_cast<char>(std::tolower(c));
  }
  flush();
  return words;
}

// Help for authors may quote rule text: "as in `piece Tower \"T\"`".
std::string WithoutQuotedRules(const std::string& line) {
  std::string rest;
  bool quoted = false;
  for (char c : line) {
    if (c == '`') quoted = !quoted;
    if (!quoted) rest += c;
  }
  return quoted ? line : rest;
}

TEST(Architecture, no_game_word_stands_in_the_interpreter) {
  const std::set<std::string> words = {
      "king",  "queen",  "rook",      "bishop",    "knight",     "pawn",       "castle",       "castling", "castles",
      "mate",  "mated",  "checkmate", "stalemate", "passant",    "chess",      "goal",         "goals",    "ball",
      "balls", "keeper", "kick",      "fide",      "rollerball", "gravitatur", "shakhbol",     "football", "volleyball",
      "kings", "queens", "rooks",     "bishops",   "knights",    "pawns",      "promoted_pawn"};
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".h", ".cpp", ".def", ".cmake"})) {
    std::istringstream lines(WithoutComments(ReadFile(file)));
    int number = 0;
    for (std::string line; std::getline(lines, line);) {
      ++number;
      for (const std::string& word : WordsOf(WithoutQuotedRules(line))) {
        EXPECT_TRUE(words.count(word) == 0) << Relative(file) << ":" << number << " says `" << word << "`: " << line;
      }
    }
  }
}

TEST(Architecture, every_header_begins_with_what_it_is) {
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".h", ".def"})) {
    std::string text = ReadFile(file);
    EXPECT_EQ(text.rfind("// ", 0), 0U) << Relative(file) << " has no head";
    if (file.extension() == ".h") {
      EXPECT_NE(text.find("#pragma once"), std::string::npos) << Relative(file);
    }
  }
}

TEST(Architecture, every_unit_begins_with_its_header_or_with_what_it_is) {
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".cpp"})) {
    std::string text = ReadFile(file);
    bool head = text.rfind("// ", 0) == 0;
    bool own_header = text.rfind("#include \"", 0) == 0;
    EXPECT_TRUE(head || own_header) << Relative(file);
  }
}

TEST(Architecture, generated_code_is_not_committed) {
  // Under version control: what git lists. Elsewhere (an unpacked archive) everything but build folders.
  for (const auto& entry : fs::directory_iterator(kRoot)) {
    std::string top = entry.path().filename().string();
    if (!entry.is_directory() || top.rfind("build", 0) == 0 || top == ".git") continue;
    for (const fs::path& file : FilesUnder(entry.path(), {".h", ".cpp", ".interp", ".tokens", ".java"})) {
      std::string text = ReadFile(file).substr(0, 400);
      EXPECT_EQ(text.find(std::string("Generated from ") + "/"), std::string::npos) << Relative(file);
      EXPECT_EQ(text.find(std::string("// Generated ") + "from"), std::string::npos) << Relative(file);
      EXPECT_TRUE(file.extension() != ".interp" && file.extension() != ".tokens") << Relative(file);
    }
  }
}

TEST(Architecture, files_stay_readable_in_length) {
  for (const fs::path& file : FilesUnder(kRoot / "interpreter", {".h", ".cpp"})) {
    std::string text = ReadFile(file);
    auto lines = std::count(text.begin(), text.end(), '\n');
    EXPECT_LE(lines, 1000) << Relative(file) << " is too long: split it";
  }
}

}  // namespace
}  // namespace arbiter
