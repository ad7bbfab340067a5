// Citations: every `§4.2` of the game with what stands above it, and whether the rule text has it.

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "check/check.h"
#include "check/declare.h"
#include "check/passes.h"
#include "rules/clauses.h"
#include "source/loader.h"

namespace arbiter::check {

namespace {

// ---- collecting --------------------------------------------------------------------------------

using Basis = rules::Statement::Basis;

// Every statement of the declarations, and what they cite.
class Collector {
 public:
  explicit Collector(Context& c) : c_(c) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      if (d.library && !c_.trace) continue;
      what_ = "declaration";
      name_.clear();
      span_ = d.decl->span;
      library_ = d.library;
      Inside declaration(*this, d.decl->span);
      std::visit(*this, d.decl->payload);
      All(d.decl->cites);
      if (d.library) continue;
      rules::Statement& made = statements_[at_];
      made.what = what_;
      made.name = name_;
      made.place = span_;
    }
  }

  void operator()(const ast::Use& d) {
    Name("use", d.module, d.span);
    Brings(d.span);
  }
  void operator()(const ast::Extends& d) {
    Name("extends", d.path, d.span);
    Brings(d.span);
  }
  void operator()(const ast::Option& d) {
    Name("option", d.name);
    Named(d.name);
  }
  void operator()(const ast::Players&) {
    what_ = "players";
    Of(Basis::kAlways);
  }
  void operator()(const ast::Board& d) {
    what_ = "board";
    Of(Basis::kAlways);
    for (const ast::BoardItem& item : d.items) {
      Inside inside(*this, item.span);
      Of(Basis::kAlways);
      if (item.zone) Named(item.zone->name);
      if (item.kind == ast::BoardItemKind::kRing || item.kind == ast::BoardItemKind::kPlace ||
          item.kind == ast::BoardItemKind::kBarrier || item.kind == ast::BoardItemKind::kDirections) {
        if (!item.names.empty()) Named(item.names.front());
      }
      Span outer = span_;
      span_ = item.span;
      std::string name = item.zone ? item.zone->name.text : item.names.empty() ? "" : item.names[0].text;
      bool named = item.zone || item.kind == ast::BoardItemKind::kRing || item.kind == ast::BoardItemKind::kPlace ||
                   item.kind == ast::BoardItemKind::kBarrier;
      if (item.zone) what_ = "zone";
      if (named) name_ = name;
      All(item.cites);
      what_ = "board";
      name_.clear();
      span_ = outer;
    }
  }
  void operator()(const ast::Zone& d) {
    Name("zone", d.name);
    Named(d.name);
  }
  void operator()(const ast::State& d) {
    what_ = d.of_pieces ? "piece state" : "state";
    if (!d.vars.empty()) Name(what_, d.vars.front().name);
    for (const ast::StateVar& var : d.vars) Named(var.name);
  }
  void operator()(const ast::Piece& d) {
    Name("piece", d.name);
    if (d.fixed) Of(Basis::kAlways);  // it stands where it stands
    Items(d.items);
  }
  void operator()(const ast::PieceAttribute& d) {
    Name("attribute", d.name);
    Named(d.name);
  }
  void operator()(const ast::EveryPiece& d) {
    what_ = "every piece";
    Items(d.items);
  }
  void operator()(const ast::ClassDecl& d) {
    what_ = "class";
    if (!d.names.empty()) Name("class", d.names.front());
    for (const ast::Name& name : d.names) Named(name);
  }
  void operator()(const ast::Action& d) {
    Name("action", d.name);
    Steps(d.steps);
  }
  void operator()(const ast::Define& d) {
    Name("define", d.name);
    if (!defined_.contains(Key(statements_[at_].extent))) Named(d.name);  // it has no value of its own
  }
  void operator()(const ast::WalkDecl& d) {
    Name("walk", d.name);
    Named(d.name);
  }
  void operator()(const ast::EffectDecl& d) {
    Name("effect", d.name);
    Block(d.block);
  }
  void operator()(const ast::TurnDecl& d) {
    Name("turn", d.name);
    Turn(d.turn.get());
  }
  void operator()(const ast::Phase& d) {
    Name("phase", d.name);
    Turn(d.turn.get());
    if (d.after) Block(*d.after);
  }
  void operator()(const ast::Handler& d) {
    Name("when", std::string(c_.sources.Slice(d.event.span)), d.event.span);
    Block(d.block);
  }
  void operator()(const ast::Law&) { what_ = "forbid"; }
  void operator()(const ast::Outcome& d) {
    constexpr const char* kWords[] = {"win", "lose", "draw", "draw", "limit"};
    what_ = kWords[static_cast<int>(d.kind)];
  }
  void operator()(const ast::Setup& d) { Name("setup", d.name); }
  void operator()(const ast::Start&) {
    what_ = "start";
    Of(Basis::kAlways);
  }
  void operator()(const ast::ShowDecl& d) {
    Name("show", d.name);
    Of(Basis::kNever);
  }
  void operator()(const ast::ShowZones& d) {
    Name("show", d.word);
    Of(Basis::kNever);
  }
  void operator()(const ast::Example& d) {
    Name("example", d.title, span_);
    Of(Basis::kNever);
    for (const ast::ExampleItem& item : d.items) All(item.because);
  }
  template <class T>
  void operator()(const T&) {}

