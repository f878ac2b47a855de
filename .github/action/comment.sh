#!/usr/bin/env bash
# Writes a Markdown file as a comment on a pull request; a second call replaces the comment of the first.
# usage: comment.sh FILE NAME
#
# NAME tells the comments of several workloads apart. PULL_REQUEST, GITHUB_REPOSITORY and GH_TOKEN are set by the caller.
set -euo pipefail
file=$1
name=$2
# A name ends no comment of HTML; different names stay different.
plain=${name//[^A-Za-z0-9._ \/-]/_}
plain=${plain//--/__}
[[ $plain == "$name" ]] || plain="$plain $(printf %s "$name" | cksum | cut -d ' ' -f 1)"
export MARKER="<!-- bigtpuprofile $plain -->"
# GitHub refuses more than 65536 characters.
limit=60000

body=$(mktemp)
trap 'rm -f "$body"' EXIT
{
  printf '%s\n' "$MARKER"
  # Whole lines only; a part that was opened is closed.
  awk -v limit=$limit '
    { size += length($0) + 1 }
    size > limit { if (open) print "\n</details>"; print "\nThe comparison is longer than a comment can be: see diff.html."; exit }
    /<details/ { open++ }
    /<\/details>/ { open-- }
    { print }
  ' "$file"
} > "$body"

comments=repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments
# The marker is data, not a part of the program.
old=$(gh api --paginate "$comments" --jq '.[] | select(.body | startswith(env.MARKER)) | .id' | head -n 1)
if [[ -n $old ]]; then
  gh api --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$old" --field body=@"$body" --silent
else
  gh api --method POST "$comments" --field body=@"$body" --silent
fi
