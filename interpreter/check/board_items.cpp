// The board block: every item becomes calls of board::Builder, every refusal a diagnostic.
//
// The generator comes first wherever it stands; rings, facing and deflections in file order after it;
// barriers after the zones, which they may name.

#include <algorithm>

#include "check/declare.h"
#include "check/passes.h"

namespace arbiter::check {

using ast::BoardItem;
using ast::BoardItemKind;
using rules::Base;
using rules::CellSet;

Span GameSpan(const Context& c) {
  Span first;
  for (const SourceDecl& d : c.decls) {
    if (d.library) continue;
    if (std::holds_alternative<ast::Game>(d.decl->payload)) return d.decl->span;
    if (!first.valid()) first = d.decl->span;
  }
  if (first.valid()) return {first.file, first.begin, std::min(first.end, first.begin + 1)};
  return c.files.empty() ? Span{} : Span{c.files.front()->file, 0, 0};
}

std::string HolesText(const Context& c) {
  const board::Board& board = c.board();
  return board.board_size() < board.width() * board.height() ? ", holes left out" : "";
}

std::optional<rules::Value> ConstantOf(Context& c, const Scope& scope, const ast::Expr& expr, const rules::Type& type,
                                       std::string_view what) {
  if (expr.kind == ast::ExprKind::kError) return std::nullopt;
  std::size_t before = c.sink.all().size();
  rules::ExprId id = LowerExpr(c, scope, expr, &type);
  if (id.valid()) {
    if (auto value = ConstantValue(c, id)) return value;
  } else if (c.sink.all().size() != before) {
    return std::nullopt;
  }
  c.Error(Code::kTypeMismatch, expr.span, "expected " + std::string(what) + " that is known before the game")
      .help.push_back("it may use options, players, cells and zones, but not the position");
  return std::nullopt;
}

std::optional<CellSet> CellsOf(Context& c, const Scope& scope, const ast::Expr& expr) {
  if (expr.kind == ast::ExprKind::kError) return std::nullopt;
  rules::Type cells;
  cells.base = Base::kCell;
  cells.set = true;
  std::size_t before = c.sink.all().size();
  rules::ExprId id = LowerExpr(c, scope, expr, &cells);
  if (id.valid()) {
    if (auto set = ConstantCells(c, id)) return set;
  } else if (c.sink.all().size() != before) {
    return std::nullopt;
  }
  c.Error(Code::kTypeMismatch, expr.span, "expected cells that are known before the game")
      .help.push_back("a zone is made of cells, ranges, ranks, files, zones and options, not of the position");
  return std::nullopt;
}

void SuggestDirection(const Context& c, Diagnostic& d, Span span, std::string_view wrong,
                      const std::vector<std::string>& names) {
  Suggest(d, span, wrong, names);
  if (!d.fixes.empty()) return;
  // Written out, or nearly.
  static const std::pair<const char*, const char*> kLong[] = {
      {"north", "n"}, {"northeast", "ne"}, {"east", "e"}, {"southeast", "se"},
      {"south", "s"}, {"southwest", "sw"}, {"west", "w"}, {"northwest", "nw"}};
  std::vector<std::string> words;
  for (const auto& [word, direction] : kLong) words.emplace_back(word);
  std::string near = wrong.size() < 4 ? "" : diagnostics::Nearest(wrong, words);
  for (const auto& [word, direction] : kLong) {
    if ((near != word && wrong != word) || c.board().FindDirection(direction) < 0) continue;
    d.fixes.push_back(
        {"did you mean `" + std::string(direction) + "`?", {{span, direction}}, diagnostics::Fix::Confidence::kMaybe});
    return;
  }
}

std::vector<int> LabelsOf(Context& c, const ast::Expr& expr) {
  using ast::ExprKind;
  bool list = expr.kind == ExprKind::kSet || expr.kind == ExprKind::kWays ||
              (expr.kind == ExprKind::kBinary && expr.text == "+");
  if (list) {
    std::vector<int> labels;
    for (const ast::ExprPtr& child : expr.children) {
      std::vector<int> some = LabelsOf(c, *child);
      if (some.empty()) return {};
      for (int label : some) {
        if (std::find(labels.begin(), labels.end(), label) == labels.end()) labels.push_back(label);
      }
    }
    return labels;
  }
  if (expr.kind == ExprKind::kError) return {};
  if (expr.kind == ExprKind::kName) {
    if (auto labels = DirectionLabels(c, expr.text); labels && !labels->empty()) {
      if (Symbol* symbol = c.symbols.Find(expr.text)) ++symbol->uses;
      return *labels;
    }
  }
  std::vector<std::string> names;
  for (int i = 0; i < c.board().direction_count(); ++i) names.push_back(c.board().label_name(i));
  for (const char* name : {"all", "orthogonal", "diagonal", "forward", "backward", "sideways", "left", "right"}) {
    names.emplace_back(name);
  }
  Diagnostic& d = c.Error(Code::kBoardDirection, expr.span,
                          "no direction named `" + std::string(c.sources.Slice(expr.span)) + "` on this board");
  SuggestDirection(c, d, expr.span, c.sources.Slice(expr.span), names);
  if (d.fixes.empty()) d.help.push_back("write a direction of the board, or a set declared with `directions`");
  return {};
}

namespace {

class Items {
 public:
  explicit Items(Context& c) : c_(c) {}

