#!/bin/bash
# Prints the figures that this project promises, each with the command that gave it, so that they can be quoted.
#
#   tests/figures.sh [BINARY] [SECTION ...]      sections: counts positions volleyball judges games check speed (default: all)
#
# Exits 1 if a count is wrong. Times depend on the machine: they are printed, not judged.
set -u

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
binary=${1:-$root/build/arbiter}
[ $# -gt 0 ] && shift
sections=${*:-counts positions volleyball judges games check speed}
wrong=0

[ -x "$binary" ] || { echo "figures.sh: no program at $binary: ./arbiter.sh build" >&2; exit 2; }

# expect "WANTED" ARBITER-ARGUMENTS...: compares the counts of all depths with those that `wanted_by` says of.
wanted_by=published
expect() {
  wanted=$1
  shift
  found=$("$binary" perft "$@" 2>/dev/null | awk '{ printf "%s%s", sep, $2; sep = " " }')
  printf 'arbiter perft'
  printf ' %q' "$@"
  printf '\n  %s' "$found"
  if [ "$found" = "$wanted" ]; then printf '  as %s\n' "$wanted_by"; else
    printf '  WRONG, %s: %s\n' "$wanted_by" "$wanted"
    wrong=1
  fi
}

timed_expect() {
  expect "$@"
  shift
  "$binary" perft "$@" 2>&1 >/dev/null | tail -1 | sed 's/^/  /'
}

counts() {
  echo "== chess: the start and the five test positions of the chess-programming literature"
  expect "20 400 8902 197281 4865609" chess 5
  expect "48 2039 97862 4085603" chess 4 --position "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
  expect "14 191 2812 43238" chess 4 --position "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1"
  expect "6 264 9467 422333" chess 4 --position "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1"
  expect "44 1486 62379 2103487" chess 4 --position "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8"
  expect "46 2079 89890 3894594" chess 4 --position "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"
  echo "== Rollerball: the counts of games/rollerball.md"
  rooks="r6/7/2***2/R1***k1/2***2/1K5/5R1 w"
  goal="2r4/1K3p1/2***2/2***2/2***2/5k1/3bR2 w travelled[White]=true"
  mid1="2r4/1r1kbpp/2***2/2***2/2***2/1PPKB2/3R1R1 w"
  expect "7 49 476 4652 53771" rollerball 5
  expect "21 361 7107 97236 1846699" rollerball 5 --position "$rooks"
  expect "7 124 1144 20198 221482" rollerball 5 --position "$goal"
  expect "20 457 9505 187496" rollerball 4 --position "$mid1"
  expect "7 49 507 5251" rollerball 4 --option side_slides=any
  expect "24 543 12868 252629" rollerball 4 --option side_slides=any --position "$mid1"
  echo "== Shakhbol: the counts of games/shakhbol.md"
  expect "16 398 5249 112289 1946896" shakhbol 5
  expect "17 159 1414 19724" shakhbol 4 --position "2g2/1d1d1/2o2/1AAA1/5/2a2/1DDD1/2G2 w"
  expect "38 1082 42401" shakhbol 3 --option kick_duty=may
  expect "16 372 4771" shakhbol 3 --option keeper_walk=steps
  expect "16 398 5359" shakhbol 3 --option own_goals=true
  echo "== Chess Football: the counts of games/football.md"
  expect "46 1358 49381" football 3
  echo "== Gravitatur Chess: the counts of games/gravitatur.md, with their times"
  inchk="4k3/8/8/8/1b6/8/8/R3K2N w"
  timed_expect "983 915662" gravitatur 2
  timed_expect "4 2825 2749449" gravitatur 3 --position "$inchk"
  expect "1010 971577" gravitatur 2 --option gravity=may
  expect "4 2885" gravitatur 2 --option gravity=may --position "$inchk"
}

positions() {
  echo "== the 240 Rollerball positions on which two public programs agree"
  same=0 all=0
  while IFS=$'\t' read -r name position moves; do
    case $name in '' | \#*) continue ;; esac
    found=$("$binary" moves rollerball --uci --position "$position" | tr '[:upper:]' '[:lower:]' | sed 's/=//' | LC_ALL=C sort | paste -sd' ')
    all=$((all + 1))
    if [ "$found" = "$moves" ]; then same=$((same + 1)); else
      printf '  differs: %s\n    listed %s\n    found  %s\n' "$position" "$moves" "$found"
      wrong=1
    fi
  done <"$root/tests/counts/rollerball_positions.tsv"
  echo "  $same of $all give exactly the listed moves"
  [ "$all" = 240 ] || wrong=1
}

# Chess Volleyball: the first serves and what can be returned (counted by hand-written judges too: tests/judges), and
# what random matches are like.
volleyball() {
  echo "== Chess Volleyball 8x8: first serves without the obligatory server"
  black="2vq1m2/r5nv/2b4r/2n1b3/R7/1NB4R/V3B1N1/2VQ1M2 b server=Black"
  serves "14 (ball, server) pairs, 35 throws" --option first_server=free
  serves "11 (ball, server) pairs, 25 throws" --option first_server=free --position "$black"
  echo "== … of the obligatory servers, and Black's complete returns of each of White's three"
  serves "2 (ball, server) pairs, 3 throws"
  serves "1 (ball, server) pairs, 3 throws" --position "$black"
  wanted_by=counted
  expect "124" volleyball8 1 --after "c3-d2>a5"
  expect "64" volleyball8 1 --after "c3-d2>g5"
  expect "28" volleyball8 1 --after "c3-d4>b6"
  wanted_by=published
  for game in volleyball8 volleyball10; do
    echo "arbiter test $game --soak 500 --table"
    "$binary" test "$game" --soak 500 --table 2>&1 || wrong=1
    echo "arbiter text $game --soak 40"
    "$binary" text "$game" --soak 40 || wrong=1
  done
}

# serves "WANTED" ARBITER-ARGUMENTS...: the moves of a serve are MAN-BALL>LANDING; a throw lands beyond the net.
serves() {
  wanted=$1
  shift
  found=$("$binary" moves volleyball8 "$@" | awk '
    $1 == "position" { white = $3 == "w" }
    $2 ~ />/ { split($2, m, ">"); if (!(m[1] in seen)) { seen[m[1]]; ++pairs }
               rank = substr(m[2], 2) + 0; if (white ? rank > 4 : rank < 5) ++throws }
    END { print pairs + 0 " (ball, server) pairs, " throws + 0 " throws" }')
  printf 'arbiter moves volleyball8'
  [ $# -gt 0 ] && printf ' %q' "$@"
  printf '\n  %s' "$found"
  if [ "$found" = "$wanted" ]; then printf '  as counted\n'; else
    printf '  WRONG, counted: %s\n' "$wanted"
    wrong=1
  fi
}

# Random games: how long they are and how they end. A game that no rule ends is a fault.
games() {
  echo "== 1000 random games of each ball game"
  for game in shakhbol "shakhbol --option goals_to_win=3" \
    "shakhbol --option goals_to_win=0 --option halves=2 --option half_length=30 --option golden_goal=true" \
    football "football --option halves=1 --option half_length=70 --option attackers_in=true"; do
    echo "arbiter test $game --soak 1000"
    # shellcheck disable=SC2086  # options are words of their own
    "$binary" test $game --soak 1000 || wrong=1
  done
}

# Independent judges, written in another language from the texts of the games, play along.
judges() {
  echo "== the judges of tests/judges"
  export PYTHONDONTWRITEBYTECODE=1
  python3 "$root/tests/judges/counts.py" 4 || wrong=1
  for game in shakhbol football; do
    for more in "--positions 500 --options mixed" "--positions 100 --options mixed --counts" \
      "--games 150 --longest 80 --options mixed --match --anywhere" "--games 60 --options mixed --match"; do
      echo "tests/judges/compare.py $game $game $more"
      # shellcheck disable=SC2086
      python3 "$root/tests/judges/compare.py" "$game" "$game" --arbiter "$binary" $more || wrong=1
    done
  done
  for more in "--positions 300 --options mixed" "--games 20 --longest 80 --options mixed --anywhere"; do
    echo "tests/judges/compare_turns.py gravitatur gravitatur $more"
    # shellcheck disable=SC2086
    python3 "$root/tests/judges/compare_turns.py" gravitatur gravitatur --arbiter "$binary" $more || wrong=1
  done
  for game in volleyball8 volleyball10; do
    for more in "--scenes --positions 400 --counts 100 --options mixed" "--games 30 --options mixed" \
      "--games 40 --longest 150 --options mixed --anywhere --scenes"; do
      echo "tests/judges/compare_turns.py $game $game $more"
      # shellcheck disable=SC2086
      python3 "$root/tests/judges/compare_turns.py" "$game" "$game" --arbiter "$binary" $more || wrong=1
    done
  done
}

# Whole process: wall and CPU time of each of N runs, peak memory.
measure() {
  python3 - "$@" <<'PYTHON'
import os, resource, sys, time
runs, command = int(sys.argv[1]), sys.argv[2:]
walls, cpus, peak = [], [], 0
for _ in range(runs):
    begin = time.perf_counter()
    pid = os.fork()
    if pid == 0:
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, 1)
        os.execv(command[0], command)
    _, status, usage = os.wait4(pid, 0)
    walls.append((time.perf_counter() - begin) * 1000)
    cpus.append((usage.ru_utime + usage.ru_stime) * 1000)
    peak = max(peak, usage.ru_maxrss / 1024)
print(f"  first run {walls[0]:.1f} ms; best of {runs} {min(walls):.1f} ms (CPU {min(cpus):.1f} ms); peak {peak:.1f} MB")
PYTHON
}

check() {
  echo "== arbiter check: the whole process (bar 50 ms and 64 MB)"
  for game in chess rollerball shakhbol football gravitatur volleyball8 volleyball10; do
    # Cold: nothing of the program in the page cache, where we may ask for that.
    sync
    { echo 3 >/proc/sys/vm/drop_caches; } 2>/dev/null || true
    echo "arbiter check $game"
    measure 30 "$binary" check "$game"
  done
}

# Beside other programs, and every game by itself. The program that measures stands beside the one that is measured.
speed() {
  echo "== speed"
  bench=$(dirname -- "$binary")/bench_speed
  if [ ! -x "$bench" ]; then
    echo "figures.sh: no program at $bench: ./arbiter.sh test builds it" >&2
    wrong=1
    return
  fi
  echo "$bench"
  "$bench" || wrong=1
  timed_expect "983 915662 898553029" gravitatur 3
  for game in chess rollerball shakhbol football gravitatur volleyball8 volleyball10; do
    echo "arbiter bench $game"
    "$binary" bench "$game" | sed 's/^/  /'
    [ "${PIPESTATUS[0]}" = 0 ] || wrong=1
  done
}

for section in $sections; do
  case $section in
    counts) counts ;;
    positions) positions ;;
    volleyball) volleyball ;;
    games) games ;;
    judges) judges ;;
    check) check ;;
    speed) speed ;;
    *)
      echo "figures.sh: no section $section: counts, positions, volleyball, judges, games, check or speed" >&2
      exit 2
      ;;
  esac
done
exit $wrong
