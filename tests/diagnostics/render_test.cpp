// The terminal view and the JSON view of diagnostics, and that they say the same.
#include "diagnostics/render.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

namespace arbiter::diagnostics {
namespace {

struct World {
  source::SourceMap sources;
  Sink sink;
  source::FileId pawn = sources.Add(
      "rulesets/chess/pawn.rules", "// head\ndirections north, south, east, west\n\n\n\n\n\n\n  step forward = nort\n");
  source::FileId other = sources.Add("lib.rules", "walk slide(d) = d then ahead*\n");

  [[nodiscard]] Span Of(source::FileId file, const std::string& word, std::size_t nth = 0) const {
    std::size_t at = sources.text(file).find(word);
    for (; nth > 0; --nth) at = sources.text(file).find(word, at + 1);
    return {file, static_cast<uint32_t>(at), static_cast<uint32_t>(at + word.size())};
  }
};

Diagnostic Full(World& world) {
  Diagnostic d;
  d.code = Code::kNameUnknown;
  d.message = "no direction named `nort`";
  d.span = world.Of(world.pawn, "nort", 1);
  d.caption = "not a direction of this board";
  d.labels = {{world.Of(world.pawn, "north"), "declared here"}, {world.Of(world.other, "slide"), "used by this walk"}};
  d.notes = {"directions come with the board"};
  d.help = {"see `directions`"};
  d.path = {{world.Of(world.other, "ahead"), "in `slide`"}};
  d.fixes = {{"did you mean `north`?", {{d.span, "north"}}, Fix::Confidence::kMaybe}};
  return d;
}

TEST(Render, is_as_the_style_sheet_shows) {
  World world;
  EXPECT_EQ(Render(Full(world), world.sources),
            "error[name-unknown]: no direction named `nort`\n"
            "  --> rulesets/chess/pawn.rules:9:18\n"
            "   |\n"
            " 2 | directions north, south, east, west\n"
            "   |            ----- declared here\n"
            "...\n"
            " 9 |   step forward = nort\n"
            "   |                  ^^^^ not a direction of this board\n"
            "  ::: lib.rules:1:6\n"
            "   |\n"
            " 1 | walk slide(d) = d then ahead*\n"
            "   |      ----- used by this walk\n"
            "   = through: lib.rules:1:24: in `slide`\n"
            "   = note: directions come with the board\n"
            "   = help: see `directions`\n"
            "   = help: did you mean `north`?\n");
}

TEST(Render, without_a_place_only_the_head_and_the_tail) {
  World world;
  Diagnostic d;
  d.severity = Severity::kWarning;
  d.code = Code::kImportMissing;
  d.message = "cannot read `x.rules`";
  d.help = {"is the path right?"};
  EXPECT_EQ(Render(d, world.sources),
            "warning[import-missing]: cannot read `x.rules`\n   = help: is the path right?\n");
}

std::string MarkLine(const std::string& text, const std::string& word) {
  source::SourceMap sources;
  source::FileId id = sources.Add("f", text);
  Diagnostic d;
  auto at = static_cast<uint32_t>(text.find(word));
  d.span = {id, at, at + static_cast<uint32_t>(word.size())};
  std::string out = Render(d, sources);
  out.pop_back();
  return out.substr(out.rfind('\n') + 1);
}

TEST(Render, carets_stand_under_wide_letters_tabs_and_accents) {
  EXPECT_EQ(MarkLine("帅 x", "x"), "   |    ^");
  EXPECT_EQ(MarkLine("x 王将 y", "王将"), "   |   ^^^^");
  EXPECT_EQ(MarkLine("\tx", "x"), "   |     ^");
  EXPECT_EQ(MarkLine("a\tx", "x"), "   |     ^");
  EXPECT_EQ(MarkLine("e\xCC\x81 x", "x"), "   |   ^");  // e and a combining accent
  EXPECT_EQ(MarkLine("поле x", "x"), "   |      ^");
}

TEST(Render, an_empty_span_is_one_caret) {
  source::SourceMap sources;
  source::FileId id = sources.Add("f", "ab");
  Diagnostic d;
  d.span = {id, 2, 2};
  EXPECT_NE(Render(d, sources).find("   |   ^\n"), std::string::npos);
}

TEST(Render, control_characters_do_not_reach_the_terminal) {
  source::SourceMap sources;
  source::FileId id = sources.Add("f", "a\x1b[31m\x07 \xE2\x80\xAE b");
  Diagnostic d;
  d.span = {id, 0, 1};
  std::string out = Render(d, sources);
  EXPECT_EQ(out.find('\x1b'), std::string::npos);
  EXPECT_EQ(out.find('\x07'), std::string::npos);
  EXPECT_EQ(out.find("\xE2\x80\xAE"), std::string::npos);
}

TEST(Render, long_lines_are_cut_around_the_mark) {
  std::string text(100000, 'a');
  text.replace(70000, 6, " wrong");
  source::SourceMap sources;
  source::FileId id = sources.Add("f", text);
  Diagnostic d;
  d.span = {id, 70001, 70006};
  d.caption = "here";
  std::string out = Render(d, sources, {.color = false, .width = 80});
  std::size_t begin = 0;
  std::vector<std::string> lines;
  for (std::size_t end = out.find('\n'); end != std::string::npos; begin = end + 1, end = out.find('\n', begin)) {
    lines.push_back(out.substr(begin, end - begin));
    EXPECT_LE(DisplayWidth(lines.back()), 90);
  }
  ASSERT_EQ(lines.size(), 5U);
  std::size_t caret = lines[4].find('^');
  // The sign for what was cut takes three bytes and one column.
  EXPECT_EQ(lines[3].substr(caret + 2, 5), "wrong");
  EXPECT_NE(lines[3].find("…"), std::string::npos);
  // Marks at both ends of the line as well.
  for (uint32_t at : {0U, 99999U}) {
    d.span = {id, at, at + 1};
    EXPECT_NE(Render(d, sources, {.color = false, .width = 80}).find("^ here"), std::string::npos) << at;
  }
}

TEST(Render, color_only_adds_escapes) {
  World world;
  std::string plain = Render(Full(world), world.sources);
  std::string colored = Render(Full(world), world.sources, {.color = true});
  std::string stripped;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b') {
      i = colored.find('m', i);
    } else {
      stripped += colored[i];
    }
  }
  EXPECT_NE(colored, plain);
  EXPECT_EQ(stripped, plain);
}