  void Run() {
    std::vector<const BoardItem*> items;
    for (const SourceDecl& d : c_.decls) {
      if (const auto* board = std::get_if<ast::Board>(&d.decl->payload)) {
        if (!block_.valid()) block_ = d.decl->span;
        for (const BoardItem& item : board->items) items.push_back(&item);
      }
    }
    if (!block_.valid()) {
      c_.Error(Code::kGameIncomplete, GameSpan(c_), "the game has no board")
          .help.push_back("add one, for example `board { squares 8 x 8 }`");
      return;
    }
    for (const BoardItem* item : items) Generate(*item);
    if (generator_ == nullptr && !failed_) {
      c_.Error(Code::kBoardShape, {block_.file, block_.begin, std::min(block_.end, block_.begin + 5)},
               "the board has no cells")
          .help.push_back("begin it with `squares 8 x 8`, `hexes …` or `cells …`");
    }
    if (generator_ == nullptr) return;
    for (const BoardItem* item : items) Link(*item);
    for (const BoardItem* item : items) Name(*item);
    for (const BoardItem* item : items) Use(*item);
    Facing();
  }

 private:
  // ---- generators ------------------------------------------------------------------------------

  void Generate(const BoardItem& item) {
    bool generator = item.kind == BoardItemKind::kSquares || item.kind == BoardItemKind::kHexes;
    if (item.kind == BoardItemKind::kCells) {
      generator = generator_ == nullptr || generator_->kind != BoardItemKind::kCells;
    }
    if (generator && generator_ != nullptr) {
      Diagnostic& d = c_.Error(Code::kBoardShape, item.span, "the board is described twice");
      d.labels.push_back({generator_->span, "first here"});
      d.help.push_back("keep one of `squares`, `hexes` and `cells`");
      return;
    }
    switch (item.kind) {
      case BoardItemKind::kSquares:
        Squares(item);
        break;
      case BoardItemKind::kHexes:
        Hexes(item);
        break;
      case BoardItemKind::kCells:
        Cells(item);
        break;
      default:
        break;
    }
  }

  Span Numbers(const BoardItem& item) const {
    Span span;
    for (Span s : item.number_spans) span = Join(span, s);
    return span.valid() ? span : item.span;
  }

  bool Made(const BoardItem& item, const std::string& refusal, Span span) {
    if (refusal.empty()) {
      generator_ = &item;
      return true;
    }
    failed_ = true;
    c_.Error(Code::kBoardShape, span, refusal)
        .help.push_back("a board has at most " + std::to_string(board::kMaxCells) + " cells, places included");
    return false;
  }

