// What bounds a kernel or a layer, in words.
import type { Bound } from "../data/generated";
import type { Text } from "./i18n";

export const BOUNDS: Record<Bound, Text> = {
  compute: ["compute", "计算"], ddr: ["DDR", "DDR"], l2m: ["L2M", "L2M"], sync: ["sync", "同步"],
  tiu_efficiency: ["TIU efficiency", "TIU 效率低"], dma_efficiency: ["DMA efficiency", "DMA 效率低"], latency: ["latency", "延迟"], serialized: ["serialized", "串行"],
  implausible: ["implausible", "不可信"], unknown: ["unknown", "未知"],
};
