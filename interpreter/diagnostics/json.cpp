// The JSON view. In a file of its own because the library's header is large.
#include <nlohmann/json.hpp>

#include "diagnostics/render.h"

namespace arbiter::diagnostics {

namespace {

using Json = nlohmann::ordered_json;

const char* NameOf(Severity severity) {
  return severity == Severity::kError ? "error" : severity == Severity::kWarning ? "warning" : "note";
}

// Lines and columns count from 1, columns in code points; offsets count bytes. The end is exclusive.
Json SpanJson(Span span, const source::SourceMap& sources) {
  if (!span.valid()) return nullptr;
  source::Place begin = sources.PlaceOf(span.file, span.begin);
  source::Place end = sources.PlaceOf(span.file, span.end);
  return {{"file", sources.path(span.file)}, {"line", begin.line},   {"column", begin.column}, {"end_line", end.line},
          {"end_column", end.column},        {"offset", span.begin}, {"end_offset", span.end}};
}

Json LabelsJson(const std::vector<Label>& labels, const source::SourceMap& sources) {
  Json all = Json::array();
  for (const Label& label : labels) {
    all.push_back({{"span", SpanJson(label.span, sources)}, {"text", label.text}});
  }
  return all;
}

Json FixJson(const Fix& fix, const source::SourceMap& sources) {
  Json edits = Json::array();
  for (const Edit& edit : fix.edits) {
    edits.push_back({{"span", SpanJson(edit.span, sources)}, {"replacement", edit.replacement}});
  }
  return {{"title", fix.title},
          {"confidence", fix.confidence == Fix::Confidence::kSure ? "sure" : "maybe"},
          {"edits", std::move(edits)}};
}

Json DiagnosticJson(const Diagnostic& d, const source::SourceMap& sources) {
  Json fixes = Json::array();
  for (const Fix& fix : d.fixes) fixes.push_back(FixJson(fix, sources));
  return {{"severity", NameOf(d.severity)},
          {"code", CodeName(d.code)},
          {"message", d.message},
          {"span", SpanJson(d.span, sources)},
          {"caption", d.caption},
          {"labels", LabelsJson(d.labels, sources)},
          {"path", LabelsJson(d.path, sources)},
          {"notes", d.notes},
          {"help", d.help},
          {"fixes", std::move(fixes)}};
}

// Rule files are UTF-8, but a message may quote bytes of one that is not.
std::string Text(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

}  // namespace

std::string ToJson(const Diagnostic& diagnostic, const source::SourceMap& sources) {
  return Text(DiagnosticJson(diagnostic, sources), -1);
}

std::string ToJson(const Sink& sink, const source::SourceMap& sources) {
  Json all = Json::array();
  int errors = 0;
  int warnings = 0;
  for (const Diagnostic& d : sink.all()) {
    errors += d.severity == Severity::kError ? 1 : 0;
    warnings += d.severity == Severity::kWarning ? 1 : 0;
    all.push_back(DiagnosticJson(d, sources));
  }
  Json whole = {
      {"diagnostics", std::move(all)}, {"errors", errors}, {"warnings", warnings}, {"truncated", sink.truncated()}};
  return Text(whole, 2) + "\n";
}

}  // namespace arbiter::diagnostics