  void Squares(const BoardItem& item) {
    if (item.numbers.size() < 2) return;
    width_ = item.numbers[0];
    height_ = item.numbers[1];
    bool files = false, ranks = false;
    for (const ast::Name& name : item.wrap) {
      if (name.text != "files" && name.text != "ranks") {
        Diagnostic& d = c_.Error(Code::kBoardShape, name.span, "`" + name.text + "` cannot be wrapped");
        d.help.push_back("write `wrap files`, `wrap ranks` or both");
        failed_ = true;
        return;
      }
      files |= name.text == "files";
      ranks |= name.text == "ranks";
    }
    bool size = width_ > 0 && height_ > 0 && int64_t{width_} * height_ <= board::kMaxCells;
    CellSet cut;
    if (item.without && size) {
      auto set = Grid(*item.without);
      if (!set) {
        failed_ = true;
        return;
      }
      cut = *set;
    }
    Made(item, c_.builder.Squares(width_, height_, cut, files, ranks), size ? item.span : Numbers(item));
  }

  void Hexes(const BoardItem& item) {
    if (item.names.empty()) return;
    if (item.without || !item.wrap.empty()) {
      failed_ = true;
      c_.Error(Code::kBoardShape, item.without ? item.without->span : item.wrap.front().span,
               item.without ? "holes are cut into squares only" : "only squares can be wrapped")
          .help.push_back("leave it out, or make the board with `cells` and `link`");
      return;
    }
    bool known =
        item.names[0].text == "hexagon" || item.names[0].text == "rhombus" || item.names[0].text == "rectangle";
    Span span = known ? Numbers(item) : item.names[0].span;
    if (!known) {
      failed_ = true;
      Diagnostic& d = c_.Error(Code::kBoardShape, span, "no board of hexes has the shape `" + item.names[0].text + "`");
      Suggest(d, span, item.names[0].text, {"hexagon", "rhombus", "rectangle"});
      if (d.fixes.empty()) d.help.push_back("write `hexagon 5`, `rhombus 11 11` or `rectangle 8 8`");
      return;
    }
    Made(item, c_.builder.Hexes(item.names[0].text, item.numbers), span);
  }

  void Cells(const BoardItem& item) {
    for (const ast::Name& name : item.names) {
      if (IsBuiltInWord(name.text)) {
        c_.Error(Code::kNameReserved, name.span, "`" + name.text + "` is a word of the language")
            .help.push_back("give this cell another name");
        continue;
      }
      Made(item, c_.builder.Cell(name.text), name.span);
    }
  }

  // Cells of the grid before it is cut, for `without` and `around`.
  std::optional<CellSet> Grid(const ast::Expr& expr) {
    using ast::ExprKind;
    CellSet set;
    switch (expr.kind) {
      case ExprKind::kError:
        return std::nullopt;
      case ExprKind::kName: {
        int cell = GridCell(expr);
        if (cell < 0) return std::nullopt;
        set.set(static_cast<std::size_t>(cell));
        return set;
      }
      case ExprKind::kSet:
        for (const ast::ExprPtr& child : expr.children) {
          auto some = Grid(*child);
          if (!some) return std::nullopt;
          set |= *some;
        }
        return set;
      case ExprKind::kRank:
        return GridLines(expr);
      case ExprKind::kIf: {
        auto holds = ConstantOf(c_, Scope{}, *expr.children[0], rules::Type{}, "a condition");
        if (!holds) return std::nullopt;
        return Grid(*expr.children[*holds != 0 ? 1 : 2]);
      }
      case ExprKind::kBinary:
        return GridBinary(expr);
      default:
        break;
    }
    c_.Error(Code::kTypeMismatch, expr.span, "expected cells of the whole grid")
        .help.push_back("write cells, ranges such as `c3..e5`, ranks or files");
    return std::nullopt;
  }

