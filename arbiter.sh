#!/bin/sh
# One door to the project:
#
#   ./arbiter.sh play rollerball     build what is missing, then play
#   ./arbiter.sh test                build, then run every test
#   ./arbiter.sh build               leaves build/arbiter
#   ./arbiter.sh WORD ...            any other word goes to build/arbiter
#
# What the set-up says goes to standard error and build/setup.log, so that standard output is the program's alone.
# ARBITER_JOBS (default 2) says how many compilers run at once.
set -eu

root=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
build=$root/build
log=$build/setup.log
jobs=${ARBITER_JOBS:-2}

packages="cmake ninja-build g++ pkg-config ccache antlr4 default-jre-headless libantlr4-runtime-dev uuid-dev
libfmt-dev libboost-graph-dev libcli11-dev nlohmann-json3-dev libutf8proc-dev libgtest-dev libgmock-dev
libbenchmark-dev python3"

say() { printf 'arbiter.sh: %s\n' "$*" >&2; }

fail() {
  say "$1"
  [ ! -s "$log" ] || { say "the last lines of $log:"; tail -n 30 "$log" >&2; }
  exit 1
}

missing_packages() {
  for package in $packages; do
    status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$status" = installed ] || printf '%s ' "$package"
  done
}

install_packages() {
  # Where the build folder is already set up, the packages are there.
  [ ! -f "$build/build.ninja" ] || return 0
  command -v dpkg-query >/dev/null 2>&1 || return 0 # not Debian: CMake says what it misses
  missing=$(missing_packages)
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" != 0 ]; then
    fail "these packages are missing: ${missing}
arbiter.sh: install them as root: apt-get install --no-install-recommends ${missing}"
  fi
  say "installing $missing"
  # shellcheck disable=SC2086  # a list of words
  { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing; } \
    >>"$log" 2>&1 </dev/null || fail "the packages could not be installed"
}

configure() {
  [ ! -f "$build/build.ninja" ] || return 0
  say "configuring"
  cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release >>"$log" 2>&1 || fail "cmake failed"
}

# build_targets [TARGET ...]: everything if none is named.
build_targets() {
  # Paths relative to the project make the cache serve every clone.
  CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
  export CCACHE_BASEDIR CCACHE_NOHASHDIR
  ninja -C "$build" -j "$jobs" "$@" >>"$log" 2>&1 &
  ninja=$!
  trap 'kill $ninja 2>/dev/null; exit 130' INT TERM
  # Nothing to do takes no time, and then there is nothing to say.
  for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    kill -0 $ninja 2>/dev/null || break
    sleep 0.1
  done
  if kill -0 $ninja 2>/dev/null; then
    say "building (the first time takes minutes; progress in $log)"
  fi
  wait $ninja || fail "the build failed"
  trap - INT TERM
}

prepare() {
  mkdir -p "$build"
  : >"$log"
  install_packages
  configure
  build_targets "$@"
}

case ${1:-} in
  test)
    # `test` alone is the project's own tests; `test chess` asks the program to run the examples of a ruleset.
    if [ $# -gt 1 ]; then
      prepare arbiter
      exec "$build/arbiter" "$@"
    fi
    prepare
    cd "$build"
    exec ctest --output-on-failure -j "$jobs"
    ;;
  build)
    prepare arbiter
    say "built $build/arbiter"
    ;;
  *)
    prepare arbiter
    exec "$build/arbiter" "$@"
    ;;
esac
