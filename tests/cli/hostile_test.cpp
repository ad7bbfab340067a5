// Hostile rule files: a diagnostic within two seconds and 500 MB, never a crash.
#include <gtest/gtest.h>

#include <functional>

#include "run.h"

namespace arbiter::cli {
namespace {

void ExpectDiagnostic(const std::string& file, const std::string& part, const std::string& label) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"check", file}, {"moves", file}, {"fmt", "--stdout", file}, {"test", file}}) {
    if (arguments.front() == "fmt" && part == "import-cycle") continue;  // it reads one file only
    Ran ran = RunArbiter(arguments);
    std::string where = label + ": " + arguments.front() + "\n" + (ran.out + ran.err).substr(0, 2000);
    EXPECT_EQ(ran.exit_code, 1) << where;
    EXPECT_NE((ran.out + ran.err).find("error["), std::string::npos) << where;
    EXPECT_NE((ran.out + ran.err).find(part), std::string::npos) << where;
    EXPECT_LT(ran.cpu_seconds, 2.0) << where;
    EXPECT_LT(ran.out.size() + ran.err.size(), 200000U) << label;
#if !defined(__SANITIZE_ADDRESS__)
    EXPECT_LT(ran.peak_kib, 500 * 1024) << where;
#endif
  }
}

std::string Repeat(const std::string& text, std::size_t times) {
  std::string all;
  all.reserve(text.size() * times);
  for (std::size_t i = 0; i < times; ++i) all += text;
  return all;
}

const std::string kHead = "game \"x\"\nplayers White, Black\nboard { squares 3 x 3 }\n";

TEST(Hostile, malformed_utf8) {
  Folder folder;
  ExpectDiagnostic(folder.Write("a.rules", kHead + "piece Man \"\xff\xfe\" { move n }\n"), "syntax-encoding", "bytes");
  ExpectDiagnostic(folder.Write("b.rules", kHead + "// \xc3"), "syntax-encoding", "cut short");
  ExpectDiagnostic(folder.Write("c.rules", kHead + "// \xc0\x80"), "syntax-encoding", "overlong");
  ExpectDiagnostic(folder.Write("d.rules", kHead + "// \xed\xa0\x80"), "syntax-encoding", "surrogate");
  ExpectDiagnostic(folder.Write("e.rules", std::string("\xff\xfeg\0a\0m\0e\0", 10)), "error[", "UTF-16");
}

TEST(Hostile, ten_megabytes) {
  Folder folder;
  ExpectDiagnostic(folder.Write("big.rules", kHead + Repeat("// nothing to see here, nothing at all\n", 256 * 1024)),
                   "limit-size", "comments");
  ExpectDiagnostic(folder.Write("zeros.rules", std::string(10 << 20, '\0')), "error[", "zeros");
}

TEST(Hostile, a_folder) {
  Folder folder;
  std::filesystem::create_directories(folder.path() + "/folder.rules");
  ExpectDiagnostic(folder.path() + "/folder.rules", "folder.rules", "folder");
}

TEST(Hostile, deep_nesting) {
  Folder folder;
  const std::size_t kDeep = 100000;
  ExpectDiagnostic(folder.Write("a.rules", kHead + "walk w = " + Repeat("(", kDeep) + "n" + Repeat(")", kDeep)),
                   "limit-nesting", "parentheses");
  ExpectDiagnostic(folder.Write("b.rules", kHead + "walk w = " + Repeat("(", kDeep)), "error[", "never closed");
  ExpectDiagnostic(folder.Write("c.rules", kHead + Repeat("board { ", kDeep)), "error[", "braces");
  ExpectDiagnostic(folder.Write("d.rules", kHead + "define d = " + Repeat("not ", kDeep) + "true"), "error[", "not");
  ExpectDiagnostic(folder.Write("e.rules", kHead + "define d = " + Repeat("if true then ", kDeep) + "true"), "error[",
                   "if");
  ExpectDiagnostic(folder.Write("f.rules", kHead + "walk w = n" + Repeat("?", kDeep)), "error[", "repeats");
}

TEST(Hostile, import_cycles) {
  Folder folder;
  folder.Write("b.rules", "extends \"a.rules\"\n");
  ExpectDiagnostic(folder.Write("a.rules", "extends \"b.rules\"\ngame \"a\"\n"), "import-cycle", "two files");
  ExpectDiagnostic(folder.Write("self.rules", "extends \"self.rules\"\n"), "import-cycle", "itself");
}

TEST(Hostile, nothing_and_nonsense) {
  Folder folder;
  ExpectDiagnostic(folder.Write("nul.rules", kHead + std::string("piece \0 \"M\"", 11)), "error[", "NUL");
  ExpectDiagnostic(folder.Write("quote.rules", kHead + "setup \"\"\"\n m m m\n"), "error[", "open diagram");
  ExpectDiagnostic(folder.Write("words.rules", Repeat("piece piece { } ] ) walk = = \"", 2000)), "error[", "words");
}

// Definitions that double at every step would have 2^60 nodes.
TEST(Hostile, exponential_definitions) {
  Folder folder;
  std::string text = kHead + "define d0 = true\n";
  for (int i = 1; i <= 60; ++i) {
    std::string last = "d" + std::to_string(i - 1);
    text += "define d" + std::to_string(i) + " = " + last + " and not " + last + "\n";
  }
  text += "piece Man \"M\" { move n }\nsetup to move White \"\"\"\n . . .\n . . .\n . M .\n\"\"\"\ndraw when d60\n";
  Ran ran = RunArbiter({"check", folder.Write("wide.rules", text)});
  EXPECT_EQ(ran.signal, 0);
  EXPECT_LT(ran.cpu_seconds, 2.0);
  EXPECT_TRUE(ran.exit_code == 0 || ran.exit_code == 1);
}

TEST(Hostile, saved_games_and_positions) {
  Folder folder;
  std::string game = folder.Write("bad.game", std::string("ruleset chess\n1. ") + Repeat("e2-e4 ", 50000));
  Ran ran = RunArbiter({"play", "--resume", game});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  EXPECT_LT(ran.cpu_seconds, 2.0);
  EXPECT_EQ(RunArbiter({"play", "--resume", folder.Write("bytes.game", "\xff\xfe\x01")}).exit_code, 1);
  EXPECT_EQ(RunArbiter({"play", "--resume", folder.path()}).exit_code, 1);
  for (const std::string& position :
       {std::string("w"), std::string("/"), Repeat("9", 60000) + " w", Repeat("/", 60000) + " w",
        std::string("8/8/8/8/8/8/8/8 w ep=z9"), std::string("8/8/8/8/8/8/8/8 w =="), std::string("\xff w"),
        std::string("99999999999999999999 w")}) {
    ran = RunArbiter({"moves", "chess", "--position", position});
    EXPECT_EQ(ran.exit_code, 2) << position.substr(0, 80) << ran.out.substr(0, 200);
    EXPECT_LT(ran.cpu_seconds, 2.0);
  }
}

}  // namespace
}  // namespace arbiter::cli