  int GridCell(const ast::Expr& expr) {
    int cell = expr.kind == ast::ExprKind::kName ? board::Builder::GridCell(expr.text, width_, height_) : -1;
    if (cell < 0) {
      Diagnostic& d = c_.Error(Code::kBoardCell, expr.span,
                               "no cell `" + std::string(c_.sources.Slice(expr.span)) + "` on this board");
      d.help.push_back("the cells are a1 to " + board::Builder::GridName(width_, height_));
    }
    return cell;
  }

  std::optional<CellSet> GridLines(const ast::Expr& expr) {
    bool rank = expr.text.starts_with("rank");
    int most = rank ? height_ : width_;
    int low = 0, high = 0;
    const ast::Expr& line = *expr.children[0];
    bool range = line.kind == ast::ExprKind::kBinary && line.text == "..";
    low = high = Line(range ? *line.children[0] : line, rank);
    if (range) high = Line(*line.children[1], rank);
    if (low < 1 || high < low || high > most) {
      c_.Error(Code::kBoardCell, line.span, "this board has no such " + std::string(rank ? "rank" : "file"))
          .help.push_back("it has " + std::to_string(width_) + " files and " + std::to_string(height_) + " ranks");
      return std::nullopt;
    }
    CellSet set;
    for (int r = 1; r <= height_; ++r) {
      for (int f = 1; f <= width_; ++f) {
        int at = rank ? r : f;
        if (at >= low && at <= high) set.set(static_cast<std::size_t>((r - 1) * width_ + f - 1));
      }
    }
    return set;
  }

  int Line(const ast::Expr& expr, bool rank) const {
    if (expr.kind == ast::ExprKind::kInt) return static_cast<int>(std::min<int64_t>(expr.number, board::kMaxCells + 1));
    if (rank || expr.kind != ast::ExprKind::kName) return 0;
    int cell = board::Builder::GridCell(expr.text + "1", width_, height_);
    return cell < 0 ? 0 : cell % width_ + 1;
  }

  std::optional<CellSet> GridBinary(const ast::Expr& expr) {
    if (expr.text == "..") {
      int a = GridCell(*expr.children[0]);
      int b = a < 0 ? -1 : GridCell(*expr.children[1]);
      if (b < 0) return std::nullopt;
      CellSet set;
      auto [left, right] = std::minmax({a % width_, b % width_});
      auto [low, high] = std::minmax({a / width_, b / width_});
      for (int r = low; r <= high; ++r) {
        for (int f = left; f <= right; ++f) set.set(static_cast<std::size_t>(r * width_ + f));
      }
      return set;
    }
    auto a = Grid(*expr.children[0]);
    auto b = a ? Grid(*expr.children[1]) : std::nullopt;
    if (!b) return std::nullopt;
    if (expr.text == "+") return *a | *b;
    if (expr.text == "-") return *a & ~*b;
    if (expr.text == "&") return *a & *b;
    c_.Error(Code::kTypeMismatch, expr.span, "expected cells, not a condition")
        .help.push_back("cells combine with `+`, `-` and `&`");
    return std::nullopt;
  }

  // ---- names -----------------------------------------------------------------------------------

  int Cell(const ast::Name& name) {
    int cell = c_.board().Find(name.text);
    if (cell >= 0 || !name.present()) return cell;
    Diagnostic& d = c_.Error(Code::kBoardCell, name.span, "no cell `" + name.text + "` on this board");
    if (c_.board().shape() == board::Shape::kGraph) {
      std::vector<std::string> names;
      for (int i = 0; i < c_.board().board_size(); ++i) names.push_back(c_.board().name(i));
      Suggest(d, name.span, name.text, names);
      if (d.fixes.empty()) d.help.push_back("declare it with `cells`");
    } else {
      d.help.push_back("the board has " + std::to_string(c_.board().width()) + " files and " +
                       std::to_string(c_.board().height()) + " ranks" + HolesText(c_));
    }
    return cell;
  }

