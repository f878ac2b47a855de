#!/usr/bin/env bash
# Writes the man pages and completions of a package below a directory.
# usage: generate.sh PROGRAM DIRECTORY
set -euo pipefail
program=$1 directory=$2

mkdir -p "$directory/man" "$directory/completions"
"$program" --generate man > "$directory/man/bigtpuprofile.1"
for command in batch cluster costs diff estimate explain info pipeline search synth whatif; do
  "$program" --generate "man-$command" > "$directory/man/bigtpuprofile-$command.1"
done
"$program" --generate complete-bash > "$directory/completions/bigtpuprofile"
"$program" --generate complete-zsh > "$directory/completions/_bigtpuprofile"
"$program" --generate complete-fish > "$directory/completions/bigtpuprofile.fish"
