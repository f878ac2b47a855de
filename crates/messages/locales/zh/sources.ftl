# 各机器与峰值数据的来源。代码和机器描述以 id 指明来源；数据手册名称等引用不在此列。

source-chip-facts = 芯片信息
source-shared-ddr = 芯片信息：所有核同时使用时每核的 DDR Max BW
source-cube = 芯片信息：lane 数、每周期输入通道数、时钟
source-bus-128 = 总线每周期 128 字节；单核读取最高 104.8 GB/s
source-l2m-read = 芯片信息；单核读取最高 111 GB/s
source-as-aks = 同 AKS，核相同
source-bus-32 = GDMA 总线每周期 32 字节，750 MHz
source-bus-64 = GDMA 总线每周期 64 字节
source-bus-8 = GDMA 总线每周期 8 字节
source-two-cores = 公开的芯片模型：两核各 15 GB/s
source-alone = 芯片信息；没有其他公开来源证实
source-copies-cv184x = 拷贝每周期每个方向 4.19 字节
source-copies = 芯片信息；拷贝达到 30.4 GB/s
source-card = 厂商的 SC11 卡（两颗 AKS）数据
source-dump-clock = 来自转储
source-usual-clock = 芯片默认值，非实测
source-none = 没有公开来源；可用 --hw 指定
source-whole-chip = 芯片信息：lane 数 x 矩阵单元宽度 x TIU 时钟，单核的内存上限 x 核数
source-l2-size = 芯片的架构表和内存映射
source-both-ways = 128 位 LPDDR4X-4266，与公布的内存利用率相符；总线单方向为 64 GB/s
source-cv186x = BM1688 的一个核：两者都实测过 155 个网络，时间之比的中位数为 1.00（docs/prediction/measured.md）
source-nvlink-300 = NVIDIA V100 数据手册：NVLink 300 GB/s，单方向为其一半
source-nvlink-600 = NVIDIA A100 数据手册：NVLink 600 GB/s，单方向为其一半
source-nvlink-900 = NVIDIA H100 数据手册：NVLink 900 GB/s，单方向为其一半
source-infinity-fabric = AMD Instinct MI300X 数据手册：一条 Infinity Fabric 链路 128 GB/s，单方向为其一半
source-tpu-v5e = Google Cloud 文档，TPU v5e：双向共 400 GB/s，单方向为其一半
