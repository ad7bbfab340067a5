// SVG boards: well formed, everything drawn once, nothing but what the rules say.
//
// ARBITER_SVG_DIR=/tmp/x test_render writes the pictures for looking at.
#include "render/svg.h"

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "../board/rollerball_board.h"
#include "made.h"

namespace arbiter::render {
namespace {

using rules::Rules;

std::size_t Count(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// Tags open and close in order, attributes are quoted, no stray signs.
void ExpectWellFormed(const std::string& svg) {
  std::vector<std::string> open;
  std::size_t i = 0;
  ASSERT_EQ(svg.rfind("<svg ", 0), 0u);
  while (i < svg.size()) {
    const std::size_t begin = svg.find('<', i);
    const std::string between = svg.substr(i, begin == std::string::npos ? std::string::npos : begin - i);
    ASSERT_EQ(between.find('>'), std::string::npos) << between;
    for (std::size_t a = between.find('&'); a != std::string::npos; a = between.find('&', a + 1)) {
      ASSERT_TRUE(between.compare(a, 5, "&amp;") == 0 || between.compare(a, 4, "&lt;") == 0 ||
                  between.compare(a, 4, "&gt;") == 0 || between.compare(a, 6, "&quot;") == 0)
          << between;
    }
    if (begin == std::string::npos) break;
    const std::size_t end = svg.find('>', begin);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = svg.substr(begin + 1, end - begin - 1);
    ASSERT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    const std::string name = tag.substr(0, tag.find_first_of(" /"));
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty());
      ASSERT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(name);
    }
    i = end + 1;
  }
  ASSERT_TRUE(open.empty());
  ASSERT_EQ(svg.find("nan"), std::string::npos);
  ASSERT_EQ(svg.find("inf"), std::string::npos);
}

std::string Draw(const char* name, const Rules& rules, const rules::Snapshot* at, const SvgOptions& options = {}) {
  std::string svg = BoardSvg(rules, at, options);
  ExpectWellFormed(svg);
  EXPECT_EQ(svg, BoardSvg(rules, at, options));
  if (const char* folder = std::getenv("ARBITER_SVG_DIR"); folder != nullptr) {
    std::ofstream(std::string(folder) + "/" + name + ".svg") << svg;
  }
  return svg;
}

std::vector<rules::Kind> ChessMen() {
  return {MakeKind("King", {"K", "k"}),   MakeKind("Queen", {"Q", "q"}),  MakeKind("Rook", {"R", "r"}),
          MakeKind("Bishop", {"B", "b"}), MakeKind("Knight", {"N", "n"}), MakeKind("Pawn", {"P", "p"})};
}

rules::Zone MakeZone(const Rules& rules, const std::string& name, const std::vector<std::string>& cells) {
  rules::Zone zone;
  zone.name = name;
  zone.cells.emplace_back();
  for (const std::string& cell : cells) zone.cells[0].set(static_cast<std::size_t>(rules.board.Find(cell)));
  return zone;
}

TEST(Svg, chess) {
  Rules rules = MakeRules(SquaresBoard(8, 8), ChessMen());
  std::vector<std::string> pieces;
  const std::string back = "RNBQKBNR";
  for (int file = 0; file < 8; ++file) {
    const std::string f(1, static_cast<char>('a' + file));
    pieces.push_back(f + "1=" + back[static_cast<std::size_t>(file)]);
    pieces.push_back(f + (file == 4 ? "4=P" : "2=P"));
    pieces.push_back(f + "7=p");
    pieces.push_back(f + "8=" + static_cast<char>(back[static_cast<std::size_t>(file)] + 32));
  }
  const auto at = MakePosition(rules, pieces);
  SvgOptions options;
  for (const char* cell : {"e2", "e4"}) options.last_move.set(static_cast<std::size_t>(rules.board.Find(cell)));
  for (const char* cell : {"f3", "h3"}) options.targets.set(static_cast<std::size_t>(rules.board.Find(cell)));
  const std::string svg = Draw("chess", rules, &at, options);
  EXPECT_EQ(Count(svg, "<title>e4</title>"), 1u);
  EXPECT_EQ(Count(svg, "</rect>"), 64u);
  EXPECT_EQ(Count(svg, "<title>Pawn of Black</title>"), 8u);
  EXPECT_EQ(Count(svg, ">N</text>"), 4u);  // the disc tells the side
  EXPECT_EQ(Count(svg, ">n</text>"), 0u);
  EXPECT_EQ(Count(svg, "#c79a00"), 2u);
  EXPECT_EQ(Count(svg, "r=\"6\""), 2u);
  EXPECT_NE(svg.find("<title>Made &amp; tested</title>"), std::string::npos);
  EXPECT_NE(svg.find(">White to move</text>"), std::string::npos);
}

TEST(Svg, rollerball_with_frames_zones_and_a_place) {
  board::Builder builder = board::RollerballBuilder();
  int first = -1;
  ASSERT_EQ(builder.Place("out[White]", 10, &first), "");
  Rules rules = MakeRules(std::move(builder), ChessMen());
  rules.zones.Add(MakeZone(rules, "throne", {"d2", "d6"}));
  rules.zones.Add(MakeZone(rules, "pawn_start", {"c1", "c2", "e6", "e7"}));
  rules::Zone everywhere;
  everywhere.name = "field";
  everywhere.cells.push_back(rules.board.cells());
  rules.zones.Add(everywhere);
  const auto at = MakePosition(rules, {"d2=K", "d1=B", "e1=R", "e2=R", "c1=P", "c2=P", "d6=k", "d7=b", "c6=r", "c7=r",
                                       "e6=p", "e7=p", "out[White][1]=P"});
  SvgOptions options;
  options.frames = true;
  const std::string svg = Draw("rollerball", rules, &at, options);
  EXPECT_EQ(Count(svg, "</rect>"), 40u);
  EXPECT_EQ(Count(svg, "<title>d2: throne, field</title>"), 1u);
  EXPECT_EQ(Count(svg, "<polyline"), 40u);        // a chevron per cell
  EXPECT_EQ(Count(svg, "stroke-dasharray"), 4u);  // the four corners bend rooks
  EXPECT_EQ(Count(svg, ">throne</text>"), 1u);
  EXPECT_EQ(Count(svg, ">field</text>"), 0u);  // the whole board needs no tint
  EXPECT_EQ(Count(svg, ">out[White]</text>"), 1u);
  const std::string plain = Draw("rollerball_empty", rules, nullptr, SvgOptions{{}, {}, false, false, false});
  EXPECT_EQ(Count(plain, "<polyline"), 0u);
  EXPECT_EQ(Count(plain, "fill-opacity=\"0.22\""), 0u);
  EXPECT_EQ(Count(plain, "to move"), 0u);
}

TEST(Svg, fixed_pieces_are_square_and_neutral_ones_have_a_colour_of_their_own) {
  std::vector<rules::Kind> kinds = {MakeKind("Man", {"M", "m"}), MakeKind("Post", {"P", "p"}),
                                    MakeKind("Stone", {"o"})};
  kinds[1].fixed = true;
  kinds[2].neutral = true;
  Rules rules = MakeRules(SquaresBoard(3, 3), kinds);
  auto at = MakePosition(rules, {"a1=M", "c1=P", "b2=o"});
  for (rules::PieceRecord& piece : at.pieces) {
    if (piece.kind == 2) piece.owner = rules::kNone;
  }
  const std::string svg = Draw("fixed", rules, &at);
  EXPECT_EQ(Count(svg, "<circle"), 2U);
  EXPECT_EQ(Count(svg, "stroke-width=\"1.2\"/>"), 3U);
  EXPECT_EQ(Count(svg, "<title>Stone</title>"), 1U);
}

TEST(Svg, hexes) {
  board::Builder builder;
  ASSERT_EQ(builder.Hexes("hexagon", {6}), "");
  board::CellSet low;
  board::CellSet high;
  for (int cell = 0; cell < builder.peek().size(); ++cell) {
    const double y = builder.peek().position(cell).y - 2.5;
    (y < -0.1 ? low : high).set(static_cast<std::size_t>(cell));
  }
  ASSERT_EQ(builder.Barrier("river", low, high), "");
  Rules rules = MakeRules(std::move(builder), ChessMen());
  rules.zones.Add(MakeZone(rules, "centre", {"f6", "f5", "f7"}));
  const auto at = MakePosition(rules, {"f1=B", "f2=B", "f3=B", "e1=Q", "g2=K", "f11=b", "e10=q", "g11=k"});
  const std::string svg = Draw("hex", rules, &at);
  EXPECT_EQ(Count(svg, "</polygon>"), 91u);
  EXPECT_EQ(Count(svg, ">river</text>"), 1u);
  EXPECT_GT(Count(svg, "stroke=\"#7a1f1f\""), 11u);
  board::Builder rectangle;
  ASSERT_EQ(rectangle.Hexes("rectangle", {7, 5}), "");
  const Rules other = MakeRules(std::move(rectangle), ChessMen());
  Draw("hex_rectangle", other, nullptr);
}

TEST(Svg, free_graphs_symbols_and_scripts) {
  board::Builder builder;
  for (const char* name : {"hall", "roof", "<cellar>", "山", "yard", "gate"}) ASSERT_EQ(builder.Cell(name), "");
  const auto both = [&](int a, const char* there, int b, const char* back) {
    ASSERT_EQ(builder.Link(a, there, b), "");
    ASSERT_EQ(builder.Link(b, back, a), "");
  };
  both(0, "up", 1, "down");
  both(0, "down", 2, "up");
  both(0, "e", 3, "w");
  both(3, "s", 4, "n");
  ASSERT_EQ(builder.Link(4, "out", 5), "");
  ASSERT_EQ(builder.Link(1, "slide", 4), "");
  board::CellSet one;
  board::CellSet other;
  one.set(0);
  other.set(3);
  ASSERT_EQ(builder.Barrier("fence", one, other), "");
  const Rules rules = MakeRules(
      std::move(builder), {MakeKind("King", {"♔", "♚"}), MakeKind("将", {"帥", "將"}), MakeKind("Ball", {"o"}, true)});
  const auto at = MakePosition(rules, {"hall=♔", "roof=♚", "山=帥", "yard=將", "gate=o"});
  const std::string svg = Draw("graph", rules, &at);
  EXPECT_EQ(Count(svg, "&lt;cellar&gt;</title>"), 1u);
  EXPECT_EQ(Count(svg, "r=\"16.7\""), 3u);  // discs: two men and the ball; symbols have none
  EXPECT_EQ(Count(svg, ">帥</text>"), 1u);
  EXPECT_EQ(Count(svg, ">將</text>"), 1u);  // no letter of another case: shown as it is
}

TEST(Svg, cylinders_show_their_seam) {
  board::Builder builder = SquaresBoard(4, 3, {"b2"}, true);
  const Rules rules = MakeRules(std::move(builder), ChessMen());
  const std::string svg = Draw("cylinder", rules, nullptr);
  EXPECT_EQ(Count(svg, "stroke-dasharray=\"4 4\""), 6u);  // three ranks, both sides
}

TEST(Svg, a_net_between_ranks_is_one_line_per_file) {
  board::Builder builder = SquaresBoard(3, 4);
  board::CellSet one;
  board::CellSet other;
  for (const char* cell : {"a2", "b2", "c2"}) one.set(static_cast<std::size_t>(builder.peek().Find(cell)));
  for (const char* cell : {"a3", "b3", "c3"}) other.set(static_cast<std::size_t>(builder.peek().Find(cell)));
  ASSERT_EQ(builder.Barrier("net", one, other), "");
  const std::string svg = Draw("net", MakeRules(std::move(builder), ChessMen()), nullptr);
  EXPECT_EQ(Count(svg, "stroke=\"#7a1f1f\""), 3u + 1u);  // and one in the legend
}

}  // namespace
}  // namespace arbiter::render