  int Direction(const ast::Name& name) {
    int direction = c_.board().FindDirection(name.text);
    if (direction >= 0 || !name.present()) return direction;
    std::vector<std::string> names;
    std::string list;
    for (int i = 0; i < c_.board().direction_count(); ++i) {
      names.push_back(c_.board().label_name(i));
      list += (i == 0 ? "" : " ") + names.back();
    }
    Diagnostic& d = c_.Error(Code::kBoardDirection, name.span, "no direction named `" + name.text + "` on this board");
    SuggestDirection(c_, d, name.span, name.text, names);
    if (d.fixes.empty()) {
      d.help.push_back(list.empty() ? "it has no directions yet: add `link a1 n -> a2`" : "its directions are " + list);
    }
    return direction;
  }

  void Refused(const std::string& refusal, Span span, const std::string& help) {
    if (!refusal.empty()) c_.Error(Code::kBoardItem, span, refusal).help.push_back(help);
  }

  // ---- links, rings, facing, deflections, places -------------------------------------------------

  void Link(const BoardItem& item) {
    if (item.kind != BoardItemKind::kLink || item.names.size() < 3) return;
    if (generator_->kind != BoardItemKind::kCells) {
      c_.Error(Code::kBoardItem, item.span, "cells of a grid cannot be linked")
          .help.push_back("`link` belongs to boards made with `cells`");
      return;
    }
    int from = Cell(item.names[0]);
    int to = Cell(item.names[2]);
    if (from < 0 || to < 0) return;
    Refused(c_.builder.Link(from, item.names[1].text, to), item.span, "a cell has one way out in each direction");
  }

  // What other items may name, and then what names it.
  void Name(const BoardItem& item) {
    switch (item.kind) {
      case BoardItemKind::kRing:
        Ring(item);
        break;
      case BoardItemKind::kDirections:
        Directions(item);
        break;
      case BoardItemKind::kPlace:
        Place(item);
        break;
      default:
        break;
    }
  }

  void Use(const BoardItem& item) {
    switch (item.kind) {
      case BoardItemKind::kFacing:
        FacingAlong(item);
        break;
      case BoardItemKind::kDeflectAt:
        DeflectAt(item);
        break;
      case BoardItemKind::kDeflectEdges:
        DeflectEdges(item);
        break;
      default:
        break;
    }
  }

  void Ring(const BoardItem& item) {
    if (item.names.size() < 2) return;
    bool clockwise = item.names[1].text == "clockwise";
    if (!clockwise && item.names[1].text != "counterclockwise") {
      Diagnostic& d = c_.Error(Code::kBoardItem, item.names[1].span, "a ring runs clockwise or counterclockwise");
      Suggest(d, item.names[1].span, item.names[1].text, {"clockwise", "counterclockwise"});
      if (d.fixes.empty()) d.help.push_back("write `clockwise` or `counterclockwise`");
      return;
    }
    std::optional<CellSet> around;
    if (item.without) {
      around = Grid(*item.without);
      if (!around) return;
    }
    bool named = item.names.size() > 2 && item.names[2].present();
    int start = named ? Cell(item.names[2]) : around ? Beside(*around) : -1;
    if (named && start < 0) return;
    Span span = named ? item.names[2].span : item.without ? item.without->span : item.span;
    std::string refusal = c_.builder.Ring(item.names[0].text, clockwise, start, around ? &*around : nullptr);
    Refused(refusal, span, "a ring follows the rim of the board, or of a hole, through this cell");
    Symbol* symbol = c_.symbols.Find(item.names[0].text);
    if (symbol == nullptr || symbol->kind != SymbolKind::kRing) return;
    symbol->broken = !refusal.empty();
    symbol->id = static_cast<int>(c_.board().rings().size()) - 1;
    if (refusal.empty()) SameRing(span, item.names[0]);
  }