 private:
  void Name(std::string_view what, const ast::Name& name) {
    what_ = what;
    name_ = name.text;
    if (name.present()) span_ = name.span;
  }
  void Name(std::string_view what, std::string name, Span span) {
    what_ = what;
    name_ = std::move(name);
    span_ = span;
  }

  // The statement that is being read, while it lives.
  class Inside {
   public:
    Inside(Collector& c, Span extent) : c_(c), outer_(c.at_) {
      c_.at_ = c_.statements_.size();
      c_.statements_.push_back({extent, Basis::kMark, {}, {}, {}, {}, {}});
    }
    ~Inside() { c_.at_ = outer_; }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Collector& c_;
    std::size_t outer_;
  };
  void Of(Basis basis) { statements_[at_].basis = basis; }
  void Brings(Span span) {
    Of(Basis::kFile);
    auto file = c_.imported.find({span.file, span.begin});
    if (file != c_.imported.end()) statements_[at_].file = file->second;
  }
  void Named(const ast::Name& name) {
    if (!name.present()) return;
    Of(Basis::kUse);
    names_.emplace(name.text, static_cast<int>(at_));
  }

  void All(const ast::Cites& cites) {
    if (library_) return;
    for (const ast::Cite& cite : cites) {
      cites_.push_back({cite.clause, what_, name_, span_, what_ == "example" ? -1 : static_cast<int>(at_)});
      places_.push_back(cite.span);
    }
  }

  void Items(const std::vector<ast::PieceItem>& items) {
    for (const ast::PieceItem& item : items) {
      // What a piece is, not does, counts with the piece.
      bool does = item.kind != ast::PieceItemKind::kMayBeOffBoard && item.kind != ast::PieceItemKind::kAttribute;
      Inside inside(*this, does ? item.span : statements_[at_].extent);
      All(item.cites);
      if (item.riders.effects) Block(*item.riders.effects);
    }
  }

  void Steps(const std::vector<ast::Step>& steps) {
    for (const ast::Step& step : steps) {
      Inside inside(*this, step.span);
      All(step.cites);
      Block(step.block);
      Steps(step.body);
      Steps(step.otherwise);
    }
  }

  void Block(const ast::Block& block) {
    for (const ast::Effect& effect : block) {
      Inside inside(*this, effect.span);
      All(effect.cites);
      Block(effect.body);
      Block(effect.otherwise);
    }
  }

  static bool Cites(const ast::Turn& turn) {
    return !turn.cites.empty() ||
           std::any_of(turn.children.begin(), turn.children.end(), [](const auto& c) { return c && Cites(*c); });
  }

