// The documents hold what they say: blocks of rule text are checked, commands of the tutorial are run, tables are
// complete.
//
// A block ```rules is a whole rule file. A block ```rules fragment is completed by the statements of the block
// ```rules prelude (docs/language.md) that it does not make itself; ```rules fails CODE
// is such a fragment (or a whole file, if it begins with `game`) that gives this message, ```rules faults CODE one that
// passes the checker and meets this fault within three turns. ```rules excerpt PATH stands in that file, line by line.
// A block ```rules NAME.rules is written to that file, for the commands after it; a block ```console holds lines
// `$ arbiter …` with what they print.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "session/testing.h"

namespace {

namespace fs = std::filesystem;

const fs::path kRoot = ARBITER_SOURCE_DIR;

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

std::vector<std::string> Lines(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

struct Block {
  std::string document;
  int line = 0;      // of its first line
  std::string kind;  // "rules", "rules fragment", "console"
  std::string text;
};

std::vector<Block> BlocksOf(const fs::path& document) {
  std::vector<Block> blocks;
  bool inside = false;
  int number = 0;
  for (const std::string& line : Lines(ReadFile(document))) {
    ++number;
    if (line.rfind("```", 0) != 0) {
      if (inside) blocks.back().text += line + "\n";
      continue;
    }
    if (!inside) blocks.push_back({document.lexically_relative(kRoot).string(), number + 1, line.substr(3), ""});
    inside = !inside;
  }
  return blocks;
}

std::vector<fs::path> Documents() {
  std::vector<fs::path> paths = {kRoot / "README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / "docs")) {
    if (entry.path().extension() == ".md") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::vector<Block> AllBlocks() {
  std::vector<Block> all;
  for (const fs::path& path : Documents()) {
    for (Block& block : BlocksOf(path)) all.push_back(std::move(block));
  }
  return all;
}

// ---- rule text -------------------------------------------------------------------------------------

// The statements of the prelude: a line that does not begin with a blank or a quotation begins one.
std::vector<std::string> Statements(const std::string& text) {
  std::vector<std::string> statements;
  for (const std::string& line : Lines(text)) {
    if (line.empty()) continue;
    bool begins = line[0] != ' ' && line[0] != '}' && line[0] != '"';
    if (begins || statements.empty()) statements.emplace_back();
    statements.back() += line + "\n";
  }
  return statements;
}

// "players", "use std.walks", "piece King": what a statement declares, as far as the prelude needs it.
std::string Key(const std::string& statement) {
  std::istringstream words(statement);
  std::string first, second;
  words >> first >> second;
  if (first == "replace") {
    std::string third;
    words >> third;
    return second + " " + third;
  }
  return first == "piece" || first == "use" ? first + " " + second : first;
}

// A fragment with what it does not say itself. `replace` needs something to replace.
std::string Complete(const std::string& fragment, const std::string& prelude) {
  std::set<std::string> made;
  for (const std::string& line : Lines(fragment)) {
    if (line.rfind("replace ", 0) != 0) made.insert(Key(line));
  }
  std::string text;
  for (const std::string& statement : Statements(prelude)) {
    if (!made.contains(Key(statement))) text += statement;
  }
  return text + fragment;
}

TEST(Documents, rule_text_is_sound) {
  std::string prelude;
  for (const Block& block : AllBlocks()) {
    if (block.kind == "rules prelude") prelude = block.text;
  }
  ASSERT_FALSE(prelude.empty());
  int checked = 0, examples = 0;
  for (const Block& block : AllBlocks()) {
    if (block.kind.rfind("rules", 0) != 0) continue;
    if (block.kind.rfind("rules excerpt ", 0) == 0) {
      std::string whole = ReadFile(kRoot / block.kind.substr(14));
      for (const std::string& line : Lines(block.text)) {
        EXPECT_NE(whole.find(line + "\n"), std::string::npos) << block.document << ":" << block.line << ": " << line;
      }
      continue;
    }
    bool fails = block.kind.rfind("rules fails ", 0) == 0;
    bool faults = block.kind.rfind("rules faults ", 0) == 0;
    bool fragment = block.kind == "rules fragment" || fails || faults;
    bool whole = !fragment || (fails && block.text.rfind("game ", 0) == 0);
    std::string text = whole ? block.text : Complete(block.text, prelude);
    // Paths of imports and texts are as seen from the document.
    std::string path = (kRoot / block.document).parent_path().string() + "/block.rules";
    arbiter::Checked result = arbiter::CheckText(path, text);
    if (fails) {
      const auto& problems = result.report.problems();
      std::string code = block.kind.substr(12);
      EXPECT_TRUE(std::any_of(problems.begin(), problems.end(), [&](const auto& p) { return p.code == code; }))
          << block.document << ":" << block.line << ": no " << code << "\n"
          << result.report.Text();
      continue;
    }
    EXPECT_TRUE(result.report.ok()) << block.document << ":" << block.line << "\n" << result.report.Text();
    ++checked;
    if (!result.game || faults) continue;
    for (const arbiter::session::TestCase& test : arbiter::session::RunTests(*result.game, {})) {
      for (const auto& failure : test.failures) {
        ADD_FAILURE() << block.document << ":" << block.line << ": example \"" << test.title
                      << "\": " << failure.message;
      }
      ++examples;
    }
  }
  EXPECT_GT(checked, 20);
  EXPECT_GT(examples, 5);
}

// ---- commands ----------------------------------------------------------------------------------------

struct Ran {
  std::string out;
  int status = 0;
};

// What a command line of the shell writes, run in `folder`.
Ran RunShell(const fs::path& folder, const std::string& command, bool with_errors = false) {
  std::string line = "cd '" + folder.string() + "' && " + command + (with_errors ? " 2>&1" : " 2>/dev/null");
  Ran ran;
  FILE* pipe = popen(line.c_str(), "r");
  std::array<char, 4096> buffer{};
  while (std::size_t n = fread(buffer.data(), 1, buffer.size(), pipe)) ran.out.append(buffer.data(), n);
  ran.status = pclose(pipe);
  return ran;
}

TEST(Tutorial, commands_print_what_it_says) {
  fs::path folder = fs::temp_directory_path() / ("arbiter-tutorial-" + std::to_string(std::rand()));
  fs::create_directories(folder);
  int commands = 0;
  for (const Block& block : BlocksOf(kRoot / "docs" / "tutorial.md")) {
    if (block.kind.rfind("rules ", 0) == 0 && block.kind.ends_with(".rules")) {
      std::ofstream(folder / block.kind.substr(6)) << block.text;
    }
    if (block.kind.rfind("text ", 0) == 0) {
      std::ofstream(folder / block.kind.substr(5)) << block.text;
    }
    if (block.kind != "console") continue;
    std::vector<std::string> lines = Lines(block.text);
    for (std::size_t i = 0; i < lines.size();) {
      ASSERT_EQ(lines[i].rfind("$ arbiter ", 0), 0U) << "docs/tutorial.md:" << block.line + static_cast<int>(i);
      std::string command = std::string(ARBITER_BINARY) + lines[i].substr(9);
      std::string expected;
      for (++i; i < lines.size() && lines[i].rfind("$ ", 0) != 0; ++i) expected += lines[i] + "\n";
      Ran ran = RunShell(folder, command + " </dev/null");
      EXPECT_EQ(ran.out, expected) << "docs/tutorial.md:" << block.line << "\n" << command;
      ++commands;
    }
  }
  fs::remove_all(folder);
  EXPECT_GT(commands, 5);
}

TEST(Faults, each_example_meets_its_fault) {
  std::string prelude;
  for (const Block& block : AllBlocks()) {
    if (block.kind == "rules prelude") prelude = block.text;
  }
  fs::path file = fs::temp_directory_path() / ("arbiter-fault-" + std::to_string(getpid()) + ".rules");
  int faults = 0;
  for (const Block& block : AllBlocks()) {
    if (block.kind.rfind("rules faults ", 0) != 0) continue;
    std::string code = block.kind.substr(13);
    std::ofstream(file) << Complete(block.text, prelude);
    Ran ran = RunShell(file.parent_path(), std::string(ARBITER_BINARY) + " perft '" + file.string() + "' 3", true);
    EXPECT_NE(ran.out.find("[" + code + "]"), std::string::npos) << block.document << ":" << block.line << "\n"
                                                                 << ran.out;
    EXPECT_NE(ran.status, 0) << block.document << ":" << block.line;
    ++faults;
  }
  fs::remove(file);
  EXPECT_GT(faults, 4);
}

// ---- tables and lists ----------------------------------------------------------------------------------

std::string RuleTexts() {
  std::string all;
  for (const char* folder : {"rulesets", "tests/rulesets", "stdlib"}) {
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder)) {
      if (entry.path().extension() == ".rules") all += ReadFile(entry.path()) + "\n";
    }
  }
  return all;
}

int Occurrences(const std::string& text, const std::string& name) {
  auto letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  int count = 0;
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    bool whole = (at == 0 || !letter(text[at - 1])) && !letter(text[at + name.size()]);
    if (whole) ++count;
  }
  return count;
}

TEST(Library, every_file_is_in_the_reference_and_used) {
  std::string reference = ReadFile(kRoot / "docs" / "language.md");
  std::string texts = RuleTexts();
  for (const auto& entry : fs::directory_iterator(kRoot / "stdlib")) {
    if (entry.path().extension() != ".rules") continue;
    std::string module = "std." + entry.path().stem().string();
    EXPECT_NE(reference.find("| `" + module + "` |"), std::string::npos) << module << " is missing in docs/language.md";
    EXPECT_NE(texts.find("use " + module), std::string::npos) << "nothing uses " << module;
  }
}

TEST(Library, every_definition_is_in_the_reference_and_has_a_user) {
  std::string reference = ReadFile(kRoot / "docs" / "language.md");
  reference.erase(0, reference.find("## The library"));
  std::string texts;
  for (const std::string& line : Lines(RuleTexts())) {
    texts += line.substr(0, line.find("//")) + "\n";
  }
  for (const auto& entry : fs::directory_iterator(kRoot / "stdlib")) {
    if (entry.path().extension() != ".rules") continue;
    for (const std::string& line : Lines(ReadFile(entry.path()))) {
      std::istringstream words(line);
      std::string keyword, name;
      words >> keyword >> name;
      static const std::set<std::string> kinds = {"walk", "define", "effect", "action", "class", "piece"};
      if (!kinds.contains(keyword)) continue;
      name = name.substr(0, name.find_first_of("(,"));
      EXPECT_GT(Occurrences(reference, name), 0) << "docs/language.md does not tell " << name;
      EXPECT_GT(Occurrences(texts, name), 1) << entry.path() << ": nothing uses " << name;
    }
  }
}

// The index of messages is made from the list of codes; ARBITER_REWRITE=1 writes it anew.
std::string DiagnosticsIndex() {
  std::string text =
      "# The messages of the checker\n\n"
      "Every message has a code, such as `name-unknown`, which is the same in text and JSON.\n"
      "Each code has a page here: what happened, a file that gives the message, and the file mended.\n\n";
  for (const std::string& line : Lines(ReadFile(kRoot / "interpreter" / "diagnostics" / "codes.def"))) {
    if (line.rfind("ARBITER_CODE(", 0) != 0) continue;
    std::size_t code = line.find('"') + 1, code_end = line.find('"', code);
    std::size_t phrase = line.find('"', code_end + 1) + 1, phrase_end = line.rfind('"');
    std::string name = line.substr(code, code_end - code);
    text += "- [`" + name + "`](" + name + ".md): " + line.substr(phrase, phrase_end - phrase) + "\n";
  }
  return text;
}

TEST(Diagnostics, the_index_is_current) {
  fs::path path = kRoot / "docs" / "diagnostics" / "README.md";
  std::string expected = DiagnosticsIndex();
  if (std::getenv("ARBITER_REWRITE") != nullptr) std::ofstream(path) << expected;
  EXPECT_EQ(ReadFile(path), expected);
}

TEST(Diagnostics, every_code_has_a_page) {
  for (const std::string& line : Lines(DiagnosticsIndex())) {
    std::size_t from = line.find("](");
    if (from == std::string::npos) continue;
    std::string page = line.substr(from + 2, line.find(')', from) - from - 2);
    EXPECT_TRUE(fs::exists(kRoot / "docs" / "diagnostics" / page)) << page;
  }
}

TEST(Decisions, are_all_listed) {
  std::string index = ReadFile(kRoot / "docs" / "decisions" / "README.md");
  for (const auto& entry : fs::directory_iterator(kRoot / "docs" / "decisions")) {
    std::string name = entry.path().filename().string();
    if (name == "README.md") continue;
    EXPECT_NE(index.find("(" + name + ")"), std::string::npos) << name;
  }
}

}  // namespace
