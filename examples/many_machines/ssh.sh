#!/usr/bin/env bash
# ssh.sh URL STUDY HOST...: a worker on each host, until the study is finished.
#
# Each host needs bocs in its PATH, the objective's program, a folder ~/study to run it in, and the database's password in
# ~/.pgpass. Ctrl-C ends the workers; what they were evaluating is given to others by the store.
set -euo pipefail
if [ $# -lt 3 ]; then
  sed -n '2,5s/^# \{0,1\}//p' "$0" >&2
  exit 64
fi
url=$1 study=$2
shift 2

trap 'kill $(jobs -p) 2>/dev/null' INT TERM
for host in "$@"; do
  # -tt: the worker gets a terminal, and with it the end of the connection as a hang-up.
  ssh -tt "$host" "cd study && bocs worker -q --store $(printf %q "$url") --study $(printf %q "$study")" </dev/null &
done
wait