  // Behind the last part of `A else B else C` stands what is cited for all of them, if the others cite nothing.
  void Turn(const ast::Turn* turn, Span around = {}) {
    if (turn == nullptr) return;
    if (!around.valid()) around = turn->span;
    Inside inside(*this, around);
    All(turn->cites);
    bool choice = turn->kind == ast::TurnKind::kOr || turn->kind == ast::TurnKind::kElse;
    bool cited = false;
    for (std::size_t i = 0; i < turn->children.size(); ++i) {
      const ast::Turn* child = turn->children[i].get();
      bool for_all = choice && i + 1 == turn->children.size() && !cited;
      Turn(child, for_all ? around : Span{});
      cited = cited || (child != nullptr && Cites(*child));
    }
  }

 public:
  std::vector<rules::Citation> cites_;
  std::vector<Span> places_;  // of the citations themselves
  std::vector<rules::Statement> statements_;
  std::multimap<std::string, int, std::less<>> names_;  // of the statements that count by their names
  std::set<std::pair<int, uint32_t>> defined_;          // definitions whose value is traced

  static std::pair<int, uint32_t> Key(Span span) { return {span.file.value, span.begin}; }

 private:
  Context& c_;
  std::string what_, name_;
  Span span_;
  bool library_ = false;
  std::size_t at_ = 0;  // the innermost statement
};

// ---- where names stand --------------------------------------------------------------------------

bool IsWordByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// The words of a text, without those in comments and in quotes: `told(begin, end)`.
template <class Told>
void EachWord(std::string_view text, Told told) {
  for (std::size_t at = 0; at < text.size();) {
    if (text.substr(at).starts_with("//")) {
      at = std::min(text.find('\n', at), text.size());
    } else if (text[at] == '"') {
      std::string_view mark = text.substr(at).starts_with("\"\"\"") ? "\"\"\"" : "\"";
      std::size_t end = text.find(mark, at + mark.size());
      at = end == std::string_view::npos ? text.size() : end + mark.size();
    } else if (IsWordByte(text[at])) {
      std::size_t end = at;
      while (end < text.size() && IsWordByte(text[end])) ++end;
      told(at, end);
      at = end;
    } else {
      ++at;
    }
  }
}

// A name counts with the innermost statement around it; a local name of the same spelling is taken for it.
void CollectUsers(const source::SourceMap& sources, Collector& collector) {
  std::map<int, std::vector<int>> by_file;
  for (std::size_t i = 0; i < collector.statements_.size(); ++i) {
    const Span& extent = collector.statements_[i].extent;
    if (extent.valid()) by_file[extent.file.value].push_back(static_cast<int>(i));
  }
  for (const auto& [file, inside] : by_file) {
    std::string_view text = sources.text(source::FileId(file));
    EachWord(text, [&](std::size_t begin, std::size_t end) {
      auto [name, last] = collector.names_.equal_range(text.substr(begin, end - begin));
      if (name == last) return;
      int innermost = -1;
      uint32_t least = ~uint32_t{0};
      for (int i : inside) {
        const Span& extent = collector.statements_[static_cast<std::size_t>(i)].extent;
        bool around = extent.begin <= begin && end <= extent.end && extent.end - extent.begin < least;
        if (!around) continue;
        innermost = i;
        least = extent.end - extent.begin;
      }
      for (; innermost >= 0 && name != last; ++name) {
        std::vector<int>& users = collector.statements_[static_cast<std::size_t>(name->second)].users;
        if (name->second != innermost && (users.empty() || users.back() != innermost)) users.push_back(innermost);
      }
    });
  }
}

// ---- checking ----------------------------------------------------------------------------------

std::vector<int> Numbers(std::string_view clause) {
  std::vector<int> numbers;
  while (!clause.empty()) {
    int n = 0;
    std::from_chars(clause.data(), clause.data() + clause.size(), n);
    numbers.push_back(n);
    std::size_t dot = clause.find('.');
    if (dot == std::string_view::npos) break;
    clause.remove_prefix(dot + 1);
  }
  return numbers;
}

