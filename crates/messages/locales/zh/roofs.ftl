# 一次运行的上限与时钟：限制什么、可信程度。来源见 sources.ftl。

roof-is-measured = 实测
roof-is-published = 公开资料
roof-is-derived = 推算
roof-is-assumed = 假定
roof-is-given = 用户指定
roof-is-of-the-dump = 转储
roof-is-unknown = 未知
roof-ddr-core = DDR，单核独用
roof-ddr-core-copies = DDR，单核独用拷贝
roof-ddr-active = DDR，{ $cores } 核中的每核
roof-ddr-active-copies = DDR，{ $cores } 核中的每核拷贝
roof-link = 链路
roof-clock = { $engine } 时钟
