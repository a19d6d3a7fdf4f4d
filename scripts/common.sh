# shellcheck shell=bash
# What the commands in scripts/ share: where the repository is, what it needs, how to install and build it.
# Sourced, never run. After sourcing, the working directory is the root of the repository.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# Debian 12 packages for the library, the command line program and the tests.
# shellcheck disable=SC2034 # used by the scripts that source this file
build_packages=(g++ cmake ninja-build libeigen3-dev libcli11-dev libfmt-dev
  nlohmann-json3-dev libtomlplusplus-dev libsqlite3-dev libpq-dev libgtest-dev python3)

# Python packages, from PyPI by name, for the module and its tests.
# shellcheck disable=SC2034
python_packages=(nanobind numpy pandas matplotlib scikit-learn optuna optuna-dashboard tqdm pytest mypy jsonschema)

say() { printf '==> %s\n' "$*"; }

# fail <exit code> <message...>
fail() {
  local code=$1
  shift
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit "$code"
}

# usage_error <option>: one line and the exit code of a wrong command line.
usage_error() { fail 64 "unknown option '$1'; try --help"; }

# Prints the comment block at the top of the calling script: that is its help text.
show_help() { sed -n '2,/^$/s/^# \{0,1\}//p' "$0"; }

# logged <log file> <command...>: runs the command quietly; if it fails, shows the log and stops.
logged() {
  local log=$1
  shift
  if ! "$@" >"$log" 2>&1 </dev/null; then
    cat "$log" >&2
    fail 1 "failed: $*"
  fi
}

# The version is said once, in CMakeLists.txt.
project_version() { sed -n 's/^project(bocs VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  else
    sudo "$@"
  fi
}

# Stops unless the system installs with apt-get and is Debian or derived from it. BOCS_OS_RELEASE names another file to
# read instead of /etc/os-release (for tests).
require_debian() {
  local file=${BOCS_OS_RELEASE:-/etc/os-release} id="an unknown system" like="" key value
  if [ -r "$file" ]; then
    while IFS='=' read -r key value; do
      value=${value//\"/}
      case $key in
        ID) id=$value ;;
        ID_LIKE) like=$value ;;
      esac
    done <"$file"
  fi
  case " $id $like " in
    *" debian "*) command -v apt-get >/dev/null && return ;;
  esac
  {
    echo "This command installs what it needs on Debian 12 with apt-get; this is $id."
    echo "Install what corresponds to these Debian packages, then build with CMake as README.md shows:"
    printf '  %s\n' "$@"
  } >&2
  exit 1
}

# install_missing <package...>: installs those that are missing. Talks to the package servers only if there are any.
install_missing() {
  require_debian "$@"
  local package missing=()
  for package in "$@"; do
    if [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  if [ ${#missing[@]} -eq 0 ]; then return; fi
  if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
    fail 1 "not root and no sudo; as root, run: apt-get install ${missing[*]}"
  fi
  say "installing ${missing[*]}"
  local log
  log=$(mktemp)
  logged "$log" as_root env DEBIAN_FRONTEND=noninteractive apt-get update -q
  logged "$log" as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${missing[@]}"
  rm -f "$log"
}

# make_venv <folder> <python> <package...>: a virtual environment with these packages; quick when it is there already.
make_venv() {
  local folder=$1 python=$2 wanted
  shift 2
  wanted=$("$python" --version && printf '%s\n' "$@")
  if [ -e "$folder/wanted" ] && [ "$(cat "$folder/wanted")" = "$wanted" ]; then return; fi
  say "making the Python environment $folder/: $*"
  mkdir -p "$folder"
  logged "$folder.log" "$python" -m venv --clear "$folder"
  logged "$folder.log" "$folder/bin/pip" install --disable-pip-version-check "$@"
  printf '%s' "$wanted" >"$folder/wanted"
}

# Arguments of cmake for the next builds, besides the preset.
configure_arguments=()

# build <preset> <what, in words> [cmake --build arguments...]: configures and builds into the preset's folder, quietly.
# On a terminal, ninja's one-line progress is shown.
build() {
  local preset=$1 what=$2 begin=$SECONDS folder
  shift 2
  folder=$(build_folder "$preset")
  mkdir -p "$folder"
  say "building $what in $folder/"
  logged "$folder/configure.log" cmake --preset "$preset" "${configure_arguments[@]}"
  if [ -t 1 ]; then
    cmake --build "$folder" "$@" || fail 1 "the build failed"
  else
    logged "$folder/build.log" cmake --build "$folder" "$@"
  fi
  say "built in $((SECONDS - begin)) s"
}

build_folder() { if [ "$1" = release ]; then echo build; else echo "build-$1"; fi; }

# run_tests <preset> [ctest arguments...]: with CI=true, those that fail are run once more and named, and the second run
# counts: a single chance event among many hundred tests must not discard a change. Nowhere else is anything repeated.
run_tests() {
  local folder log name code=0 again=0 failed output
  folder=$(build_folder "$1")
  log=$folder/Testing/Temporary/LastTestsFailed.log # lines NUMBER:NAME
  shift
  local command=(ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(nproc)")
  rm -f "$log"
  "${command[@]}" "$@" || code=$?
  if [ "$code" -eq 0 ] || [ "${CI:-}" != true ] || [ ! -e "$log" ]; then return "$code"; fi

  mapfile -t failed < <(cut -d: -f2- "$log")
  say "failed, run once more: ${failed[*]}"
  output=$("${command[@]}" --rerun-failed 2>&1) || again=$?
  for name in "${failed[@]}"; do
    if [ "$again" -eq 0 ] || ! cut -d: -f2- "$log" | grep -qxF -- "$name"; then
      say "flaky: $name failed, then passed"
    fi
  done
  printf '%s\n' "$output"
  return "$again"
}