// The clause that shares most of its number, and among those the one next to it.
std::string NearestClause(std::string_view wrong, const std::vector<rules::Clause>& clauses) {
  std::vector<int> wanted = Numbers(wrong);
  std::string best;
  std::size_t most = 0;
  int64_t least = 0;
  for (const rules::Clause& clause : clauses) {
    std::vector<int> numbers = Numbers(clause.number);
    auto [w, n] = std::mismatch(wanted.begin(), wanted.end(), numbers.begin(), numbers.end());
    auto shared = static_cast<std::size_t>(w - wanted.begin());
    int64_t gap = std::abs(int64_t{w == wanted.end() ? 0 : *w} - int64_t{n == numbers.end() ? 0 : *n});
    if (!best.empty() && (shared < most || (shared == most && gap >= least))) continue;
    best = clause.number;
    most = shared;
    least = gap;
  }
  return best;
}

struct RuleTextFile {
  bool read = false;
  std::vector<rules::Clause> clauses;
  std::set<std::string> numbers;
};

RuleTextFile ReadText(Context& c, const Context::RuleText& text, const source::Loader& loader,
                      source::SourceMap& sources) {
  using Problem = source::LoadResult::Problem;
  RuleTextFile result;
  source::LoadResult loaded = loader.Read(text.path);
  if (loaded.problem == Problem::kMissing) {
    if (auto embedded = source::FindEmbedded(text.path)) {
      loaded.problem = Problem::kNone;
      loaded.text = std::string(*embedded);
    }
  }
  if (loaded.problem == Problem::kTooLarge) {
    c.Error(Code::kLimitSize, text.span, "`" + text.path + "` is larger than a text may be");
    return result;
  }
  if (loaded.problem != Problem::kNone) {
    c.Error(Code::kImportMissing, text.span, "no rule text `" + text.path + "`")
        .help.push_back("write the rules there in numbered clauses, or leave `text` out");
    return result;
  }
  source::FileId id = sources.Add(text.path, std::move(loaded.text));
  result.read = true;
  result.clauses = rules::ReadClauses(sources.text(id));
  for (const rules::Clause& clause : result.clauses) result.numbers.insert(clause.number);
  return result;
}

constexpr std::size_t kMissingAlone = 3;  // so many missing clauses of one text are told one by one
constexpr std::size_t kMissingListed = 60;

// A rule text that is not written yet is one problem.
void TellManyMissing(Context& c, const std::string& path, std::vector<std::string> clauses, Span first) {
  std::sort(clauses.begin(), clauses.end(),
            [](const std::string& a, const std::string& b) { return Numbers(a) < Numbers(b); });
  const std::size_t count = clauses.size();
  if (count > kMissingListed) clauses.resize(kMissingListed);
  std::string list;
  for (const std::string& clause : clauses) list += (list.empty() ? "" : ", ") + clause;
  if (count > kMissingListed) list += ", …";
  Diagnostic& d = c.Error(Code::kCiteMissing, first,
                          "`" + path + "` lacks " + std::to_string(count) + " of the clauses that are cited");
  d.caption = "the first that is missing";
  d.notes.push_back("missing: " + list);
  d.help.push_back("write them there, each in a line that begins with its number, as in `**" + clauses.front() +
                   "** …`");
}

}  // namespace

void CollectCitations(Context& c) {
  Collector collector(c);
  for (std::size_t i = 0; c.trace && i < c.rules.exprs.size(); ++i) {
    const rules::Expr& expr = c.rules.exprs[rules::ExprId(i)];
    for (Span definition : expr.defined) collector.defined_.insert(Collector::Key(definition));
  }
  collector.Run();
  if (c.trace) {
    CollectUsers(c.sources, collector);
    c.rules.statements = collector.statements_;
  }
  // Clauses of another game's rule text are none of this game's.
  std::string ours_path;
  if (c.rules.text_span.valid()) {
    ours_path = source::BesidePath(c.sources.path(c.rules.text_span.file), c.rules.text_path);
  }
  for (const rules::Citation& citation : collector.cites_) {
    auto text = c.texts.find(citation.span.file);
    bool ours = text == c.texts.end() || text->second.path == ours_path;
    if (ours) c.rules.citations.push_back(citation);
  }
}

