# The overview of a batch.

## What stands out

fleet-device-works = { $device } works { $times } as long as the median of like dumps.
fleet-core-works = Core { $core } of { $device } works { $times } as long as the device's median core.
fleet-trend = { $device }: { $change } from its first call to its last.
fleet-none-of = No { $first } or { $last } stands out.
fleet-no-core = No core stands out.
fleet-a-device = device
fleet-a-core = core
fleet-a-trend = trend
fleet-devices-unchecked = Devices are not compared: { $why }.
fleet-calls-unchecked = Calls are not compared: { $why }.
fleet-trends-unchecked = Trends are not looked for: { $why }.
fleet-failed = { $failed } failed, { $lost } with lost data.
fleet-few-alike = no three dumps are of the same program on the same chip
fleet-unnamed = the dumps' names carry no device and call (cdm_profile_data_dev0-3: device 0, call 3)
fleet-single-devices = no call has several devices
fleet-few-calls = no device has six calls
fleet-none = None.
fleet-first = The first { $shown } of { $all }.

## Lists

fleet-slow-devices = Slow devices
fleet-slow-devices-are = Work of the dump over the median of like dumps; waiting is no work.
fleet-slow-cores = Slow cores
fleet-slow-cores-are = Work of the core over the median core of the same dump.
fleet-core-of = { $device } core { $core }
fleet-straggler-calls = Calls with a straggler
fleet-straggler-calls-are = The device that worked longest in a call, over the median of its devices.
fleet-slow-kernels = Kernels above the fleet's median
fleet-slow-layers = Layers above the fleet's median
fleet-slow-kernels-are = Mean time of a launch or run over the median of like dumps.
fleet-trends = Trends over calls
fleet-trends-are = Slope by Theil and Sen from the first call to the last, where the test of Mann and Kendall is certain (six calls or more).
fleet-advice = Advice by total gain
fleet-advice-is = Gains of one dump exclude each other, and are summed over dumps.
fleet-problems = Failures and losses
fleet-status-failed = failed
fleet-status-lost = lost
fleet-all-dumps = All dumps
fleet-all-dumps-are = Shares of the time from the first record to the last.

## Columns

fleet-device = Device
fleet-calls = Calls
fleet-work = Work
fleet-above = Above median (us)
fleet-worst = Worst
fleet-core = Core
fleet-call = Call
fleet-devices = Devices
fleet-slowest = Slowest
fleet-name = Name
fleet-mean = Mean (us)
fleet-median = Median (us)
fleet-ratio = Ratio
fleet-run = Run
fleet-change = Change
fleet-times = Time of the calls
fleet-last = Last
fleet-rule = Rule
fleet-dump-count = Dumps
fleet-time-line = { CAPITAL($note) }.
fleet-gain = Gain (us)
fleet-bound = bound or estimate
fleet-greatest = Greatest in
fleet-there = There
fleet-dump = Dump
fleet-status = Status
fleet-what = What
fleet-chip = Chip
fleet-time = Time (us)
fleet-compute = Compute
fleet-exposed = Exposed transfer
fleet-sync = Sync
fleet-idle = Idle
fleet-top-kernel = Top kernel
fleet-first-advice = First advice
fleet-losses = Notes of loss

## Page of several devices

fleet-devices-heading = { $devices ->
    [one] { $devices } device or call
   *[other] { $devices } devices and calls
}
fleet-devices-runs = Runs
fleet-devices-events = Events
fleet-devices-start = Start (us)
fleet-devices-joined = All devices on one clock: { $page }
fleet-devices-kernels = Kernels by device
fleet-devices-kernels-are = Time of all launches in us, summed over cores; orange: longer than the devices' average, blue: shorter.
