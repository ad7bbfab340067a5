// The figures of docs/performance.md: this program beside others, medians of interleaved runs on one thread, by
// processor time.
//
//   build/bench_speed [ROUNDS]      ROUNDS: how often everything is measured (default 3)
//
// Every count is compared with a known one: exit code 1 if one is wrong, whatever the times are.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "arbiter/arbiter.h"
#include "peers.h"

namespace {

using arbiter::bench::Peer;
using arbiter::bench::ProcessorSeconds;
using arbiter::bench::Run;

constexpr const char* kStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
constexpr const char* kKiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
constexpr const char* kRollerball = "2r4/1r1kbpp/2***2/2***2/2***2/1PPKB2/3R1R1 w";
constexpr const char* kWide = ARBITER_SOURCE_DIR "/tests/rulesets/wide_chess.rules";
constexpr double kRandomSeconds = 1;
constexpr int kLoads = 9;

bool wrong = false;

double Median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values.empty() ? 0 : values[values.size() / 2];
}

// A position of a game of its own: nothing that an earlier run has found out helps this one.
arbiter::Position Place(const std::string& ruleset, const std::string& position) {
  const arbiter::Checked checked = arbiter::Check(arbiter::Find(ruleset));
  if (!checked.game) {
    fmt::print("{}: {}", ruleset, checked.report.Text());
    std::exit(1);
  }
  if (position.empty()) return checked.game->Start();
  const auto read = checked.game->Read(position);
  if (!read) {
    fmt::print("{}: {}\n", ruleset, read.error);
    std::exit(1);
  }
  return *read;
}

// One thing that is measured: in every round once.
struct Measure {
  std::string name;
  uint64_t count = 0;  // what must come out; 0: whatever
  std::function<Run()> run;
  std::vector<double> rates;
  [[nodiscard]] double rate() const { return Median(rates); }
};

Measure Perft(const std::string& name, const std::string& ruleset, const std::string& position, int depth, bool bulk,
              uint64_t count) {
  return {name,
          count,
          [=] {
            const arbiter::Position at = Place(ruleset, position);
            static_cast<void>(at.Key());  // makes the tables
            const double begin = ProcessorSeconds();
            const auto found = at.Perft(depth, {false, bulk, 1});
            const double seconds = ProcessorSeconds() - begin;
            return Run{found ? *found : 0, seconds};
          },
          {}};
}

Measure RandomTurns(const std::string& name, const std::string& ruleset, bool games_instead) {
  return {name,
          0,
          [=] {
            const arbiter::Position at = Place(ruleset, "");
            static_cast<void>(at.Key());
            Run run;
            const double begin = ProcessorSeconds();
            for (uint64_t seed = 1; run.seconds < kRandomSeconds; ++seed) {
              const auto played = at.PlayRandomly(seed, 5);
              if (!played) break;
              run.count += static_cast<uint64_t>(games_instead ? played->games : played->turns);
              run.seconds = ProcessorSeconds() - begin;
            }
            return run;
          },
          {}};
}

Measure Other(const Peer& peer, const std::string& name, const std::string& fen, int depth, uint64_t count) {
  return {fmt::format("{}, {}", peer.name, name), count, [=] { return peer.Perft(fen, depth); }, {}};
}

void RunAll(std::vector<Measure*> measures, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (Measure* m : measures) {
      const Run run = m->run();
      m->rates.push_back(run.rate());
      if (m->count != 0 && run.count != m->count) {
        fmt::print("WRONG: {}: {} counted, not {}\n", m->name, run.count, m->count);
        wrong = true;
      }
    }
  }
}

void Print(const Measure& m, const char* unit) {
  const auto [least, most] = std::minmax_element(m.rates.begin(), m.rates.end());
  fmt::print("  {:<46} {:>12.0f} {} ({:.0f} to {:.0f})\n", m.name, m.rate(), unit, *least, *most);
}

void Ratio(const Measure& ours, const Measure& theirs, const char* bar) {
  if (theirs.rates.empty()) return;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < ours.rates.size(); ++i) ratios.push_back(ours.rates[i] / theirs.rates[i]);
  fmt::print("  {:<74} {:>7.3f} (bar {})\n", ours.name + " : " + theirs.name, Median(ratios), bar);
}