void CheckCitations(Context& c, const source::Loader& loader, source::SourceMap& sources) {
  Collector collector(c);
  collector.Run();
  std::map<std::string, RuleTextFile> files;
  for (const auto& [file, text] : c.texts) {
    if (!files.contains(text.path)) files[text.path] = ReadText(c, text, loader, sources);
  }
  bool told = false;
  std::map<std::string, std::vector<std::size_t>> missing;  // by rule text: citations of clauses it does not have
  for (std::size_t i = 0; i < collector.cites_.size(); ++i) {
    const std::string& clause = collector.cites_[i].clause;
    Span place = collector.places_[i];
    auto text = c.texts.find(place.file);
    if (text == c.texts.end()) {
      if (!told) {
        c.Error(Code::kCiteMissing, place, "this file names no rule text to cite")
            .help.push_back("add `text \"rules.md\"` above");
      }
      told = true;
      continue;
    }
    RuleTextFile& read = files[text->second.path];
    if (read.read && read.clauses.empty()) {
      c.Error(Code::kCiteMissing, place, "`" + text->second.path + "` has no numbered clauses")
          .help.push_back("a clause begins a line with its number, as in `**4.2** …`");
      read.read = false;  // said once
    }
    if (read.read && !read.numbers.contains(clause)) missing[text->second.path].push_back(i);
  }
  for (const auto& [path, cited] : missing) {
    std::vector<std::string> clauses;
    for (std::size_t i : cited) {
      const std::string& clause = collector.cites_[i].clause;
      if (std::find(clauses.begin(), clauses.end(), clause) == clauses.end()) clauses.push_back(clause);
    }
    if (clauses.size() > kMissingAlone) {
      TellManyMissing(c, path, clauses, collector.places_[cited.front()]);
      continue;
    }
    for (std::size_t i : cited) {
      const Span place = collector.places_[i];
      Diagnostic& d = c.Error(Code::kCiteMissing, place, "`" + path + "` has no clause " + collector.cites_[i].clause);
      std::string near = NearestClause(collector.cites_[i].clause, files[path].clauses);
      std::string_view sign = c.sources.Slice(place).starts_with("@") ? "@" : "§";
      d.fixes.push_back(
          {"the nearest is §" + near, {{place, std::string(sign) + near}}, diagnostics::Fix::Confidence::kMaybe});
    }
  }
}

// ---- placing -----------------------------------------------------------------------------------

namespace {

struct Placed {
  std::set<std::string> kinds;

  void Block(const ast::Block& block) {
    for (const ast::Effect& e : block) {
      if (e.kind == ast::EffectKind::kPlace) kinds.insert(e.name.text);
      if (e.kind == ast::EffectKind::kBecomes && e.value) kinds.insert(e.value->text);
      Block(e.body);
      Block(e.otherwise);
    }
  }
  void Steps(const std::vector<ast::Step>& steps) {
    for (const ast::Step& s : steps) {
      Block(s.block);
      Steps(s.body);
      Steps(s.otherwise);
    }
  }
  void Items(const std::vector<ast::PieceItem>& items) {
    for (const ast::PieceItem& item : items) {
      if (item.riders.effects) Block(*item.riders.effects);
    }
  }
  void operator()(const ast::Action& d) { Steps(d.steps); }
  void operator()(const ast::EffectDecl& d) { Block(d.block); }
  void operator()(const ast::Handler& d) { Block(d.block); }
  void operator()(const ast::Phase& d) {
    if (d.after) Block(*d.after);
  }
  void operator()(const ast::Piece& d) { Items(d.items); }
  void operator()(const ast::EveryPiece& d) { Items(d.items); }
  template <class T>
  void operator()(const T&) {}
};

}  // namespace

std::set<std::string> PlacedKinds(const Context& c) {
  Placed placed;
  for (const SourceDecl& d : c.decls) std::visit(placed, d.decl->payload);
  return std::move(placed.kinds);
}

}  // namespace arbiter::check
