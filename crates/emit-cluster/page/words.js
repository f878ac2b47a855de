// The page's Chinese: whole texts, then sentences with places for values. Names of kernels, files and columns stay.

const WORDS = {
  'Stages of pipelines': '流水线的各阶段', 'Pipeline': '流水线', 'Stage': '阶段', 'Bubble': '空泡',
  'Data go from stage 0 on first. The bubble is the time in which a stage only waits for another.': '数据先从阶段 0 开始传递。空泡是一个阶段只等待其他阶段的时间。',
  'Rank': 'Rank', 'Gain': '收益', 'Late in': '迟到次数', 'Others waited': '其他 rank 的等待', 'Because of': '原因', 'own time': '自身时间',
  'Kind': '种类', 'Ranks': 'Rank 数', 'Bytes on links': '链路上的字节', 'Count': '次数', 'Transfer p50': '传输 p50', 'p95': 'p95', 'Skew p50': '偏差 p50',
  'Bus GB/s': '总线 GB/s', 'Most often late': '最常迟到', 'No.': '编号', 'Group': '组', 'Start': '开始', 'Skew': '偏差', 'Transfer': '传输',
  'Late rank': '迟到的 rank', 'Slow link': '慢链路', 'Island': '孤岛', 'Method': '方法', 'Offset': '偏移', 'Drift ppm': '漂移 ppm',
  'Standard error': '标准误差', 'Bounds': '界', 'Orders': '次序', 'violated before': '之前违反', 'after': '之后违反', 'open': '无界',
  'Where': '位置', 'Kernel': '核函数', 'Time': '时间', 'Share': '占比', 'between launches': '两次启动之间', 'Change': '改变', 'Run': '运行时间',
  'Link': '链路', 'GB/s': 'GB/s', 'of the best': '与最快之比', 'Bytes': '字节', 'Commands': '指令', 'Retries': '重传', 'State': '状态',
  'Operation': '操作', 'Wait': '等待', 'Arrival': '到达', 'Share that is waiting': '等待占比', 'At': '时刻', 'Late receiver': '接收方迟到',
  'Start-up': '启动', 'Completion': '完成', 'Late sender': '发送方迟到', 'Dump': '转储', 'Own page': '自己的页面',
  'Events, commands of ports': '事件、端口指令', 'Times of data': '数据时刻', 'Lost records': '丢失的记录', 'Clock': '时钟',
  'Bounds of the offset': '偏移的界', 'Gain with the median own time': '自身时间取中位数时的收益', 'Late because of link': '因链路而迟到',
  'From, to': '从、到', 'Known by': '依据', 'Rate': '速率', 'Residual': '残差', 'Not explained by the clocks': '时钟不能解释的部分',
  'Kind known by': '种类的依据', 'Bus bandwidth': '总线带宽', 'Late because': '迟到的原因',
  'the given topology, and the data agree': '给定的拓扑，与数据一致', 'its data': '数据',
  'not known: records have no moments of data': '未知：记录中没有数据时刻', 'data times': '有数据时刻', 'ends only': '只有结束时刻',
  'Details': '详情', 'Click a rank, a link or an operation.': '点击一个 rank、一条链路或一个操作。', 'This rank has no dump.': '此 rank 没有转储。',
  'Links': '链路', 'Slowest pairs': '最慢的收发对', 'Operations': '操作', 'Clocks': '时钟', 'Critical path': '关键路径', 'With a change': '假设的改变',
  'Operations; the first is the one at this moment': '操作；第一个是此刻的操作', 'Operations, the longest waits first': '操作，等待最长的在前',
  'Ends only: transfers are estimated from the bytes and the median rate.': '只有结束时刻：传输时间由字节数和中位速率估计。',
  'The ranks of this operation are in cluster.json and operations.parquet.': '此操作的各 rank 见 cluster.json 和 operations.parquet。',
  'Each operation': '每个操作', 'No rank holds the others up.': '没有 rank 拖慢其他 rank。',
  'Ranks over time': '各 rank 随时间的状态', 'Who holds the others up': '谁拖慢了其他 rank', 'What is missing or doubtful': '缺失或存疑之处',
  'Each row is a rank on the common clock; islands have clocks of their own. Drag, or the wheel with Shift, zooms; a click opens the rank. The violet bars above are operations.':
    '每行是公共时钟上的一个 rank；孤岛有各自的时钟。拖动，或按住 Shift 滚动滚轮可缩放；点击打开该 rank。上方的紫色条是操作。',
  'By what the run would gain if the rank’s own time were the median of the ranks.': '按该 rank 的自身时间取各 rank 的中位数时整个运行的收益排列。',
  'Senders down, receivers across; colour: share of the fastest link of this run; a black mark: packets were sent again.':
    '纵向为发送方，横向为接收方；颜色：与本次运行中最快链路之比；黑色标记：有数据包重传。',
  'Communications of one kind and size; then each.': '先是同一种类和大小的通信，再逐个列出。',
  'The chain of work and transfers that decides the end; its pieces add up to the run.': '决定结束时刻的工作与传输之链；各段之和等于整个运行。',
  'Predictions of the joint replay, which gives the measured times when nothing is changed.': '联合重放的预测；不作改变时它给出实测时间。',
  'Offset and drift against the reference of the island; bounds hold by facts alone, the standard error is of the estimate.':
    '相对于孤岛参考时钟的偏移与漂移；界只由事实得出，标准误差属于估计值。',
  'what the run gains with the rank’s own time at the median of the ranks, by the joint replay': '由联合重放得出：该 rank 的自身时间取各 rank 的中位数时整个运行的收益',
  'operations in which it was the last': '它最后到达的操作数', 'last end - last arrival': '最后结束 - 最后到达', 'last arrival - first arrival': '最后到达 - 最先到达',
  'as nccl-tests define it': '按 nccl-tests 的定义', 'the truth lies inside, by orders that no valid clock violates': '真值在其中：由任何有效时钟都不会违反的次序得出',
  'from orders that no valid clock violates': '由任何有效时钟都不会违反的次序得出', 'when all dumps begin together': '假设所有转储同时开始时',
  'with the clocks found': '用求得的时钟时', 'of own time: what ran on the rank': '自身时间内该 rank 上运行的核函数',
  'bytes over the time in which data moved': '字节数除以数据移动的时间', 'share of the fastest link of this run, not of a ceiling': '与本次运行中最快链路之比，不是与上限之比',
  'packets that the link sent again': '链路重传的数据包', 'what a straight line does not explain of receive minus send': '接收减发送中直线不能解释的部分',
  'start of the send, since the first record of the island': '发送的开始时刻，自孤岛的第一条记录起',
  'since the first record of the island': '自孤岛的第一条记录起', 'the send waits for its receiver': '发送等待接收方', 'the receive waits for its sender': '接收等待发送方',
  'own time since the operation before, against the median rank': '自上一个操作以来的自身时间，与中位 rank 相比',
  'reference': '参考', 'bounds only': '只有界', 'host clocks': '主机时钟', 'no link': '没有链路', 'ports not placed': '端口不在设备时钟上', 'launch gaps': '启动间隔', 'kernel': '核函数', 'host': '主机', 'reduce bits': '归约位', 'pattern': '模式',
  'pipeline stages': '流水线阶段', 'parallel groups': '并行组',
  'a TIU works': 'TIU 在工作', 'GDMA or SDMA moves data, no TIU works': 'GDMA 或 SDMA 在搬运数据，没有 TIU 工作',
  'a port moves data that no computation hides': '端口在传输数据，没有被计算掩盖', 'a receive waits for its sender': '接收等待发送方',
  'a send waits for its receiver': '发送等待接收方', 'an operation waits for its last rank': '操作等待最后一个 rank',
  'a port is active without moving data': '端口活动但没有传输数据', 'local sends and waits': '本地的发送与等待',
  'in a launch, and nothing happens': '在一次启动之内，但什么也没有发生', 'before the first or after the last record': '在第一条记录之前或最后一条记录之后',
  'known gaps of records': '已知的记录缺口', 'order by rank': '按 rank 排列', 'by exposed communication': '按暴露的通信', 'zoom in': '放大', 'zoom out': '缩小', 'all': '全部', 'more': '更多', 'higher rows': '行高些', 'lower rows': '行低些', 'close': '关闭',
  'States of the ranks over time; arrows up and down choose a rank, Enter opens it': '各 rank 随时间的状态；上下方向键选择 rank，回车键打开', 'Links between ranks': 'rank 之间的链路',
  'its host launches late': '其主机启动得晚', 'the pauses between its launches': '其两次启动之间的间隔', 'its computation': '其计算',
  'its transfers between memories': '其存储器之间的搬运', 'its pauses': '其空闲',
  'No communication between the ranks was found.': '没有找到 rank 之间的通信。', 'is slow': '较慢',
  'its own time is above the median': '其自身时间高于中位数',
  'The clock method is not yet verified on hardware: no public dump of two connected devices exists.': '时钟方法尚未在硬件上验证：没有两台相连设备的公开转储。',
  'ranks are numbered by device: give --rank-table or --chip-map for the numbers of the program': 'rank 按设备编号：用 --rank-table 或 --chip-map 给出程序中的编号',
  'the ranks repeat their kernels a different number of times: no steps': '各 rank 的核函数重复次数不同：不显示步',
  'fewer than 8 commands': '少于 8 条指令', 'fewer than 4 stretches of commands between pauses': '停顿之间的指令段少于 4 段',
  'only a part of its few commands can be paired': '指令很少，且只有一部分能配对', 'no candidate fits: the partner may not be captured': '没有合适的候选：对端可能没有被采集',
  'the second best candidate is not clearly worse': '第二好的候选并不明显更差',
  'the best candidate fits much worse than the ends of other links: its partner may not be captured': '最好的候选比其他链路的两端差得多：对端可能没有被采集',
  'the best candidate has no partner for some commands, and no record is lost: its partner may not be captured': '最好的候选中有些指令没有对端，而没有记录丢失：对端可能没有被采集',
  'the orders of the best candidate contradict those of other links': '最好的候选的先后次序与其他链路矛盾',
  'the clocks that other links prove say that the best candidate\'s commands do not belong together': '由其他链路证明的时钟表明，最好的候选的指令并不属于一起',
  'Ports are linked, but they are not on their devices\' clocks: when operations ran is not known.': '端口已相连，但不在其设备的时钟上：操作何时运行未知。',
};
const STATE_WORDS = {
  compute: '计算', memory: '存储', link: '链路', wait_late_sender: '等待发送方', wait_late_receiver: '等待接收方', wait_collective: '等待集合操作',
  link_overhead: '链路开销', sync: '同步', launch: '启动之间', idle: '空闲', not_captured: '未采集', lost: '丢失',
};
const SENTENCES = [
  ['Rank {} is late in {} of {} operations: {}; without this the run would take {} instead of {}.', 'Rank {0} 在 {2} 个操作中的 {1} 个里迟到：{3}；没有这一点，运行需要 {4}，而不是 {5}。'],
  ['Rank {} is late in {} of {} operations; without this the run would take {} instead of {}.', 'Rank {0} 在 {2} 个操作中的 {1} 个里迟到；没有这一点，运行需要 {3}，而不是 {4}。'],
  ['Rank {} is late in {} of {} operations: {}; what this costs is not known, because ports have commands without partner.', 'Rank {0} 在 {2} 个操作中的 {1} 个里迟到：{3}；代价未知，因为有端口指令没有对端。'],
  ['Rank {} is late in {} of {} operations: {}; what this costs is not known, because ports are not on their devices\' clocks.', 'Rank {0} 在 {2} 个操作中的 {1} 个里迟到：{3}；代价未知，因为有端口不在其设备的时钟上。'],
  ['The link from rank {} to rank {} has {}% of the fastest link\'s rate and is the slow one in {} of {} operations; at the fastest\'s rate the run would take {} instead of {}.',
    '从 rank {0} 到 rank {1} 的链路只有最快链路速率的 {2}%，在 {4} 个操作中的 {3} 个里最慢；达到最快链路的速率时运行需要 {5}，而不是 {6}。'],
  ['The link from rank {} to rank {} has {}% of the fastest link\'s rate and is the slow one in {} of {} operations.', '从 rank {0} 到 rank {1} 的链路只有最快链路速率的 {2}%，在 {4} 个操作中的 {3} 个里最慢。'],
  ['The link from rank {} to rank {} is slow and is the slow one in {} of {} operations; at twice its rate the run would take {} instead of {}.', '从 rank {0} 到 rank {1} 的链路较慢，在 {3} 个操作中的 {2} 个里最慢；速率加倍时运行需要 {4}，而不是 {5}。'],
  ['The link from rank {} to rank {} is slow and is the slow one in {} of {} operations.', '从 rank {0} 到 rank {1} 的链路较慢，在 {3} 个操作中的 {2} 个里最慢。'],
  ['The link from rank {} port {} to rank {} port {} sent {} packets again: check its cable and connectors; at the fastest\'s rate the run would take {} instead of {}.',
    '从 rank {0} 端口 {1} 到 rank {2} 端口 {3} 的链路重传了 {4} 个数据包：检查线缆和接头；达到最快链路的速率时运行需要 {5}，而不是 {6}。'],
  ['The link from rank {} port {} to rank {} port {} sent {} packets again: check its cable and connectors.', '从 rank {0} 端口 {1} 到 rank {2} 端口 {3} 的链路重传了 {4} 个数据包：检查线缆和接头。'],
  ['the link from rank {} port {} to rank {} port {} sent {} packets again: check its cable and connectors', '从 rank {0} 端口 {1} 到 rank {2} 端口 {3} 的链路重传了 {4} 个数据包：检查线缆和接头'],
  ['No link joins all ranks: there are {} islands, each with a time of its own, and nothing is compared across them.', '没有链路连接所有 rank：共有 {0} 个孤岛，各有自己的时间，彼此之间不作比较。'],
  ['{} of {} dumps could not be read and is left out; all shares are of the others.', '{1} 个转储中有 {0} 个无法读取，不计入；所有占比只涉及其余的 rank。'],
  ['{} of {} dumps could not be read and are left out; all shares are of the others.', '{1} 个转储中有 {0} 个无法读取，不计入；所有占比只涉及其余的 rank。'],
  ['{} of {} ranks has no dump; all shares are of the others.', '{1} 个 rank 中有 {0} 个没有转储；所有占比只涉及其余的 rank。'],
  ['{} of {} ranks have no dump; all shares are of the others.', '{1} 个 rank 中有 {0} 个没有转储；所有占比只涉及其余的 rank。'],
  ['No rank and no link stands out in {} operations of {} ranks.', '在 {1} 个 rank 的 {0} 个操作中，没有突出的 rank 或链路。'],
  ['rank {}: {}, so its host launches late', 'rank {0}：{1}，即其主机启动得晚'],
  ['{}, so its host launches late', '{0}，即其主机启动得晚'],
  ['the pauses between its launches take {} times as long as on the median rank ({} more)', '其两次启动之间的间隔是中位 rank 的 {0} 倍（多 {1}）'],
  ['its computation takes {} times as long as on the median rank ({} more)', '其计算时间是中位 rank 的 {0} 倍（多 {1}）'],
  ['its transfers between memories take {} times as long as on the median rank ({} more)', '其存储器之间的搬运时间是中位 rank 的 {0} 倍（多 {1}）'],
  ['its pauses take {} times as long as on the median rank ({} more)', '其空闲时间是中位 rank 的 {0} 倍（多 {1}）'],
  ['its {} takes {} times as long as on the median rank ({} more)', '其 {0} 的时间是中位 rank 的 {1} 倍（多 {2}）'],
  ['{} takes {} longer than on the median rank', '{0} 比中位 rank 长 {1}'],
  ['{} take {} longer than on the median rank', '{0} 比中位 rank 长 {1}'],
  ['the pipeline\'s stage on rank {} works {} times as long as the mean stage: move layers to others', 'rank {0} 上的流水线阶段的工作时间是各阶段平均值的 {1} 倍：把一些层移到其他阶段'],
  ['the {} stages of a pipeline wait for each other in {}% of their time, stage {} (rank {}) in {}%: more and smaller microbatches make these bubbles smaller',
    '流水线的 {0} 个阶段有 {1}% 的时间在互相等待，阶段 {2}（rank {3}）有 {4}%：微批次更多更小，这些空泡就更小'],
  ['the link from rank {} to rank {} has {}% of the fastest link\'s rate and is the slow one of {} operations: check its cable, and what else uses it; the gain is at the fastest\'s rate',
    '从 rank {0} 到 rank {1} 的链路只有最快链路速率的 {2}%，在 {3} 个操作中最慢：检查线缆，以及还有什么在使用它；收益按最快链路的速率计算'],
  ['the link from rank {} to rank {} is slow and is the slow one of {} operations: check its cable, and what else uses it; the gain is at twice its rate',
    '从 rank {0} 到 rank {1} 的链路较慢，在 {2} 个操作中最慢：检查线缆，以及还有什么在使用它；收益按速率加倍计算'],
  ['the link from rank {} to rank {} {} and is the slow one of {} operations: check its cable, and what else uses it', '从 rank {0} 到 rank {1} 的链路在 {3} 个操作中最慢：检查线缆，以及还有什么在使用它'],
  ['communication that no computation hides is {}% of the ranks\' time: start transfers before the work that does not need them; the gain is what perfect overlap would give at most',
    '没有被计算掩盖的通信占各 rank 时间的 {0}%：在不需要其数据的工作之前开始传输；收益是完全重叠时的上限'],
  ['communication that no computation hides is {}% of the ranks\' time: start transfers before the work that does not need them', '没有被计算掩盖的通信占各 rank 时间的 {0}%：在不需要其数据的工作之前开始传输'],
  ['rank {}: its dump has no commands of ports', 'rank {0}：其转储中没有端口指令'],
  ['rank {} port {} {}: {} commands without partner: {}', 'rank {0} 端口 {1} {2}：{3} 条指令没有对端：{4}'],
  ['rank {} port {}: the records of {} sends name other bytes than the shapes of the commands; the shapes are used', 'rank {0} 端口 {1}：{2} 次发送的记录中的字节数与指令的形状不同；采用形状'],
  ['rank {} port {}: {}', 'rank {0} 端口 {1}：{2}'],
  ['rank {}: ports {} have no sync pair: their commands are not on the device\'s clock, and its arrivals at operations are not known', 'rank {0}：端口 {1} 没有同步对：其指令不在设备时钟上，它到达各操作的时刻未知'],
  ['rank {}: {} commands have no known direction and are left out', 'rank {0}：{1} 条指令方向未知，不计入'],
  ['the links form a ring in the order {}, not in the order of the ranks: check the rank table or chip map', '链路构成的环的次序是 {0}，与 rank 的次序不同：检查 rank table 或 chip map'],
  ['the given link to rank {} port {} contradicts the data, or others of the list do: it is not used', '给定的到 rank {0} 端口 {1} 的链路与数据矛盾，或列表中其他链路与数据矛盾：不使用它'],
  ['{}: left out: {}', '{0}：不计入：{1}'],
  ['{}: its part is of version {}, this program is {}: make the parts again to compare like with like', '{0}：其 part 的版本是 {1}，本程序是 {2}：请重新生成 part，使各部分可比'],
  ['rank {}: {}', 'rank {0}：{1}'],
  ['{}; {} missing; {} commands of ports are paired, {} are not; {} of {} orders violated.', '{0}；缺失 {1}；端口指令中 {2} 条已配对，{3} 条未配对；{5} 个次序中违反 {4} 个。'],
  ['{} on {}, {}', '{0}，{1}，{2}'],
  ['r{} port {} > r{} port {}', 'r{0} 端口 {1} > r{2} 端口 {3}'], ['link r{} > r{}', '链路 r{0} > r{1}'], ['link {}', '链路 {0}'],
  ['{} rank', '{0} 个 rank'], ['{} ranks', '{0} 个 rank'], ['{} host', '{0} 台主机'], ['{} hosts', '{0} 台主机'], ['{} island', '{0} 个孤岛'], ['{} islands', '{0} 个孤岛'],
  ['(gain at most {})', '（收益至多 {0}）'], ['(gain {})', '（收益 {0}）'], ['{} ns to {} ns', '{0} ns 至 {1} ns'], ['{} µs to {} µs', '{0} µs 至 {1} µs'], ['{} ms to {} ms', '{0} ms 至 {1} ms'],
  ['{} more operations are in cluster.json and operations.parquet.', '另有 {0} 个操作在 cluster.json 和 operations.parquet 中。'],
  ['{}: offset {}, drift {} ppm', '{0}：偏移 {1}，漂移 {2} ppm'],
  ['{} operations; others waited {}', '{0} 个操作；其他 rank 等待了 {1}'],
  ['{}; {} without partner at the ends, {} inside', '{0}；两端有 {1} 条没有对端，中间有 {2} 条'],
  ['{} GB/s, {} of the best', '{0} GB/s，是最快的 {1}'],
  ['{} GB/s, {}, {} retries', '{0} GB/s，{1}，{2} 次重传'],
  ['Operation {}: {}', '操作 {0}：{1}'],
  ['records are lost: {}; capture fewer steps, or with a greater max_record_num (ports hold 40 960 at most)', '有记录丢失：{0}；请减少采集的步数，或增大 max_record_num（端口至多 40 960 条）'],
  ['{} has devices {} to {} but none {}: its dump may be missing, and its neighbours\' ports have no partner', '{0} 有设备 {1} 至 {2}，但没有 {3}：其转储可能缺失，相邻设备的端口没有对端'],
  ['{} of rank {}, {}', 'rank {1} {0} 条，{2}'], ['{} of rank {}', 'rank {1} {0} 条'], ['{} more ranks', '另外 {0} 个 rank'],
  ['{} TPUs as one run', '{0} 个 TPU 作为一次运行'], ['{} more', '另外 {0} 条'],
  ['{}, {} a command', '{0}，每条指令 {1}'], ['{} wide', '宽 {0}'], ['{} of {} ', '{1} 中的 {0} '],
];

/** `#lang=zh` or `#lang=en`, else the browser's language. */
const CHINESE = (/[#&]lang=(\w+)/.exec(location.hash)?.[1] ?? navigator.language).toLowerCase().startsWith('zh');
const PATTERNS = SENTENCES.map(([english, chinese]) => [
  new RegExp('^' + english.split('{}').map(piece => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('(.+?)') + '$', 's'), chinese,
]);
const said = new Map();
/** Numbers with a unit, and names of one word that are none of the page's. */
const PLAIN = /^[^A-Za-z]*(ns|µs|ms|s|B|kB|MB|GB|%|r\d+)?[^A-Za-z]*$/;

/** A text of the page in the reader's language; what is no text of the page stays. */
function say(english) {
  if (!CHINESE || PLAIN.test(english)) return english;
  const known = said.get(english);
  if (known !== undefined) return known;
  let text = Object.hasOwn(WORDS, english) ? WORDS[english] : undefined;
  for (const [pattern, chinese] of text === undefined ? PATTERNS : []) {
    const values = pattern.exec(english);
    if (!values) continue;
    text = chinese.replace(/\{(\d)\}/g, (_, n) => say(values[Number(n) + 1]));
    break;
  }
  said.set(english, text ?? english);
  return text ?? english;
}
