#!/usr/bin/env bash
# Writes the man pages and completions of a package below a directory. Files of an earlier run are replaced; no symbolic link
# in the directory is followed, and modes follow the umask.
# usage: generate.sh PROGRAM DIRECTORY
set -euo pipefail
program=$1 directory=$2

for place in man completions; do
  mkdir -p "$directory/$place"
  if [ -L "$directory/$place" ]; then
    echo "$directory/$place: is a symbolic link; remove it" >&2
    exit 1
  fi
done
# What is in the place of a file is removed; then the file must be new.
set -o noclobber
generate() {
  rm -f -- "$directory/$2"
  "$program" --generate "$1" > "$directory/$2"
}
generate man man/bigtpuprofile.1
for command in batch cluster costs diff estimate explain info open pipeline query search simulate synth whatif; do
  generate "man-$command" "man/bigtpuprofile-$command.1"
done
generate complete-bash completions/bigtpuprofile
generate complete-zsh completions/_bigtpuprofile
generate complete-fish completions/bigtpuprofile.fish
