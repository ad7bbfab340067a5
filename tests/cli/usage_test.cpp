// How the program speaks: help, wrong usage, exit codes, what it does when nobody reads it.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "run.h"

namespace arbiter::cli {
namespace {

const std::vector<std::string> kCommands = {"check", "fmt",     "test", "text",  "moves",   "perft", "show",
                                            "graph", "program", "play", "rules", "library", "bench"};

TEST(Usage, help_names_every_command_and_shows_examples) {
  Ran help = RunArbiter({"--help"});
  EXPECT_EQ(help.exit_code, 0);
  EXPECT_TRUE(help.err.empty());
  for (const std::string& command : kCommands) {
    EXPECT_NE(help.out.find("\n  " + command), std::string::npos) << command;
    Ran own = RunArbiter({command, "--help"});
    EXPECT_EQ(own.exit_code, 0) << command;
    EXPECT_NE(own.out.find("Examples:\n  arbiter " + command), std::string::npos) << own.out;
    EXPECT_EQ(RunArbiter({"help", command}).out, own.out) << command;
  }
}

TEST(Usage, nothing_to_do_is_wrong_usage) {
  Ran ran = RunArbiter({});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_TRUE(ran.out.empty());
  EXPECT_NE(ran.err.find("arbiter check"), std::string::npos);
}

TEST(Usage, version) { EXPECT_EQ(RunArbiter({"--version"}).out.rfind("arbiter ", 0), 0U); }

struct Wrong {
  std::vector<std::string> arguments;
  std::string says;
};

TEST(Usage, wrong_usage_says_what_is_near) {
  const std::vector<Wrong> cases = {
      {{"chek", "chess"}, "did you mean `check`?"},
      {{"zzz"}, "arbiter --help"},
      {{"moves", "ches"}, "did you mean `chess`?"},
      {{"moves", "xyzzy"}, "arbiter rules"},
      {{"moves", "chess", "--uic"}, "did you mean `--uci`?"},
      {{"moves"}, "ruleset"},
      {{"moves", "chess", "--option", "x"}, "NAME=VALUE"},
      {{"moves", "chess", "--of", "z9"}, "no cell `z9`"},
      {{"moves", "chess", "--position", "nonsense w"}, "^"},
      {{"moves", "chess", "--setup", "nowhere"}, "no set-up named"},
      {{"moves", "chess", "--example", "no such title"}, "no example titled"},
      {{"moves", "chess", "--after", "e2-e4 e2-e4"}, "e2-e4"},
      {{"moves", "chess", "--after", "f2-f3 e7-e5 g2-g4 d8-h4 a2-a3"}, "a2-a3"},
      {{"moves", "chess", "--format", "xml"}, "format"},
      {{"perft", "chess"}, "depth"},
      {{"perft", "chess", "many"}, "depth"},
      {{"perft", "chess", "-1"}, "arbiter perft --help"},
      {{"perft", "chess", "2", "--threads", "0"}, "--threads"},
      {{"perft", "chess", "2", "--threads", "257"}, "--threads"},
      {{"perft", "chess", "2", "--threads", "two"}, "--threads"},
      {{"perft", "chess", "2", "--threads", "2", "--evaluator", "oracle"}, "--threads"},
      {{"bench"}, "ruleset"},
      {{"bench", "chess", "--seconds", "0"}, "--seconds"},
      {{"bench", "chess", "--threads", "1000"}, "--threads"},
      {{"bench", "chess", "--after", "e2-e5"}, "e2-e5"},
      {{"graph", "chess", "bord"}, "board"},
      {{"graph", "chess", "walk"}, "name of a walk"},
      {{"graph", "chess", "walk", "flies"}, "no walk named `flies`"},
      {{"play"}, "needs a ruleset"},
      {{"play", "chess", "--whit", "random"}, "White, Black"},
      {{"play", "chess", "--white", "somebody"}, "`somebody`"},
      {{"play", "chess", "extra", "words"}, "one word too many"},
      {{"play", "chess", "--resume", "x.game", "--setup", "y"}, "resumed game"},
      {{"check", ""}, "empty"},
      {{"moves", "chess", "--position", ""}, "empty"},
      {{"library", "std.walk"}, "did you mean `std.walks`?"},
      {{"fmt", "chess"}, "--stdout"},
      {{"test", "chess", "--table"}, "--soak"},
      {{"test", "chess", "--soak", "0"}, "--soak"},
      {{"text", "chess", "--soak", "0"}, "--soak"},
      {{"text", "chess", "--soak", "many"}, "--soak"},
      {{"text", "chess", "--seed", "3"}, "--soak"},
      {{"text", "chess", "--max-turns", "3"}, "--soak"},
      {{"text", "chess", "--soka", "3"}, "did you mean `--soak`?"},
      {{"test", "chess", "--soak", "ten"}, "--soak"},
  };
  for (const Wrong& wrong : cases) {
    Ran ran = RunArbiter(wrong.arguments);
    std::string line;
    for (const std::string& a : wrong.arguments) line += a + " ";
    EXPECT_EQ(ran.exit_code, 2) << line << ran.err;
    EXPECT_NE(ran.err.find(wrong.says), std::string::npos) << line << ran.err;
    EXPECT_EQ(ran.err.rfind("arbiter: ", 0), 0U) << line << ran.err;
    EXPECT_TRUE(ran.out.empty()) << line << ran.out;
  }
}

TEST(Usage, programs_get_errors_as_json) {
  Ran ran = RunArbiter({"moves", "chess", "--format", "json", "--position", "nonsense w"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_EQ(ran.out.rfind("{\n  \"ok\": false,\n  \"error\": ", 0), 0U) << ran.out;
}

TEST(Usage, the_library_can_be_read) {
  Ran list = RunArbiter({"library"});
  EXPECT_NE(list.out.find("std.walks"), std::string::npos);
  EXPECT_NE(RunArbiter({"library", "std.walks"}).out.find("walk slide(d)"), std::string::npos);
}

TEST(Usage, works_from_any_folder) {
  Folder folder;
  EXPECT_EQ(RunArbiter({"check", "chess"}, {{}, folder.path(), {}, false}).exit_code, 0);
  EXPECT_EQ(RunArbiter({"text", "chess"}, {{}, folder.path(), {}, false}).exit_code, 0);
  EXPECT_EQ(RunArbiter({"moves", "rollerball", "--uci"}, {{}, "/", {}, false}).exit_code, 0);
}

TEST(Usage, a_file_named_like_a_ruleset_needs_a_path) {
  Folder folder;
  folder.Write("chess", "not a rule file");
  EXPECT_EQ(RunArbiter({"check", "chess"}, {{}, folder.path(), {}, false}).exit_code, 0);
  EXPECT_EQ(RunArbiter({"check", "./chess"}, {{}, folder.path(), {}, false}).exit_code, 1);
}

TEST(Usage, a_reader_that_goes_away_is_no_problem) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"moves", "chess"}, {"perft", "chess", "3"}, {"program", "chess"}, {"text", "chess"}}) {
    RunOptions options;
    options.close_output = true;
    Ran ran = RunArbiter(arguments, options);
    EXPECT_EQ(ran.signal, 0) << arguments.front();
    EXPECT_EQ(ran.exit_code, 0) << arguments.front() << ran.err;
  }
}

TEST(Usage, a_full_disk_is_a_problem) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP();
  RunOptions options;
  options.out_to = "/dev/full";
  Ran ran = RunArbiter({"moves", "chess"}, options);
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_NE(ran.err.find("could be written"), std::string::npos);
}

// A pipe in the place of a file is written to, not replaced.
TEST(Usage, what_is_no_file_is_not_replaced) {
  Folder folder;
  std::string pipe = folder.path() + "/pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  int reader = open(pipe.c_str(), O_RDWR | O_NONBLOCK);
  ASSERT_GE(reader, 0);
  EXPECT_EQ(RunArbiter({"play", "rollerball", "--max-turns", "2", "--save", pipe}).exit_code, 0);
  char text[64] = {};
  EXPECT_GT(read(reader, text, sizeof text - 1), 0);
  EXPECT_EQ(std::string(text).rfind("ruleset", 0), 0U) << text;
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
  close(reader);
}

TEST(Usage, output_that_is_no_terminal_has_no_colours) {
  Folder folder;
  std::string file = folder.Write("wrong.rules", "game \"x\"\nplayers A, B\nnonsense\n");
  Ran ran = RunArbiter({"check", file});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(ran.out.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace arbiter::cli