  // Two rings of the same cells are one ring with two names: a start was mistaken.
  void SameRing(Span span, const ast::Name& name) {
    const auto& rings = c_.board().rings();
    auto sorted = [](std::vector<int> cells) {
      std::sort(cells.begin(), cells.end());
      return cells;
    };
    std::vector<int> last = sorted(rings.back().cells);
    for (std::size_t i = 0; i + 1 < rings.size(); ++i) {
      if (rings[i].cells.size() != last.size() || sorted(rings[i].cells) != last) continue;
      Diagnostic& d =
          c_.Error(Code::kBoardItem, span, "`" + name.text + "` is the same ring as `" + rings[i].name + "`");
      if (Symbol* other = c_.symbols.Find(rings[i].name)) d.labels.push_back({other->span, "declared here"});
      d.help.push_back("begin one of them on another rim: of the board, or of a hole");
    }
  }

  // The first cell that touches one of these.
  int Beside(const CellSet& grid) const {
    for (int cell = 0; cell < c_.board().board_size(); ++cell) {
      for (int f = -1; f <= 1; ++f) {
        for (int r = -1; r <= 1; ++r) {
          int file = c_.board().file(cell) + f, rank = c_.board().rank(cell) + r;
          bool on_grid = file >= 1 && rank >= 1 && file <= width_ && rank <= height_;
          if (on_grid && grid.test(static_cast<std::size_t>((rank - 1) * width_ + file - 1))) return cell;
        }
      }
    }
    return -1;
  }

  void FacingAlong(const BoardItem& item) {
    std::vector<std::string> rings;
    for (const ast::Name& name : item.names) {
      Symbol* ring = c_.symbols.Find(name.text);
      if (ring == nullptr || ring->kind != SymbolKind::kRing) {
        UnknownName(c_, name.span, "ring", name.text, {SymbolKind::kRing});
        return;
      }
      ++ring->uses;
      bool built = std::any_of(c_.board().rings().begin(), c_.board().rings().end(),
                               [&](const board::Ring& r) { return r.name == name.text; });
      if (!built) return;  // its declaration was refused
      rings.push_back(name.text);
    }
    Refused(c_.builder.FacingAlong(rings), item.span, "name the rings whose cells face along them");
  }

  // True if the item is to be made; its condition may use options only.
  bool Wanted(const BoardItem& item) {
    if (!item.condition) return true;
    auto holds = ConstantOf(c_, Scope{}, *item.condition, rules::Type{}, "a condition");
    return holds && *holds != 0;
  }

  void DeflectAt(const BoardItem& item) {
    bool wanted = Wanted(item);
    for (const ast::Deflection& turn : item.turns) {
      int cell = Cell(turn.cell);
      int from = Direction(turn.from);
      int to = Direction(turn.to);
      if (cell < 0 || from < 0 || to < 0 || !wanted) continue;
      Refused(c_.builder.DeflectAt(cell, from, to), Join(turn.cell.span, turn.to.span),
              "a cell turns each heading one way");
    }
  }

  void DeflectEdges(const BoardItem& item) {
    for (std::size_t i = 0; i < item.names.size(); ++i) {
      std::string_view word = i == 0 ? "diagonals" : "edges";
      if (item.names[i].text == word) continue;
      Diagnostic& d = c_.Error(Code::kBoardItem, item.names[i].span, "expected `" + std::string(word) + "`");
      d.help.push_back("write `deflect diagonals at edges`, or `deflect at a1 w -> n`");
      return;
    }
    if (Wanted(item)) Refused(c_.builder.DeflectDiagonalsAtEdges(), item.span, "write `deflect at` for single cells");
  }

  void Directions(const BoardItem& item) {
    Symbol* symbol = c_.symbols.Find(item.names[0].text);
    if (symbol == nullptr || symbol->kind != SymbolKind::kDirectionSet) return;
    for (const ast::ExprPtr& value : item.values) {
      std::vector<int> labels = LabelsOf(c_, *value);
      if (labels.empty()) symbol->broken = true;
      for (int label : labels) {
        if (std::find(symbol->labels.begin(), symbol->labels.end(), label) == symbol->labels.end()) {
          symbol->labels.push_back(label);
        }
      }
    }
  }

