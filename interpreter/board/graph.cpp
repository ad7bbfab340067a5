#include "board/graph.h"

// g++ 12 at -O2 takes the empty optional in Boost's edge iterators for a value that may be read.
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/circle_layout.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/graphviz.hpp>
#include <boost/graph/kamada_kawai_spring_layout.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/graph/vf2_sub_graph_iso.hpp>
#include <cmath>
#include <cstdio>
#include <map>
#include <sstream>

namespace arbiter::board {

namespace {

constexpr std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Parallel edges are one edge with several labels: a small torus has many.
struct Edge {
  LabelSet labels;
  std::size_t count = 0;  // of the labels
};
using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::bidirectionalS, boost::no_property, Edge>;
using Vertex = boost::graph_traits<Graph>::vertex_descriptor;

Graph Build(const Board& board, const LabelSet& labels) {
  Graph graph(At(board.board_size()));
  for (int cell = 0; cell < board.board_size(); ++cell) {
    std::map<int, LabelSet> targets;
    for (int l = 0; l < board.label_count(); ++l) {
      if (labels.test(At(l)) && board.Next(l, cell) >= 0) targets[board.Next(l, cell)].set(At(l));
    }
    for (const auto& [to, through] : targets) boost::add_edge(At(cell), At(to), Edge{through, through.count()}, graph);
  }
  return graph;
}

}  // namespace

LabelSet Labels(const Board& board, bool with_vectors) {
  LabelSet labels;
  for (int l = 0; l < (with_vectors ? board.label_count() : board.direction_count()); ++l) labels.set(At(l));
  return labels;
}

// ---- reachability ------------------------------------------------------------------------------

std::vector<int> Distances(const Board& board, int from, const LabelSet& labels) {
  std::vector<int> distances(At(board.board_size()), -1);
  if (from < 0 || from >= board.board_size()) return distances;
  distances[At(from)] = 0;
  const Graph graph = Build(board, labels);
  boost::breadth_first_search(
      graph, At(from),
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(distances.data(), boost::on_tree_edge()))));
  return distances;
}

CellSet Reachable(const Board& board, const CellSet& from, const LabelSet& labels) {
  const Graph graph = Build(board, labels);
  std::vector<boost::default_color_type> colours(boost::num_vertices(graph), boost::white_color);
  boost::queue<Vertex> queue;
  CellSet reached;
  for (int cell = 0; cell < board.board_size(); ++cell) {
    if (!from.test(At(cell)) || colours[At(cell)] != boost::white_color) continue;
    boost::breadth_first_visit(graph, At(cell), queue, boost::default_bfs_visitor(),
                               boost::make_iterator_property_map(colours.begin(), get(boost::vertex_index, graph)));
  }
  for (std::size_t v = 0; v < colours.size(); ++v) reached.set(v, colours[v] != boost::white_color);
  return reached;
}

Components StrongComponents(const Board& board, const LabelSet& labels) {
  const Graph graph = Build(board, labels);
  Components components;
  std::vector<int> raw(boost::num_vertices(graph), 0);
  if (raw.empty()) return components;
  const int count = static_cast<int>(
      boost::strong_components(graph, boost::make_iterator_property_map(raw.begin(), get(boost::vertex_index, graph))));
  std::vector<int> number(At(count), -1);
  int next = 0;
  for (const int component : raw) {
    int& n = number[At(component)];
    if (n < 0) n = next++;
    components.of.push_back(n);
  }
  components.entered.assign(At(count), false);
  components.left.assign(At(count), false);
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const int a = components.of[boost::source(edge, graph)];
    const int b = components.of[boost::target(edge, graph)];
    if (a == b) continue;
    components.left[At(a)] = true;
    components.entered[At(b)] = true;
  }
  return components;
}

CellSet DeadEnds(const Board& board, const LabelSet& labels) {
  const Components components = StrongComponents(board, labels);
  CellSet ends;
  for (int cell = 0; cell < board.board_size(); ++cell) {
    const std::size_t c = At(components.of[At(cell)]);
    if (components.entered[c] && !components.left[c]) ends.set(At(cell));
  }
  return ends;
}

CellSet Unreachable(const Board& board, const LabelSet& labels) {
  const Graph graph = Build(board, labels);
  CellSet lonely;
  for (int cell = 0; board.board_size() > 1 && cell < board.board_size(); ++cell) {
    if (boost::in_degree(At(cell), graph) == 0) lonely.set(At(cell));
  }
  return lonely;
}

// ---- symmetries --------------------------------------------------------------------------------