// Every datum of the value is in both views; JSON has it field by field.
TEST(Json, holds_what_the_text_says) {
  World world;
  Diagnostic d = Full(world);
  std::string text = Render(d, world.sources);
  auto json = nlohmann::json::parse(ToJson(d, world.sources));
  EXPECT_TRUE(text.starts_with(json["severity"].get<std::string>() + "[" + json["code"].get<std::string>() +
                               "]: " + json["message"].get<std::string>() + "\n"));
  auto place = [](const nlohmann::json& span) {
    return span["file"].get<std::string>() + ":" + std::to_string(span["line"].get<int>()) + ":" +
           std::to_string(span["column"].get<int>());
  };
  EXPECT_NE(text.find("--> " + place(json["span"]) + "\n"), std::string::npos);
  EXPECT_NE(text.find("^^^^ " + json["caption"].get<std::string>()), std::string::npos);
  ASSERT_EQ(json["labels"].size(), d.labels.size());
  for (const auto& label : json["labels"]) {
    EXPECT_NE(text.find("- " + label["text"].get<std::string>()), std::string::npos);
  }
  EXPECT_NE(text.find("::: " + place(json["labels"][1]["span"]) + "\n"), std::string::npos);
  ASSERT_EQ(json["path"].size(), 1U);
  EXPECT_NE(text.find("= through: " + place(json["path"][0]["span"]) + ": " +
                      json["path"][0]["text"].get<std::string>() + "\n"),
            std::string::npos);
  for (const auto& note : json["notes"]) EXPECT_NE(text.find("= note: " + note.get<std::string>()), std::string::npos);
  for (const auto& help : json["help"]) EXPECT_NE(text.find("= help: " + help.get<std::string>()), std::string::npos);
  ASSERT_EQ(json["fixes"].size(), 1U);
  EXPECT_NE(text.find("= help: " + json["fixes"][0]["title"].get<std::string>()), std::string::npos);
  EXPECT_EQ(json["fixes"][0]["edits"][0]["replacement"], "north");
  EXPECT_EQ(json["fixes"][0]["confidence"], "maybe");
  EXPECT_EQ(json["span"]["offset"], d.span.begin);
  EXPECT_EQ(json["span"]["end_offset"], d.span.end);
}

TEST(Json, the_whole_run_counts) {
  World world;
  world.sink.Error(Code::kNameUnknown, world.Of(world.pawn, "north"), "one");
  world.sink.Warning(Code::kNameUnused, {}, "two \xFF");
  auto json = nlohmann::json::parse(ToJson(world.sink, world.sources));
  EXPECT_EQ(json["errors"], 1);
  EXPECT_EQ(json["warnings"], 1);
  EXPECT_EQ(json["truncated"], false);
  ASSERT_EQ(json["diagnostics"].size(), 2U);
  EXPECT_TRUE(json["diagnostics"][1]["span"].is_null());
  EXPECT_EQ(CountLine(world.sink), "1 error, 1 warning");
  EXPECT_TRUE(RenderAll(world.sink, world.sources).ends_with("\n\n1 error, 1 warning\n"));
}

TEST(Sink, keeps_to_its_limit_and_drops_repeats) {
  Sink sink(3);
  for (int i = 0; i < 5; ++i) sink.Error(Code::kNameUnknown, {}, "m" + std::to_string(i % 4));
  EXPECT_EQ(sink.all().size(), 3U);
  EXPECT_TRUE(sink.truncated());
  Sink repeats;
  repeats.Error(Code::kNameUnknown, {}, "same");
  repeats.Error(Code::kNameUnknown, {}, "same");
  EXPECT_EQ(repeats.all().size(), 1U);
  EXPECT_FALSE(repeats.truncated());
}

TEST(Nearest, only_what_is_near) {
  EXPECT_EQ(Nearest("nort", {"north", "south"}), "north");
  EXPECT_EQ(Nearest("peice", {"piece", "place"}), "piece");
  EXPECT_EQ(Nearest("xyz", {"north", "south"}), "");
}

// Codes are kebab-case, listed once.
TEST(Codes, are_well_formed) {
  std::set<std::string_view> names;
  for (Code code : AllCodes()) {
    std::string_view name = CodeName(code);
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_NE(name.find('-'), std::string_view::npos) << name;
    EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string_view::npos) << name;
    EXPECT_FALSE(CodePhrase(code).empty());
  }
}

}  // namespace
}  // namespace arbiter::diagnostics
