# Clusters: many devices as one run.

## The verdict

cluster-sentence = { CAPITAL($clause) }.
cluster-islands = In these dumps no message joins all ranks: there are { $islands } islands, each with a time of its own, and nothing is compared across them. A link that no captured operation uses is not seen.
cluster-islands-not-found = The ranks could not be put on one clock: they are compared in { $islands } groups only, each with a time of its own. There may be links that were not found.
cluster-missing = { $missing ->
    [one] { $missing } of { $all } ranks has no dump
   *[other] { $missing } of { $all } ranks have no dump
}; all shares are of the others.
cluster-left-out = { $count ->
    [one] { $count } of { $all } dumps could not be read and is left out
   *[other] { $count } of { $all } dumps could not be read and are left out
}; all shares are of the others.
cluster-late = Rank { $rank } is late in { $late } of { $all } operations; { $without }.
cluster-late-because = Rank { $rank } is late in { $late } of { $all } operations: { $why }; { $without }.
cluster-without = without this { $then }
cluster-instead = the run would take { RUN($after) } ms instead of { RUN($before) } ms
cluster-cost-without-partner = what this costs is not known, because ports have commands without partner
cluster-cost-of-ports = what this costs is not known, because ports are not on their devices' clocks
cluster-slow-link = the link from rank { $from } to rank { $to } { $speed } and is the slow one in { $count } of { $all } operations
cluster-share-of-fastest = has { PERCENT($share) }% of the fastest link's rate
cluster-is-slow = is slow
cluster-at-fastest-rate = at the fastest's rate
cluster-at-twice-its-rate = at twice its rate
cluster-link-then = { $link }; { $rate } { $then }
cluster-link-cost = { $link }; { $cost }
cluster-retrying-link = the link from rank { $from } port { $from_port } to rank { $to } port { $to_port } sent { $packets } packets again: check its cable and connectors
cluster-not-placed = Ports are linked, but they are not on their devices' clocks: when operations ran is not known.
cluster-not-joined = Which ranks exchanged data was not found: { $commands ->
    [one] { $commands } command of ports has
   *[other] { $commands } commands of ports have
} no partner that their times decide; capture more operations, or give the links (--topology).
cluster-no-communication = No communication between the ranks was found.
cluster-nothing-stands-out = No rank and no link stands out in { $count ->
    [one] { $count } operation
   *[other] { $count } operations
} of { $ranks } ranks.

## What holds a rank up

cluster-pauses-between-launches = the pauses between its launches
cluster-its-computation = its computation
cluster-its-transfers = its transfers between memories
cluster-its-pauses = its pauses
cluster-its-kernel = its { $kernel }
cluster-take-times = { $what } take { $times } times as long as on the median rank ({ RUN($more) } ms more)
cluster-takes-times = { $what } takes { $times } times as long as on the median rank ({ RUN($more) } ms more)
cluster-take-longer = { $what } take { RUN($more) } ms longer than on the median rank
cluster-takes-longer = { $what } takes { RUN($more) } ms longer than on the median rank
cluster-host-is-late = { $clause }, so its host launches late
cluster-above-median = its own time is above the median

## Advice

cluster-rank = rank { $rank }: { $text }
cluster-stage-imbalance = the pipeline's stage on rank { $rank } works { $times } times as long as the mean stage: move layers to others
cluster-slow-link-advice = the link from rank { $from } to rank { $to } { $speed } and is the slow one of { $count } operations: check its cable, and what else uses it
cluster-gain-at-rate = { $advice }; the gain is { $rate }
cluster-exposed = communication that no computation hides is { PERCENT($share) }% of the ranks' time: start transfers before the work that does not need them
cluster-exposed-with-gain = communication that no computation hides is { PERCENT($share) }% of the ranks' time: start transfers before the work that does not need them; the gain is what perfect overlap would give at most
cluster-bubble = the { $stages } stages of a pipeline wait for each other in { PERCENT($mean) }% of their time, stage { $stage } (rank { $rank }) in { PERCENT($worst) }%: more and smaller microbatches make these bubbles smaller
cluster-gain = (gain { $gain })
cluster-gain-at-most = (gain at most { $gain })
cluster-more-like-it = ({ $count } more like it)

## What is missing or doubtful

cluster-no-direction = rank { $rank }: { $count } commands have no known direction and are left out
cluster-other-bytes = rank { $rank } port { $port }: the records of { $count } sends name other bytes than the shapes of the commands; the shapes are used
cluster-no-port-commands = rank { $rank }: its dump has no commands of ports
cluster-no-sync-pair = rank { $rank }: ports { $ports } have no sync pair: their commands are not on the device's clock; its arrivals at operations are those that its partners' clocks show, and operations between such ranks alone are left out
cluster-numbered-by-device = ranks are numbered by device: give --rank-table or --chip-map for the numbers of the program
cluster-lost = records are lost: { $named }; capture fewer steps, or with a greater max_record_num (ports hold 40 960 at most)
cluster-lost-of-rank = { $lost } of rank { $rank }
cluster-more-ranks = { $count } more ranks
cluster-more = { $count } more
cluster-incomplete = data of the dumps of { $ranks ->
    [one] rank
   *[other] ranks
} { $named } is missing or can't be used; `bigtpuprofile info { $dump }` says what
cluster-gap-of-devices = { $host } has devices { $first } to { $last } but none { $gap }: its dump may be missing, and its neighbours' ports have no partner
cluster-ring-order = the links form a ring in the order { $order }, not in the order of the ranks: check the rank table or chip map
cluster-no-steps = the ranks repeat their kernels a different number of times: no steps
cluster-nothing-predicted = nothing is predicted: the ports of rank { $ranks } are not on their devices' clocks, so that it is not known what they waited for
cluster-open-threads = { $count } threads of ports have no partner: their { $keeps }, so that gains can be greater than predicted
cluster-keep-commands = commands keep the time that they took, also where they waited
cluster-keep-transfers = transfers keep their time
cluster-no-kernel = --scale { $scale }: there is no such kernel
cluster-no-rank-or-link = --scale { $scale }: there is no such rank or link
cluster-not-reproduced = the joint replay does not reproduce a command of rank index { $rank } at { $time } ns: no prediction
cluster-contradicted = the given link to rank { $rank } port { $port } contradicts the data, or others of the list do: it is not used

