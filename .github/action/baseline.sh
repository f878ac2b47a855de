#!/usr/bin/env bash
# Makes the reports of this run, and the history with it, the baseline of the next ones.
# usage: baseline.sh OUTPUT
set -euo pipefail
output=${1:?"the directory of the results"}
rm -rf -- "$output/baseline"
cp -r -- "$output/reports" "$output/baseline"
if [[ -e $output/history/history.jsonl ]]; then
  mkdir "$output/baseline/history"
  cp -- "$output/history/history.jsonl" "$output/baseline/history/"
fi