namespace {

// What every symmetry keeps: a number per cell from its neighbourhood, some rounds deep. Prunes the
// search; two cells with different numbers cannot be images of each other.
std::vector<uint64_t> Invariants(const Graph& graph) {
  std::vector<uint64_t> now(boost::num_vertices(graph), 1);
  const auto mix = [](uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  };
  for (int round = 0; round < 6; ++round) {
    std::vector<uint64_t> next(now.size());
    for (std::size_t v = 0; v < now.size(); ++v) {
      uint64_t sum = mix(now[v]);
      for (const auto edge : boost::make_iterator_range(boost::out_edges(v, graph))) {
        sum += mix(now[boost::target(edge, graph)] * 2 + graph[edge].count);
      }
      for (const auto edge : boost::make_iterator_range(boost::in_edges(v, graph))) {
        sum += mix(mix(now[boost::source(edge, graph)] + 7) + graph[edge].count);
      }
      next[v] = sum;
    }
    now = std::move(next);
  }
  return now;
}

// Does `image` lead between the images of cells just as `l` leads between the cells?
bool SameUnder(const Board& board, const std::vector<int>& cells, int l, int image) {
  for (int cell = 0; cell < board.board_size(); ++cell) {
    const int to = board.Next(l, cell);
    const int image_to = board.Next(image, cells[At(cell)]);
    if ((to < 0 ? -1 : cells[At(to)]) != image_to) return false;
  }
  return true;
}

// Labels that do the same everywhere are exchangeable, so taking the first that is free misses nothing.
bool FindLabels(const Board& board, Symmetry* symmetry) {
  symmetry->labels.assign(At(board.label_count()), -1);
  LabelSet taken;
  for (int l = 0; l < board.label_count(); ++l) {
    // Itself before others, so that the identity keeps every label.
    for (int k = -1; k < board.label_count(); ++k) {
      const int image = k < 0 ? l : k;
      if (taken.test(At(image)) || board.is_vector(image) != board.is_vector(l)) continue;
      if (!SameUnder(board, symmetry->cells, l, image)) continue;
      symmetry->labels[At(l)] = image;
      taken.set(At(image));
      break;
    }
    if (symmetry->labels[At(l)] < 0 && !board.is_vector(l)) return false;
  }
  return true;
}

// What VF2 asks and tells, with a budget on the questions: when it is spent every answer is no, and
// the search runs out of candidates.
struct Search {
  const Board& board;
  const Graph& graph;
  std::vector<uint64_t> invariants;
  int64_t budget;
  std::size_t most;
  Symmetries result;

  bool Spend() {
    if (--budget >= 0) return true;
    result.complete = false;
    return false;
  }
};

struct SameCell {
  Search* search;
  bool operator()(Vertex a, Vertex b) const {
    return search->Spend() && search->invariants[a] == search->invariants[b];
  }
};

struct SameEdge {
  Search* search;
  template <class E>
  bool operator()(E a, E b) const {
    return search->Spend() && search->graph[a].count == search->graph[b].count;
  }
};

struct Found {
  Search* search;
  template <class Forward, class Backward>
  bool operator()(Forward forward, Backward) const {
    Symmetry symmetry;
    for (int cell = 0; cell < search->board.board_size(); ++cell) {
      symmetry.cells.push_back(static_cast<int>(get(forward, At(cell))));
    }
    // Checking a mapping costs about as much as answering this many questions.
    search->budget -= search->board.board_size();
    if (FindLabels(search->board, &symmetry)) search->result.found.push_back(std::move(symmetry));
    if (search->result.found.size() < search->most) return true;
    search->result.complete = false;
    return false;
  }
};

}  // namespace

Symmetries FindSymmetries(const Board& board, int64_t budget, int most) {
  if (board.board_size() == 0 || most < 1) return {};
  const Graph graph = Build(board, Labels(board, false));
  Search search{board, graph, Invariants(graph), budget, At(most), {}};
  boost::vf2_graph_iso(graph, graph, Found{&search}, get(boost::vertex_index, graph), get(boost::vertex_index, graph),
                       boost::vertex_order_by_mult(graph), SameEdge{&search}, SameCell{&search});
  std::vector<Symmetry>& found = search.result.found;
  std::sort(found.begin(), found.end(), [](const Symmetry& a, const Symmetry& b) { return a.cells < b.cells; });
  return std::move(search.result);
}

