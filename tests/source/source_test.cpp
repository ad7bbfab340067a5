// Texts, places in them, and where they come from.
#include "source/source.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "source/loader.h"
#include "source/utf8.h"

namespace arbiter::source {
namespace {

using Problem = LoadResult::Problem;

TEST(SourceMap, places_count_code_points_from_one) {
  SourceMap map;
  FileId id = map.Add("a", "ab\n§x帅\n\nlast");
  EXPECT_EQ(map.LineCount(id), 4);
  EXPECT_EQ(map.Line(id, 2), "§x帅");
  Place place = map.PlaceOf(id, 6);  // the sign after §x
  EXPECT_EQ(place.line, 2);
  EXPECT_EQ(place.column, 3);
  EXPECT_EQ(map.PlaceOf(id, 1000).line, 4);
  EXPECT_EQ(map.Line(id, 3), "");
}

TEST(SourceMap, the_same_path_is_the_same_file) {
  SourceMap map;
  FileId id = map.Add("a", "one");
  EXPECT_EQ(map.Add("a", "two"), id);
  EXPECT_EQ(map.text(id), "one");
  EXPECT_FALSE(map.Find("b").has_value());
}

TEST(SourceMap, windows_line_ends_are_no_part_of_a_line) {
  SourceMap map;
  FileId id = map.Add("a", "ab\r\ncd\r\n");
  EXPECT_EQ(map.Line(id, 1), "ab");
  EXPECT_EQ(map.Line(id, 2), "cd");
}

TEST(Utf8, finds_the_first_malformed_byte) {
  EXPECT_FALSE(FindInvalidUtf8("aé帅😀\xEF\xBB\xBF").has_value());
  EXPECT_EQ(FindInvalidUtf8("ab\x80").value(), 2U);
  EXPECT_EQ(FindInvalidUtf8("ab\xC3").value(), 2U);
  EXPECT_EQ(FindInvalidUtf8("\xC0\x80").value(), 0U);
  EXPECT_EQ(FindInvalidUtf8("\xE0\x80\x80").value(), 0U);
  EXPECT_EQ(FindInvalidUtf8("\xED\xA0\x80").value(), 0U);
  EXPECT_EQ(FindInvalidUtf8("\xF4\x90\x80\x80").value(), 0U);
  EXPECT_EQ(FindInvalidUtf8("x\xF0\x9F\x98x").value(), 1U);
}

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("arbiter_source_" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Write(const std::string& name, const std::string& text) {
    std::string path = (folder_ / name).string();
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }

  std::filesystem::path folder_;
  FileLoader loader_;
};

TEST_F(Files, are_read_byte_by_byte) {
  std::string text("a\0b\r\n\xFF", 6);
  LoadResult result = loader_.Read(Write("a", text));
  EXPECT_EQ(result.problem, Problem::kNone);
  EXPECT_EQ(result.text, text);
  EXPECT_EQ(loader_.Read(Write("empty", "")).problem, Problem::kNone);
}

TEST_F(Files, missing) {
  EXPECT_EQ(loader_.Read((folder_ / "none").string()).problem, Problem::kMissing);
  EXPECT_EQ(loader_.Read("").problem, Problem::kMissing);
  EXPECT_EQ(loader_.Read(Write("a", "x") + "/b").problem, Problem::kMissing);
  EXPECT_EQ(loader_.Read(std::string("a\0b", 3)).problem, Problem::kMissing);
}

TEST_F(Files, folders_and_devices_are_refused) {
  EXPECT_EQ(loader_.Read(folder_.string()).problem, Problem::kDirectory);
  EXPECT_EQ(loader_.Read("/dev/zero").problem, Problem::kUnreadable);
  std::string pipe = (folder_ / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(loader_.Read(pipe).problem, Problem::kUnreadable);  // and does not wait for a writer
}

TEST_F(Files, the_limit_is_exact) {
  EXPECT_EQ(loader_.Read(Write("full", std::string(kMaxTextBytes, 'x'))).problem, Problem::kNone);
  LoadResult result = loader_.Read(Write("over", std::string(kMaxTextBytes + 1, 'x')));
  EXPECT_EQ(result.problem, Problem::kTooLarge);
  EXPECT_TRUE(result.text.empty());
}

TEST(MemoryLoader, gives_what_was_added) {
  MemoryLoader loader;
  loader.Add("a", "text");
  loader.Add("big", std::string(kMaxTextBytes + 1, 'x'));
  EXPECT_EQ(loader.Read("a").text, "text");
  EXPECT_EQ(loader.Read("b").problem, Problem::kMissing);
  EXPECT_EQ(loader.Read("big").problem, Problem::kTooLarge);
}

TEST(Embedded, holds_the_library_as_it_is_on_disk) {
  ASSERT_TRUE(FindEmbedded("stdlib/walks.rules").has_value());
  EXPECT_FALSE(FindEmbedded("stdlib/nothing.rules").has_value());
  for (const EmbeddedFile& file : EmbeddedFiles()) {
    std::ifstream on_disk(std::filesystem::path(ARBITER_SOURCE_DIR) / file.path, std::ios::binary);
    std::string text((std::istreambuf_iterator<char>(on_disk)), std::istreambuf_iterator<char>());
    EXPECT_EQ(file.text, text) << file.path;
  }
}

TEST(BesidePath, joins_and_cleans) {
  struct Row {
    const char *file, *relative, *joined;
  };
  for (const Row& row : {Row{"rulesets/a/b.rules", "../x.md", "rulesets/x.md"}, Row{"b.rules", "x.md", "x.md"},
                         Row{"/a/b.rules", "c/./d.rules", "/a/c/d.rules"}, Row{"a/b.rules", "/x.md", "/x.md"},
                         Row{"a/b.rules", "../../x.md", "../x.md"}, Row{"/a/b.rules", "../../../x.md", "/x.md"},
                         Row{"../a/b.rules", "../c.md", "../c.md"}, Row{"a//b.rules", "c//d", "a/c/d"}}) {
    EXPECT_EQ(BesidePath(row.file, row.relative), row.joined) << row.file << " + " << row.relative;
  }
}

}  // namespace
}  // namespace arbiter::source
