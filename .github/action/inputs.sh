#!/usr/bin/env bash
# Checks the inputs that become paths and keys; says what the other steps need.
# usage: inputs.sh
#
# OUTPUT, BASELINE_KEY: the inputs. ACTION_PATH: the sources of this action; the key of the cached program depends on all of
# them, which GitHub's hashFiles can't see outside the workspace.
set -euo pipefail
export LC_ALL=C

fail() {
  echo "$1" >&2
  exit 1
}

[[ -n ${OUTPUT:-} ]] || fail "the input output is empty; name a directory for the results, such as tpu-profile"
[[ $OUTPUT != *[[:cntrl:]]* ]] || fail "the input output has a control character; name another directory"
[[ $OUTPUT =~ [^/.] ]] || fail "the input output is $OUTPUT; name a directory of its own for the results, such as tpu-profile"
[[ ${BASELINE_KEY:-} =~ ^[A-Za-z0-9._/-]+$ ]] || fail "the input baseline-key is '${BASELINE_KEY:-}'; use letters, digits, dots, slashes and hyphens"
output=$OUTPUT
# No program takes it for an option.
[[ $output != -* ]] || output=./$output

cd "$ACTION_PATH"
sources=$(find Cargo.toml Cargo.lock src crates .github/action -type f -not -path '*/node_modules/*' -print0 |
  sort -z | xargs -0 sha256sum | sha256sum | cut -d ' ' -f 1)
printf 'output=%s\nsources=%s\n' "$output" "$sources" >> "${GITHUB_OUTPUT:-/dev/stdout}"