## Why a port has no clear partner

cluster-no-candidate = no candidate fits: the partner may not be captured
cluster-few-commands = fewer than 8 commands
cluster-few-stretches = fewer than 4 stretches of commands between pauses
cluster-few-paired = only a part of its few commands can be paired
cluster-second-best = the second best candidate is not clearly worse
cluster-orders-contradict = the orders of the best candidate contradict those of other links
cluster-clocks-contradict = the clocks that other links prove say that the best candidate's commands do not belong together
cluster-fits-worse = the best candidate fits much worse than the ends of other links: its partner may not be captured
cluster-commands-without-partner = the best candidate has no partner for some commands, and no record is lost: its partner may not be captured

## What could not be used

cluster-left-out-file = { $path }: left out: { $why }
cluster-unread-file = { $path }: left out: cannot be read ({ $why })
cluster-other-version = { $dump }: its part is of version { $version }, this program is { $own }: make the parts again to compare like with like
cluster-not-in-table = { $dump }: host { $host } device { $device } has no rank in the table and is left out
cluster-host-left-out = a host's trace is left out: { $why }
cluster-host-of-no-rank = { $file }: nothing says of which rank it is
cluster-host-twice = { $file }: rank { $rank } has a host's trace already
cluster-host-no-rank = { $file }: there is no rank { $rank }
cluster-host-not-anchored = { $file }: it has no tpudnn event that says when the device ran; only its names are used
cluster-host-unread = { $path }: hosts' traces in it are left out: cannot be read ({ $why })
cluster-trace-no-rank = --trace: there is no rank { $rank }
cluster-trace-no-cores = { $file } has no cores of rank { $rank }: its dump { $dump } is not here, or not that of its part
cluster-trace-left-out = { $file } is left out: it would take up to { $size }; --emit trace writes it
cluster-tables-left-out = pairs.parquet and states.parquet are left out: they would have more than { $rows } rows; --emit tables writes them

## The console

cluster-call = Call { $call }
cluster-parts = { $parts }
cluster-ranks = { $ranks ->
    [one] { $ranks } rank
   *[other] { $ranks } ranks
} of { $chips } on { $hosts ->
    [one] { $hosts } host
   *[other] { $hosts } hosts
}
cluster-island-count = { $islands ->
    [one] { $islands } island
   *[other] { $islands } islands
}
cluster-missing-count = { $missing } missing
cluster-lost-count = { $records ->
    [one] { $records } record
   *[other] { $records } records
} lost
cluster-incomplete-count = { $dumps ->
    [one] { $dumps } dump
   *[other] { $dumps } dumps
} incomplete
cluster-no-link = no link was found: each rank has a time of its own ({ $threads ->
    [one] { $threads } thread
   *[other] { $threads } threads
} of ports without a clear partner)
cluster-no-clock = { $links ->
    [one] { $links } link
   *[other] { $links } links
} found, of ports that are not on their devices' clocks: each rank has a time of its own
cluster-aligned = aligned by { $links ->
    [one] { $links } link
   *[other] { $links } links
}: ±{ $error }, drift up to { $drift } ppm, { $violations } of { $orders } orders violated
cluster-ends-only = times: ends only
cluster-bounds-only = one-way chains: bounds only
cluster-not-verified = clock method not yet verified on hardware: no public dump of two connected devices exists
cluster-mean-time = Time of the ranks, mean: { $states }
cluster-most-exposed = Most exposed communication, rank { $rank }: { $states }
cluster-state = { $state } { PERCENT($share, digits: 1) }%
cluster-state-compute = compute
cluster-state-memory = memory
cluster-state-link = link
cluster-state-late-sender = wait late sender
cluster-state-late-receiver = wait late receiver
cluster-state-collective = wait collective
cluster-state-overhead = link overhead
cluster-state-sync = sync
cluster-state-launch = launch
cluster-state-idle = idle
cluster-state-not-captured = not captured
cluster-state-lost = lost
cluster-links-contradicted = { $links ->
    [one] { $links } link of --topology contradicts
   *[other] { $links } links of --topology contradict
} the data, or others of the list: not used
cluster-without-partner = { $threads ->
    [one] { $threads } thread
   *[other] { $threads } threads
} of ports without a clear partner ({ $why }): no number uses them
cluster-capture-more = { $threads ->
    [one] { $threads } thread
   *[other] { $threads } threads
} of ports without a clear partner ({ $why }): no number uses them; capture more steps
cluster-more-in = { $count } more in { $file }

cluster-part-written = { $path }: { $bytes } bytes, { $events } events, { $commands } commands of ports
cluster-call-left-out = call { $call }: { $why }
