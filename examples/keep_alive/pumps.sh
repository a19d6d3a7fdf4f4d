#!/bin/sh
# A program that stays up, in plain shell: a line per point on stdin, a line per answer on stdout (keep_alive = true in
# pumps.toml). Real ones would use jq to read the point; here the pumps that are on are found by pattern.

on() { case $line in *"\"pump[$1]\":1"*) echo 1 ;; *) echo 0 ;; esac }

while read -r line; do
  a=$(on 0) b=$(on 1) c=$(on 2) d=$(on 3)
  case $line in
    *'"pump[0]":0,"pump[1]":0,"pump[2]":0,"pump[3]":0'*) echo '{"error": "no water"}' ;;
    *) echo $((9 - 4 * a - 3 * b - 2 * c * d + 5 * a * b)) ;;
  esac
done
