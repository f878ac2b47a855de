# Where numbers of machines and peaks come from. The code and the descriptions of machines name a source by its id;
# citations, such as the name of a data sheet, are no sentences and stand in no catalogue.

source-chip-facts = chip facts
source-shared-ddr = chip facts: DDR Max BW of a core, while all use it
source-cube = chip facts: lanes, input channels a cycle, clock
source-bus-128 = a bus of 128 bytes a cycle; a core read 104.8 GB/s at most
source-l2m-read = chip facts; a core read 111 GB/s at most
source-as-aks = as AKS, which has the same cores
source-bus-32 = the GDMA's bus moves 32 bytes a cycle at 750 MHz
source-bus-64 = the GDMA's bus moves 64 bytes a cycle
source-bus-8 = the GDMA's bus moves 8 bytes a cycle
source-two-cores = public models of the chip: 15 GB/s for each of two cores
source-alone = chip facts; no other public source confirms it
source-copies-cv184x = copies moved 4.19 bytes a cycle each way
source-copies = chip facts; a copy reached 30.4 GB/s
source-card = the vendor's data of the card SC11, two AKS
source-dump-clock = from the dump
source-usual-clock = chip default, not measured
source-none = no public source has it; --hw gives it
source-whole-chip = chip facts: lanes x cube width x TIU clock, memory ceilings of a core x cores
source-l2-size = architecture tables and memory map of the chip
source-both-ways = LPDDR4X-4266 of 128 bits, which fits the published utilization of the memory; one direction of the bus moves 64 GB/s
source-cv186x = one core of BM1688: 155 networks were measured on both, and the median ratio of the times is 1.00 (docs/prediction/measured.md)
source-nvlink-300 = NVIDIA V100 data sheet: NVLink 300 GB/s, half of it in one direction
source-nvlink-600 = NVIDIA A100 data sheet: NVLink 600 GB/s, half of it in one direction
source-nvlink-900 = NVIDIA H100 data sheet: NVLink 900 GB/s, half of it in one direction
source-infinity-fabric = AMD Instinct MI300X data sheet: one Infinity Fabric link of 128 GB/s, half of it in one direction
source-tpu-v5e = Google Cloud documentation, TPU v5e: 400 GB/s in both directions, half of it in one direction
