#!/usr/bin/env bash
# Analyzes the dumps below a directory and compares them with the baseline.
# usage: compare.sh DUMPS OUTPUT
#
# OUTPUT/results  what each analysis writes
# OUTPUT/reports  report.json of each dump: the next baseline
# OUTPUT/baseline the reports to compare with; without them the run is compared with itself, so that limits on values
#                 still count and misspelled limits are found
# OUTPUT/diff     the comparison
#
# EMIT: further views, LIMITS: one limit per line. The exit code is 0 also when a limit fails: the
# output `exit-code` has the code of the comparison.
set -euo pipefail
dumps=$1 output=$2
baseline=$output/baseline
export LC_ALL=C

# Results of dumps that are gone would count as runs.
rm -rf "$output/results"
bigtpuprofile batch "$dumps" "$output/results" --emit "report${EMIT:+,$EMIT}"

# One directory a run: `diff` takes each of them as a run of its side.
rm -rf "$output/reports"
count=0
while IFS= read -r -d '' report; do
  count=$((count + 1))
  mkdir -p "$output/reports/$count"
  cp "$report" "$output/reports/$count/report.json"
done < <(find "$output/results" -name report.json -print0 | sort -z)
if [[ $count == 0 ]]; then
  echo "$dumps: no dump could be analyzed" >&2
  exit 1
fi

is_first=
if [[ -z $(find "$baseline" -name report.json -print -quit 2>/dev/null) ]]; then
  is_first=yes
  baseline=$output/reports
fi
limits=()
while IFS= read -r limit; do
  limit=$(sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$limit")
  [[ -z $limit ]] || limits+=(--fail-on "$limit")
done <<<"${LIMITS:-}"

code=0
bigtpuprofile diff "$baseline" "$output/reports" -o "$output/diff" ${limits[@]+"${limits[@]}"} || code=$?
# 2 is a limit that could not be read, 1 a baseline that could not: neither made a comparison.
[[ $code == 0 || $code == 4 ]] || exit "$code"

if [[ $is_first ]]; then
  note="There is no baseline yet: this run was compared with itself. The next run on the main branch makes one."
  echo "$note"
  printf '> %s\n\n%s\n' "$note" "$(cat "$output/diff/diff.md")" > "$output/diff/diff.md"
fi
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  cat "$output/diff/diff.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  printf 'exit-code=%s\nreport=%s\n' "$code" "$output/diff" >> "$GITHUB_OUTPUT"
fi