bool KeepsFrames(const Board& board, const Symmetry& symmetry, const std::vector<int>& players) {
  const auto image = [&](int label) { return label < 0 ? -1 : symmetry.labels[At(label)]; };
  for (int cell = 0; cell < board.board_size(); ++cell) {
    const int to = symmetry.cells[At(cell)];
    for (int l = 0; l < board.label_count(); ++l) {
      if (image(l) >= 0 && image(board.Deflect(cell, l)) != board.Deflect(to, image(l))) return false;
    }
    for (const Relative ring : {Relative::kAlong, Relative::kAgainst}) {
      if (image(board.Way(ring, 0, cell)) != board.Way(ring, 0, to)) return false;
    }
    for (std::size_t p = 0; p < players.size(); ++p) {
      if (image(board.Facing(static_cast<int>(p), cell)) != board.Facing(players[p], to)) return false;
    }
  }
  return true;
}

// ---- drawings ----------------------------------------------------------------------------------

namespace {

using Drawing = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS, boost::no_property,
                                      boost::property<boost::edge_weight_t, double>>;
using Topology = boost::square_topology<>;

// Stops the springs when they rest or the budget is spent.
struct Rested {
  int* budget;
  boost::layout_tolerance<double> tolerance{0.01};
  template <class V, class G>
  bool operator()(double energy, V vertex, const G& graph, bool global) {
    return --*budget < 0 || tolerance(energy, vertex, graph, global);
  }
};

}  // namespace

std::vector<Point> Layout(const Board& board) {
  const int count = board.board_size();
  std::vector<Point> points(At(count));
  if (board.shape() != Shape::kGraph) {
    for (int cell = 0; cell < count; ++cell) points[At(cell)] = board.position(cell);
    return points;
  }
  if (count < 2) return points;
  Drawing drawing(At(count));
  for (int cell = 0; cell < count; ++cell) {
    for (int l = 0; l < board.label_count(); ++l) {
      const int to = board.Next(l, cell);
      if (to >= 0 && !boost::edge(At(cell), At(to), drawing).second) boost::add_edge(At(cell), At(to), 1.0, drawing);
    }
  }
  std::vector<Topology::point_type> places(At(count));
  const auto position = boost::make_iterator_property_map(places.begin(), get(boost::vertex_index, drawing));
  const double radius = std::max(1.0, count / 6.0);
  boost::circle_graph_layout(drawing, position, radius);
  std::vector<int> component(At(count));
  const int parts = boost::connected_components(
      drawing, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, drawing)));
  if (parts == 1) {
    int budget = 200 * count;
    boost::kamada_kawai_spring_layout(drawing, position, get(boost::edge_weight, drawing), Topology(),
                                      boost::edge_length(1.0), Rested{&budget});
  }
  for (int cell = 0; cell < count; ++cell) points[At(cell)] = {places[At(cell)][0], places[At(cell)][1]};
  const bool finite = std::all_of(points.begin(), points.end(),
                                  [](const Point& p) { return std::isfinite(p.x) && std::isfinite(p.y); });
  for (int cell = 0; !finite && cell < count; ++cell) {
    const double angle = 6.283185307179586 * cell / count;
    points[At(cell)] = {radius * std::sin(angle), radius * std::cos(angle)};
  }
  return points;
}

std::string Graphviz(const Board& board, const LabelSet& labels) {
  const Graph graph = Build(board, labels);
  const std::vector<Point> points = Layout(board);
  const auto quoted = [](const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
      if (c == '"' || c == '\\') out += '\\';
      out += c;
    }
    return out + "\"";
  };
  std::ostringstream out;
  boost::write_graphviz(
      out, graph,
      [&](std::ostream& text, Vertex v) {
        const Point& p = points[v];
        char where[64];
        std::snprintf(where, sizeof where, "%.2f,%.2f!", p.x + 0.0, p.y + 0.0);
        text << "[label=" << quoted(board.name(static_cast<int>(v))) << " pos=\"" << where << "\"]";
      },
      [&](std::ostream& text, const auto& edge) {
        std::string names;
        for (int l = 0; l < board.label_count(); ++l) {
          if (graph[edge].labels.test(At(l))) names += (names.empty() ? "" : " ") + board.label_name(l);
        }
        bool crosses = false;
        for (const Barrier& barrier : board.barriers()) {
          crosses |= (barrier.edges[boost::source(edge, graph)] & graph[edge].labels).any();
        }
        text << "[label=" << quoted(names) << (crosses ? " style=dashed" : "") << "]";
      },
      [](std::ostream& text) {
        text << "graph [layout=neato]\nnode [shape=circle fixedsize=true width=0.4 fontsize=10]\nedge [fontsize=8 "
                "arrowsize=0.5]\n";
      });
  return out.str();
}

}  // namespace arbiter::board