void Comparison(int rounds) {
  Measure start = Perft("chess start 6", "chess", kStart, 6, true, 119060324);
  Measure kiwipete = Perft("chess Kiwipete 5", "chess", kKiwipete, 5, true, 193690690);
  Measure start_leaves = Perft("chess start 5, every leaf", "chess", kStart, 5, false, 4865609);
  Measure kiwipete_leaves = Perft("chess Kiwipete 4, every leaf", "chess", kKiwipete, 4, false, 4085603);
  Measure rollerball = Perft("Rollerball mid1 6", "rollerball", kRollerball, 6, true, 68891042);
  Measure wide = Perft("10x10 with two wide pieces, start 5", kWide, "", 5, true, 30392440);
  Measure chess_turns = RandomTurns("chess, random games", "chess", false);
  Measure rollerball_turns = RandomTurns("Rollerball, random games", "rollerball", false);
  const Peer stockfish = {"stockfish", "/usr/games/stockfish"},
             fairy = {"fairy-stockfish", "/usr/games/fairy-stockfish"};
  Measure stockfish_start = Other(stockfish, "start 6", kStart, 6, 119060324);
  Measure stockfish_kiwipete = Other(stockfish, "Kiwipete 5", kKiwipete, 5, 193690690);
  Measure fairy_start = Other(fairy, "start 6", kStart, 6, 119060324);
  Measure fairy_kiwipete = Other(fairy, "Kiwipete 5", kKiwipete, 5, 193690690);

  // What is compared runs close together.
  std::vector<Measure*> all;
  const auto add = [&](const Peer& peer, Measure& m) {
    if (peer.installed()) all.push_back(&m);
  };
  for (const Peer& peer : {stockfish, fairy}) {
    if (!peer.installed()) fmt::print("{0} is not installed (apt-get install {0}): not compared\n", peer.name);
  }
  all.push_back(&start);
  add(stockfish, stockfish_start);
  add(fairy, fairy_start);
  all.insert(all.end(), {&start_leaves, &rollerball, &wide, &chess_turns, &rollerball_turns, &kiwipete});
  add(stockfish, stockfish_kiwipete);
  add(fairy, fairy_kiwipete);
  all.push_back(&kiwipete_leaves);
  RunAll(all, rounds);
  fmt::print("one thread, processor time, medians of {} interleaved runs (least to most)\n", rounds);
  for (const Measure* m : all) Print(*m, m->count == 0 ? "turns/s" : "nodes/s");
  fmt::print("ratios, medians of the rounds\n");
  Ratio(start, stockfish_start, "1.0");
  Ratio(kiwipete, stockfish_kiwipete, "1.0");
  Ratio(start, fairy_start, "15");
  Ratio(kiwipete, fairy_kiwipete, "15");
  Ratio(start_leaves, fairy_start, "2");
  Ratio(kiwipete_leaves, fairy_kiwipete, "2");
  Ratio(rollerball, start, "0.6");
  Ratio(wide, start, "0.5");
  Ratio(chess_turns, fairy_start, "0.15");
  Ratio(rollerball_turns, fairy_start, "0.4");
}

// Games with turns and ends that few other programs play: no bar, but before and after.
void BallGames(int rounds) {
  std::vector<Measure> perft = {
      Perft("Shakhbol start 5", "shakhbol", "", 5, true, 1946896),
      Perft("Chess Football start 3", "football", "", 3, true, 49381),
      Perft("Gravitatur start 2", "gravitatur", "", 2, true, 915662),
      Perft("Volleyball 8x8 start 3", "volleyball8", "", 3, true, 46631),
      Perft("Volleyball 10x10 start 2", "volleyball10", "", 2, true, 425),
  };
  std::vector<Measure> games;
  for (const char* name :
       {"chess", "rollerball", "shakhbol", "football", "gravitatur", "volleyball8", "volleyball10"}) {
    games.push_back(RandomTurns(fmt::format("{}, random games", name), name, true));
  }
  std::vector<Measure*> all;
  for (Measure& m : perft) all.push_back(&m);
  for (Measure& m : games) all.push_back(&m);
  RunAll(all, rounds);
  fmt::print("the other games\n");
  for (const Measure& m : perft) Print(m, "nodes/s");
  for (const Measure& m : games) Print(m, "games/s");
}

void TextToProgram() {
  fmt::print("text to program, ms: best and median of {} runs, check and compile of the median run\n", kLoads);
  struct Load {
    double check, compile;
    [[nodiscard]] double both() const { return check + compile; }
  };
  std::vector<std::pair<std::string, arbiter::Source>> sources = arbiter::BuiltIn();
  sources.emplace_back("wide_chess", arbiter::Source{kWide, false});
  for (const auto& [name, source] : sources) {
    std::vector<Load> loads;
    for (int i = 0; i < kLoads; ++i) {
      const double begin = ProcessorSeconds();
      const arbiter::Checked checked = arbiter::Check(source);
      const double middle = ProcessorSeconds();
      if (checked.game) static_cast<void>(checked.game->Start().Key());
      loads.push_back({(middle - begin) * 1e3, (ProcessorSeconds() - middle) * 1e3});
    }
    std::sort(loads.begin(), loads.end(), [](const Load& a, const Load& b) { return a.both() < b.both(); });
    const Load& median = loads[kLoads / 2];
    fmt::print("  {:<20} best {:>6.1f}  median {:>6.1f} = {:.1f} + {:.1f}  (bar 20)\n", name, loads.front().both(),
               median.both(), median.check, median.compile);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? std::atoi(argv[1]) : 3;
  if (argc > 2 || rounds < 1) {
    fmt::print(stderr, "bench_speed [ROUNDS]: a number from 1\n");
    return 2;
  }
  Comparison(rounds);
  BallGames(rounds);
  TextToProgram();
  return wrong ? 1 : 0;
}