  void Place(const BoardItem& item) {
    if (item.names.empty() || item.numbers.empty()) return;
    Symbol* symbol = c_.symbols.Find(item.names[0].text);
    if (symbol == nullptr || symbol->kind != SymbolKind::kZone || symbol->id < 0) return;
    rules::Zone& zone = c_.rules.zones[rules::ZoneId(symbol->id)];
    if (!zone.is_place || !zone.cells.empty() || zone.span != item.names[0].span) return;
    for (const ast::Index& index : item.index) {
      auto type = IndexType(index);
      if (!type) {
        symbol->broken = true;
        return;
      }
      zone.index_types.push_back(*type);
      zone.index.push_back(ValuesOf(c_, *type));
    }
    symbol->index_types = zone.index_types;
    IndexPattern pattern;
    for (const ast::Index& index : item.index)
      pattern.parts.push_back({index.name.text, rules::kNone, index.name.span});
    zone.cells.assign(static_cast<std::size_t>(CountOf(zone.index)), CellSet{});
    for (const PatternPlace& place : PlacesOf(zone.index, pattern)) {
      std::string name = zone.name;
      for (std::size_t i = 0; i < place.values.size(); ++i) {
        name += (i == 0 ? "[" : ",") + ValueText(c_, zone.index_types[i], place.values[i]);
      }
      if (!place.values.empty()) name += "]";
      int first = -1;
      std::string refusal = c_.builder.Place(name, item.numbers[0], &first);
      if (!refusal.empty()) {
        Refused(refusal, Numbers(item),
                "a board has at most " + std::to_string(board::kMaxCells) + " cells, the slots of places included");
        symbol->broken = true;
        return;
      }
      for (int i = 0; i < item.numbers[0]; ++i) {
        zone.cells[static_cast<std::size_t>(place.flat)].set(static_cast<std::size_t>(first + i));
      }
    }
  }

  std::optional<rules::Type> IndexType(const ast::Index& index) {
    if (index.type) return ResolveType(c_, *index.type, index.name.text);
    ast::Type written;
    written.kind = ast::TypeKind::kName;
    written.name = index.name;
    written.span = index.name.span;
    return ResolveType(c_, written, index.name.text);
  }

  void Facing() {
    for (const SourceDecl& d : c_.decls) {
      const auto* players = std::get_if<ast::Players>(&d.decl->payload);
      if (players == nullptr) continue;
      for (const ast::PlayerDecl& player : players->players) {
        if (!player.facing.present()) continue;
        int direction = Direction(player.facing);
        Symbol* symbol = c_.symbols.Find(player.name.text);
        if (direction < 0 || symbol == nullptr || symbol->kind != SymbolKind::kPlayer) continue;
        Refused(c_.builder.Face(symbol->id, direction), player.facing.span, "write a direction of the board");
      }
    }
  }

  Context& c_;
  Span block_;
  const BoardItem* generator_ = nullptr;
  bool failed_ = false;
  int width_ = 0, height_ = 0;
};

}  // namespace

void BuildBoard(Context& c) { Items(c).Run(); }

void BuildBarriers(Context& c) {
  for (const SourceDecl& d : c.decls) {
    const auto* board = std::get_if<ast::Board>(&d.decl->payload);
    if (board == nullptr) continue;
    for (const BoardItem& item : board->items) {
      if (item.kind != BoardItemKind::kBarrier || item.values.size() < 2) continue;
      auto one = CellsOf(c, Scope{}, *item.values[0]);
      auto other = CellsOf(c, Scope{}, *item.values[1]);
      Symbol* symbol = c.symbols.Find(item.names[0].text);
      bool built = false;
      if (one && other) {
        std::string refusal = c.builder.Barrier(item.names[0].text, *one, *other);
        built = refusal.empty();
        if (!built) {
          c.Error(Code::kBoardItem, Join(item.values[0]->span, item.values[1]->span), refusal)
              .help.push_back("a barrier lies between cells that are next to each other");
        }
      }
      if (symbol == nullptr || symbol->kind != SymbolKind::kBarrier) continue;
      symbol->broken = !built;
      symbol->id = static_cast<int>(c.board().barriers().size()) - 1;
    }
  }
}

}  // namespace arbiter::check
