#!/usr/bin/env bash
# Installs bigtpuprofile and prints the directory of the program.
# usage: install.sh DIRECTORY
#
# In this order: a program in PATH, a program in DIRECTORY (the cache), the release that ACTION_REF names, the sources in
# ACTION_PATH.
set -euo pipefail
directory=$1

if found=$(command -v bigtpuprofile); then
  dirname "$found"
  exit 0
fi

# Downloads the program of a release; fails where there is none for this machine.
download() {
  [[ ${ACTION_REF:-} == v* && -n ${ACTION_REPOSITORY:-} && $(uname -s) == Linux ]] || return 1
  local name url
  name=bigtpuprofile-$(uname -m)-linux.tar.gz
  url=https://github.com/$ACTION_REPOSITORY/releases/download/$ACTION_REF
  curl -fsSL --retry 3 -o "$directory/$name" "$url/$name" || return 1
  curl -fsSL --retry 3 -o "$directory/$name.sha256" "$url/$name.sha256" || return 1
  (cd "$directory" && sha256sum --check --quiet "$name.sha256") || return 1
  mkdir -p "$directory/bin"
  tar -xzf "$directory/$name" -C "$directory/bin" bigtpuprofile
}

if [[ ! -x $directory/bin/bigtpuprofile ]]; then
  mkdir -p "$directory"
  download >&2 || cargo install --path "$ACTION_PATH" --locked --root "$directory" >&2
fi
echo "$directory/bin"
