// Options: their types, their values in the file and those that the user chose.
//
// In file order, so that the range of an option may use the options above it. Options that choose
// directions get their labels once the board is there (ResolveDirectionOptions).

#include <algorithm>
#include <charconv>

#include "check/declare.h"
#include "check/passes.h"

namespace arbiter::check {

using rules::Base;
using rules::Value;

namespace {

constexpr std::size_t kMaxListed = 24;
constexpr std::size_t kMaxOptions = 250;

std::string Quoted(const std::vector<std::string>& names) {
  std::string list;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) list += i + 1 == names.size() ? " or " : ", ";
    list += "`" + names[i] + "`";
  }
  return list;
}

std::optional<Value> ReadInt(std::string_view text) {
  Value value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

class Options {
 public:
  Options(Context& c, const std::vector<std::pair<std::string, std::string>>& chosen) : c_(c), chosen_(chosen) {}

  void Run() {
    for (const SourceDecl& d : c_.decls) {
      const auto* option = std::get_if<ast::Option>(&d.decl->payload);
      if (option == nullptr) continue;
      if (c_.rules.options.size() == kMaxOptions) {
        c_.Error(Code::kLimitCount, option->name.span, "more than " + std::to_string(kMaxOptions) + " options")
            .help.push_back("say the same with fewer");
        return;
      }
      One(*d.decl, *option);
    }
    for (const auto& [name, value] : chosen_) CheckKnown(name);
  }

 private:
  void One(const ast::Decl& decl, const ast::Option& option) {
    Symbol* symbol = c_.symbols.Find(option.name.text);
    if (symbol == nullptr || symbol->decl != &decl) return;
    symbol->broken = true;
    auto type = ResolveType(c_, option.type, option.name.text);
    if (!type || !Allowed(*type, option)) return;
    rules::OptionValue entry;
    entry.name = option.name.text;
    entry.type = *type;
    entry.type_text = TypeTextOf(*type, option);
    entry.values = Values(*type, option);
    entry.doc = decl.doc;
    entry.span = option.name.span;
    for (const ast::Cite& cite : decl.cites) entry.clauses.push_back(cite.clause);
    symbol->type = *type;
    symbol->id = static_cast<int>(c_.rules.options.size());
    auto initial = Initial(*symbol, option, entry);
    if (!initial) return;
    entry.initial = entry.chosen = TextOf(entry, *initial);
    symbol->value = *initial;
    if (auto value = Chosen(entry, *symbol)) {
      symbol->value = *value;
      entry.chosen = TextOf(entry, *value);
    }
    symbol->broken = false;
    c_.rules.options.push_back(std::move(entry));
  }

  bool Allowed(const rules::Type& type, const ast::Option& option) {
    bool single = !type.set && (type.base == Base::kBool || type.base == Base::kEnum || type.base == Base::kPlayer ||
                                (type.base == Base::kInt && option.type.kind == ast::TypeKind::kRange));
    bool directions = type.base == Base::kDirection && type.set && !option.type.values.empty();
    if ((single && !type.optional) || directions) return true;
    c_.Error(Code::kTypeState, option.type.span, "an option cannot have this type")
        .help.push_back(
            "an option is bool, a range `1..20`, a list `{ must, may }`, or `directions { all, orthogonal }`");
    return false;
  }

  static std::string NameIn(const ast::Expr& expr) { return expr.kind == ast::ExprKind::kName ? expr.text : ""; }

  std::string TypeTextOf(const rules::Type& type, const ast::Option& option) const {
    if (type.base != Base::kDirection) return TypeText(c_, type);
    std::string text = "directions {";
    for (const ast::ExprPtr& value : option.type.values) {
      text += (text.back() == '{' ? " " : ", ") + std::string(c_.sources.Slice(value->span));
    }
    return text + " }";
  }

  std::vector<std::string> Values(const rules::Type& type, const ast::Option& option) const {
    std::vector<std::string> names;
    if (type.base == Base::kDirection) {
      for (const ast::ExprPtr& value : option.type.values) names.emplace_back(c_.sources.Slice(value->span));
      return names;
    }
    std::vector<Value> values = ValuesOf(c_, type);
    if (values.size() > kMaxListed) return names;
    for (Value value : values) names.push_back(ValueText(c_, type, value));
    return names;
  }

  std::string TextOf(const rules::OptionValue& entry, Value value) const {
    if (entry.type.base == Base::kDirection) return entry.values[static_cast<std::size_t>(value)];
    return ValueText(c_, entry.type, value);
  }

  // The value that a text stands for; nothing if the type has no such value.
  std::optional<Value> Read(const rules::OptionValue& entry, std::string_view text) const {
    if (entry.type.base == Base::kInt) {
      auto value = ReadInt(text);
      bool inside = value && *value >= entry.type.low && *value <= entry.type.high;
      return inside ? value : std::nullopt;
    }
    auto found = std::find(entry.values.begin(), entry.values.end(), text);
    if (found == entry.values.end()) return std::nullopt;
    return static_cast<Value>(found - entry.values.begin());
  }

  std::optional<Value> Initial(const Symbol& symbol, const ast::Option& option, const rules::OptionValue& entry) {
    if (!option.value || option.value->kind == ast::ExprKind::kError) return std::nullopt;
    std::string text(c_.sources.Slice(option.value->span));
    if (entry.type.base == Base::kInt && option.value->kind != ast::ExprKind::kInt) {
      auto value = ConstantInt(c_, *option.value);
      if (!value) return std::nullopt;
      text = std::to_string(*value);
    }
    if (auto value = Read(entry, text)) return value;
    Diagnostic& d = c_.Error(Code::kOptionValue, option.value->span,
                             "`" + text + "` is no value of the option `" + symbol.name + "`");
    d.labels.push_back({option.type.span, "its values"});
    Explain(d, option.value->span, entry, text);
    return std::nullopt;
  }

  void Explain(Diagnostic& d, Span fix, const rules::OptionValue& entry, const std::string& text) const {
    bool counts = entry.type.base == Base::kInt;  // no number is near another in the way names are
    std::string near = counts ? "" : diagnostics::Nearest(text, entry.values);
    if (!near.empty() && fix.valid()) {
      d.fixes.push_back({"did you mean `" + near + "`?", {{fix, near}}, diagnostics::Fix::Confidence::kMaybe});
    } else if (!near.empty()) {
      d.help.push_back("did you mean `" + near + "`?");
    } else if (!counts && !entry.values.empty()) {
      d.help.push_back("write " + Quoted(entry.values));
    } else {
      d.help.push_back("write a number from " + std::to_string(entry.type.low) + " to " +
                       std::to_string(entry.type.high));
    }
  }

  // What the user chose, the last if several; a wrong value is reported at the declaration.
  std::optional<Value> Chosen(const rules::OptionValue& entry, const Symbol& symbol) {
    auto choice = std::find_if(chosen_.rbegin(), chosen_.rend(), [&](const auto& o) { return o.first == entry.name; });
    if (choice == chosen_.rend()) return std::nullopt;
    if (auto value = Read(entry, choice->second)) return value;
    Diagnostic& d = c_.Error(Code::kOptionValue, symbol.span,
                             "the option `" + entry.name + "` was given the value `" + choice->second + "`");
    d.caption = "its values are " + entry.type_text;
    Explain(d, Span{}, entry, choice->second);
    return std::nullopt;
  }

  // A choice on the command line has no place in a text: it is shown at the option it nearly names, else
  // at the title of the game.
  void CheckKnown(const std::string& name) {
    Symbol* symbol = c_.symbols.Find(name);
    if (symbol != nullptr && symbol->kind == SymbolKind::kOption) return;
    std::vector<std::string> names = c_.symbols.Names([](const Symbol& s) { return s.kind == SymbolKind::kOption; });
    std::string near = diagnostics::Nearest(name, names);
    Span span = near.empty() ? GameSpan(c_) : c_.symbols.Find(near)->span;
    Diagnostic& d = c_.Error(Code::kOptionUnknown, span, "this game has no option `" + name + "`");
    if (!near.empty()) {
      d.caption = "declared here";
      d.help.push_back("did you mean `" + near + "`?");
    } else if (names.empty()) {
      d.help.push_back("this game has no options: leave it out");
    } else {
      d.help.push_back("its options are " + Quoted(names));
    }
  }

  Context& c_;
  const std::vector<std::pair<std::string, std::string>>& chosen_;
};

}  // namespace

void ChooseOptions(Context& c, const std::vector<std::pair<std::string, std::string>>& chosen) {
  Options(c, chosen).Run();
}

void ResolveDirectionOptions(Context& c) {
  for (const SourceDecl& d : c.decls) {
    const auto* option = std::get_if<ast::Option>(&d.decl->payload);
    if (option == nullptr) continue;
    Symbol* symbol = c.symbols.Find(option->name.text);
    if (symbol == nullptr || symbol->decl != d.decl || symbol->broken || symbol->type.base != Base::kDirection)
      continue;
    for (std::size_t i = 0; i < option->type.values.size(); ++i) {
      std::vector<int> labels = LabelsOf(c, *option->type.values[i]);
      if (labels.empty()) symbol->broken = true;
      if (static_cast<Value>(i) == symbol->value) symbol->labels = labels;
    }
    for (int label : symbol->labels) {
      if (label >= 0) symbol->option_set.push_back(label);
    }
  }
}

}  // namespace arbiter::check
