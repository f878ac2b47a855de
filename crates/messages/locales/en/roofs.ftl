# Peaks and clocks of a run: what each bounds, and how well it is known. Who says so: see sources.ftl.

roof-is-measured = measured
roof-is-published = published
roof-is-derived = derived
roof-is-assumed = assumed
roof-is-given = given
roof-is-of-the-dump = dump
roof-is-unknown = unknown
roof-ddr-core = DDR, one core alone
roof-ddr-core-copies = DDR, one core alone, copies
roof-ddr-active = DDR, each of { $cores } cores
roof-ddr-active-copies = DDR, each of { $cores } cores, copies
roof-link = link
roof-clock = { $engine } clock
