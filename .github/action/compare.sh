#!/usr/bin/env bash
# Analyzes the dumps below a directory and compares them with the baseline.
# usage: compare.sh DUMPS OUTPUT
#
# OUTPUT/results  what each analysis writes
# OUTPUT/reports  report.json of each dump: the next baseline
# OUTPUT/baseline the reports to compare with; without them, or if they can't be compared, limits on changes are skipped;
#                 limits on values still count, and misspelled limits are found
# OUTPUT/diff     the comparison
#
# OUTPUT/history  with HISTORY: a line for each run of each version
#
# EMIT: further views, LIMITS: one limit per line. ALLOW_MISSING: true makes limits whose subject is gone a warning. WORKLOAD: the name of the
# workload of all runs. HISTORY: true keeps the history, so that slow changes over many versions are found; LABEL names this version in it,
# LINK is where to read about it. What became slower is a warning. The exit code is 0 also when a limit fails: the
# output `exit-code` has the code of the comparison.
set -euo pipefail
dumps=${1:?"the directory with the dumps"} output=${2:?"a directory for the results"}
# No program takes it for an option.
[[ $output != -* ]] || output=./$output
baseline=$output/baseline
export LC_ALL=C

# Names in dumps are shown below: none of them is a command to the runner.
if [[ ${GITHUB_ACTIONS:-} == true ]]; then
  resume=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  echo "::stop-commands::$resume"
  trap 'echo "::$resume::"' EXIT
fi

# Results of dumps that are gone would count as runs. What this script did not make, it does not remove.
mark=$output/.bigtpuprofile-action
for directory in results reports diff history; do
  if [[ -e $output/$directory && ! -e $mark ]]; then
    echo "$output: has a directory $directory that is not of this action; remove it, or name another directory for the results" >&2
    exit 1
  fi
done
mkdir -p "$output"
touch "$mark"
rm -rf "$output/results"
bigtpuprofile batch --emit="report${EMIT:+,$EMIT}" -- "$dumps" "$output/results"

# The same directories as the dumps have: they tell host, device, call and repetition apart.
rm -rf "$output/reports"
count=0
while IFS= read -r -d '' report; do
  count=$((count + 1))
  place=$output/reports/${report#"$output/results/"}
  mkdir -p "$(dirname "$place")"
  cp "$report" "$place"
done < <(find "$output/results" -name report.json -print0 | sort -z)
if [[ $count == 0 ]]; then
  echo "$dumps: no dump could be analyzed" >&2
  exit 1
fi

limits=()
if [[ ${ALLOW_MISSING:-} == true ]]; then
  limits+=(--allow-missing)
fi
workload=${WORKLOAD:+"--workload=$WORKLOAD"}
while IFS= read -r limit; do
  limit=$(sed 's/^[[:space:]]*//; s/[[:space:]]*$//' <<<"$limit")
  [[ -z $limit ]] || limits+=("--fail-on=$limit")
done <<<"${LIMITS:-}"

compare() {
  code=0
  bigtpuprofile diff -o "$output/diff" ${workload:+"$workload"} ${limits[@]+"${limits[@]}"} "${@:2}" -- "$1" "$output/reports" || code=$?
}
note=
if [[ -z $(find "$baseline" -name report.json -print -quit 2>/dev/null) ]]; then
  note="There is no baseline yet: limits on changes are skipped. The next run on the main branch makes a baseline."
else
  compare "$baseline"
  # 1: the baseline can't be compared, such as one of a newer program, or of other devices. A run on the main branch has to
  # be able to renew it.
  if [[ $code == 1 ]]; then
    note="The baseline can't be compared (see the log): limits on changes are skipped. The next run on the main branch renews it."
    echo "::warning::$note"
  fi
fi
if [[ -n $note ]]; then
  compare "$output/reports" --no-baseline
fi
# 2 is a limit that could not be read, 1 a run that could not.
[[ $code == 0 || $code == 4 ]] || exit "$code"
verdict=$(sed -n 's/^    "verdict": "\([a-z_]*\)",\{0,1\}$/\1/p' "$output/diff/diff.json")

if [[ -n $note ]]; then
  echo "$note"
  printf '> %s\n\n%s\n' "$note" "$(cat "$output/diff/diff.md")" > "$output/diff/diff.md"
fi
if [[ ${HISTORY:-} == true ]]; then
  # The baseline carries it from run to run.
  rm -rf "$output/history"
  mkdir "$output/history"
  if [[ -e $baseline/history/history.jsonl ]]; then
    cp "$baseline/history/history.jsonl" "$output/history/"
  fi
  bigtpuprofile diff --history "$output/history" ${workload:+"$workload"} ${LABEL:+"--label=$LABEL"} ${LINK:+"--link=$LINK"} -- "$output/reports" > "$output/diff/history.txt"
  # shellcheck disable=SC2016  # the marks of a code block in Markdown, no command
  printf '\n```\n%s\n```\n' "$(cat "$output/diff/history.txt")" >> "$output/diff/diff.md"
  if grep -q '"verdict": "slower"' "$output/history/history.json"; then
    echo "::warning::The history shows that this version is slower, see history.html."
  fi
fi
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  cat "$output/diff/diff.md" >> "$GITHUB_STEP_SUMMARY"
fi
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  printf 'exit-code=%s\nverdict=%s\nreport=%s\n' "$code" "$verdict" "$output/diff" >> "$GITHUB_OUTPUT"
fi
