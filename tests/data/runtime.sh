#!/bin/sh
# Stands in for a program with a runtime of a TPU: writes dumps as `synth` makes them, follows the variables of the runtime that
# STAND_IN names, and makes the mistakes in MISTAKE. TOOL is bigtpuprofile. Without a variable that switches the capture on, it writes
# nothing, as runtimes do.
set -eu

case "$STAND_IN" in
tpudnn)
    is_on=${BMLIB_ENABLE_ALL_PROFILE:-0}
    # The program calls enable_profile with what it was written with.
    mode=${PROFILE_BOOK_KEEPING:-1}
    records=${OWN_RECORDS:-${PROFILE_RECORD_SIZE:-40960}}
    dump=cdm_profile_data_dev0-0
    ;;
model-rt)
    is_on=${ENABLE_ALL_PROFILE:-0}
    mode=${PROFILE_MODE:-0}
    records=${PROFILE_RECORD_SIZE:-131072}
    dump=cdm_profile_data_dev0
    ;;
libsophon)
    is_on=${BMRUNTIME_ENABLE_PROFILE:-0}
    mode=${PROFILE_MODE:-0}
    records=${PROFILE_RECORD_SIZE:-65536}
    dump=cdm_profile_data_dev0
    ;;
esac
[ "$is_on" = 1 ] || exit 0

# write DIRECTORY OPTIONS: a dump whose rings are full if they have fewer records than the run needs.
write() {
    directory=$1
    shift
    lapped=
    if [ "$records" -lt "${NEEDS:-0}" ]; then
        lapped=--lapped
    fi
    rm -rf "$directory"
    # shellcheck disable=SC2086 # an option, or none
    "$TOOL" synth "$directory" --writer "$STAND_IN" --mode "$mode" --launches 11 $lapped -q "$@"
    if [ -n "${OWN_RECORDS:-}" ]; then
        echo "max_record_num=$OWN_RECORDS" >>"$directory/global.profile"
    fi
}

echo "out of the program"
echo "err of the program" >&2
case "${MISTAKE:-}" in
nothing) ;;
crash)
    exit 7
    ;;
crash-behind-dump)
    write "$dump"
    exit 7
    ;;
killed)
    kill -KILL $$
    ;;
waits)
    trap 'echo "stopped" >&2; exit 9' TERM
    echo "waits" >"$READY"
    while :; do sleep 0.05; done
    ;;
elsewhere)
    cd "$ELSEWHERE"
    write "$dump"
    # A program works for a while where it writes.
    sleep 0.3
    ;;
part)
    rm -f "$dump/global.profile"
    cp "$PART/global.profile" "$dump/global.profile"
    ;;
*)
    write "$dump" ${OPTIONS:-}
    if [ "${DEVICES:-1}" = 2 ]; then
        write "${dump%0*}1" ${OPTIONS:-} 2>/dev/null || true
    fi
    if [ -n "${TRACE:-}" ]; then
        cp "$TRACE" trace_rank0.json
    fi
    ;;
esac
