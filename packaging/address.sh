#!/usr/bin/env bash
# Writes the address of the repository into the manifest of the program, for crates.io and cargo binstall.
# usage: address.sh https://HOST/OWNER/NAME
set -euo pipefail
cd "$(dirname "$0")/.."
if [[ ! $1 =~ ^https://[A-Za-z0-9.-]+/[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$ ]]; then
  echo "$1: is no address of a repository; give one such as https://github.com/owner/name" >&2
  exit 2
fi
if grep -q '^repository = ' Cargo.toml; then
  echo "Cargo.toml: has an address already" >&2
  exit 1
fi
sed -i "0,/^name = \"bigtpuprofile\"\$/s||&\nrepository = \"$1\"|" Cargo.toml
