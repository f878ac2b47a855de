#!/bin/sh
# Stands in for a program with a runtime of a TPU: writes dumps as `synth` makes them, follows the variables of the runtime that
# STAND_IN names (docs/capture.md), and makes the mistakes in MISTAKE. TOOL is bigtpuprofile. Without a variable that switches the
# capture on, it writes nothing, as runtimes do.
set -eu

dump=cdm_profile_data_dev0
chip=
case "$STAND_IN" in
torch-tpu)
    # The program calls enable_profile with what it was written with.
    is_on=${BMLIB_ENABLE_ALL_PROFILE:-0} writer=tpudnn mode=1 records=${OWN_RECORDS:-40960}
    dump=cdm_profile_data_dev0-0
    ;;
tilelang)
    is_on=${BMLIB_ENABLE_ALL_PROFILE:-0} writer=tpudnn
    mode=${PROFILE_BOOK_KEEPING:-1} records=${PROFILE_RECORD_SIZE:-131072}
    dump=cdm_profile_data_dev0-0
    ;;
vllm)
    # Its own variable, and that of the runtime below it.
    is_on=${ENABLE_PROFILE:-0} writer=tpudnn mode=${PROFILE_BOOK_KEEPING:-1} records=1000000
    [ "${BMLIB_ENABLE_ALL_PROFILE:-0}" = 1 ] || is_on=0
    dump=cdm_profile_data_dev0-0
    ;;
model-rt)
    is_on=${ENABLE_ALL_PROFILE:-0} writer=model-rt
    mode=${PROFILE_MODE:-0} records=${PROFILE_RECORD_SIZE:-131072}
    ;;
libsophon-cv84x6)
    is_on=${BMRUNTIME_ENABLE_PROFILE:-0} writer=libsophon
    mode=${PROFILE_MODE:-0} records=${PROFILE_RECORD_SIZE:-65536}
    ;;
libsophon-bm1688)
    is_on=${BMRUNTIME_ENABLE_PROFILE:-0} writer=libsophon
    mode=0 records=${BMRUNTIME_GDMA_RECORD_SIZE:-1048576}
    chip="--chip bm1688"
    dump=bmprofile_data-1
    ;;
libsophon-recorded)
    # Of chips whose dumps `synth` does not make: RECORDED is a dump of real hardware.
    is_on=${BMRUNTIME_ENABLE_PROFILE:-0} writer=recorded mode=0 records=1048576
    dump=bmprofile_data-1
    ;;
*)
    echo "no runtime $STAND_IN" >&2
    exit 2
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
    if [ "$writer" = recorded ]; then
        cp -r "$RECORDED" "$directory"
        return
    fi
    # shellcheck disable=SC2086 # an option, or none
    "$TOOL" synth "$directory" --writer "$writer" $chip --mode "$mode" --launches 11 $lapped -q "$@"
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
    trap 'echo "stopped" >&2; exit 9' TERM INT HUP
    echo "waits" >"$READY"
    while :; do sleep 0.05; done
    ;;
serves)
    # A server is stopped by a signal, and ends well.
    trap 'write "$dump"; exit 0' INT
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
    # shellcheck disable=SC2086 # options, or none
    write "$dump" ${OPTIONS:-}
    if [ "${DEVICES:-1}" = 2 ]; then
        # shellcheck disable=SC2086 # options, or none
        write "$(echo "$dump" | sed s/dev0/dev1/)" ${OPTIONS:-}
    fi
    if [ "${CALLS:-1}" = 2 ]; then
        # shellcheck disable=SC2086
        write "${dump%0}1" ${OPTIONS:-} --seed 1
    fi
    if [ -n "${SIBLING:-}" ]; then
        cp -r "$SIBLING" .
    fi
    if [ -n "${TRACE:-}" ]; then
        cp "$TRACE" trace_rank0.json
    fi
    ;;
esac
