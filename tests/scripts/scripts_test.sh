#!/usr/bin/env bash
# The commands in scripts/ before they build anything: help, wrong options, a system that is not Debian.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

failures=0
# expect <exit code> <number of lines on stderr, or "any"> <text in the output> <command...>
expect() {
  local code=$1 lines=$2 text=$3 actual=0 output errors
  shift 3
  errors=$(mktemp)
  output=$("$@" 2>"$errors" </dev/null) || actual=$?
  if [ "$actual" -ne "$code" ] || ! grep -qF -- "$text" <<<"$output$(cat "$errors")" ||
    { [ "$lines" != any ] && [ "$(wc -l <"$errors")" -ne "$lines" ]; }; then
    printf 'expected exit code %s and "%s", got %s from: %s\n%s\n' "$code" "$text" "$actual" "$*" "$output" >&2
    cat "$errors" >&2
    failures=$((failures + 1))
  fi
  rm -f "$errors"
}

for name in quickstart test lint bench wheel package docs with_postgres fuzz torture coverage; do
  expect 0 0 "scripts/$name" "scripts/$name" --help
  expect 64 1 "--wrong" "scripts/$name" --wrong
done
expect 64 1 "--quick" scripts/test --quick
expect 64 0 "scripts/with_postgres" scripts/with_postgres

other=$(mktemp)
printf 'ID=fedora\nVERSION_ID=39\n' >"$other"
for name in quickstart test; do
  expect 1 any "this is fedora" env BOCS_OS_RELEASE="$other" "scripts/$name"
  expect 1 any "libeigen3-dev" env BOCS_OS_RELEASE="$other" "scripts/$name"
  expect 1 any "an unknown system" env BOCS_OS_RELEASE=/nonexistent "scripts/$name"
done
rm -f "$other"

# A test that fails the first time only: forgiven, and named, in continuous integration alone.
fake=$(mktemp -d)
cat >"$fake/CTestTestfile.cmake" <<'END'
add_test(fine true)
add_test(sometimes sh -c "test -e seen || { touch seen; false; }")
END
# shellcheck disable=SC2016 # expanded by the inner shell
run_fake=(bash -c 'source scripts/common.sh && build_folder() { echo "$1"; } && run_tests "$0"' "$fake")
expect 8 any "1 tests failed out of 2" env CI=false "${run_fake[@]}"
rm "$fake/seen"
expect 0 any "flaky: sometimes" env CI=true "${run_fake[@]}"
expect 0 any "0 tests failed out of 2" env CI=true "${run_fake[@]}"
echo 'add_test(never false)' >>"$fake/CTestTestfile.cmake"
rm "$fake/seen"
expect 8 any "flaky: sometimes" env CI=true "${run_fake[@]}"
expect 8 any "once more: never" env CI=true "${run_fake[@]}"
rm "$fake/CTestTestfile.cmake"
expect 8 any "No tests were found" env CI=true "${run_fake[@]}"
rm -rf "$fake"

if command -v shellcheck >/dev/null; then
  expect 0 any "" shellcheck -x scripts/* .ci/run tests/scripts/scripts_test.sh
fi
exit $((failures > 0))
