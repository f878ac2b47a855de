// The page's Chinese, by its English. Texts with values have both languages where they are made; sentences of the report come with their
// Chinese. Names of kernels, files and columns stay.

import { current } from '../../emit-web/page/src/ui/i18n';
import { DATA } from './data.js';

export const isChinese = () => current() === 'zh';

const WORDS = {
  'Stages of pipelines': '流水线的各阶段', 'Pipeline': '流水线', 'Stage': '阶段', 'Bubble': '空泡',
  'Data go from stage 0 on first. The bubble is the time in which a stage only waits for another.': '数据先从阶段 0 开始传递。空泡是一个阶段只等待其他阶段的时间。',
  'Rank': 'Rank', 'send': '发送', 'receive': '接收', 'Gain': '收益', 'Late in': '迟到次数', 'Others waited': '其他 rank 的等待', 'Because of': '原因', 'own time': '自身时间',
  'Kind': '种类', 'Ranks': 'Rank 数', 'Bytes on links': '链路上的字节', 'Count': '次数', 'Transfer p50': '传输 p50', 'p95': 'p95', 'Skew p50': '偏差 p50',
  'Bus GB/s': '总线 GB/s', 'Most often late': '最常迟到', 'No.': '编号', 'Group': '组', 'Start': '开始', 'Skew': '偏差', 'Transfer': '传输',
  'Late rank': '迟到的 rank', 'Slow link': '慢链路', 'Island': '孤岛', 'Method': '方法', 'Offset': '偏移', 'Drift ppm': '漂移 ppm',
  'Standard error': '标准误差', 'Bounds': '界', 'Orders': '次序', 'violated before': '之前违反', 'after': '之后违反', 'open': '无界',
  'Where': '位置', 'Kernel': '核函数', 'Time': '时间', 'Share': '占比', 'between launches': '两次启动之间', 'Change': '改变', 'Run': '运行时间',
  'Link': '链路', 'GB/s': 'GB/s', 'of the best': '与最快之比', 'Bytes': '字节', 'Commands': '指令', 'Retries': '重传', 'State': '状态',
  'Operation': '操作', 'Wait': '等待', 'Arrival': '到达', 'Share that is waiting': '等待占比', 'At': '时刻', 'Late receiver': '接收方迟到',
  'Start-up': '启动', 'Completion': '完成', 'Late sender': '发送方迟到', 'Dump': '转储', 'Own page': '自己的页面',
  'Events, commands of ports': '事件、端口指令', 'Times of data': '数据时刻', 'Lost records': '丢失的记录', 'Incomplete': '不完整', 'data of its dump is missing': '其转储缺少数据', 'Clock': '时钟',
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
  'Each operation': '每个操作', 'No operation was found: who waits for whom is not known.': '没有找到操作：谁等待谁未知。', 'No rank holds the others up.': '没有 rank 拖慢其他 rank。',
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
  'reference': '参考', 'bounds only': '只有界', 'host clocks': '主机时钟', 'no link': '没有链路', 'ports not placed': '端口不在设备时钟上', 'launch gaps': '启动间隙', 'kernel': '核函数', 'host': '主机', 'reduce bits': '归约位', 'pattern': '模式',
  'pipeline stages': '流水线阶段', 'parallel groups': '并行组',
  'a TIU works': 'TIU 在工作', 'GDMA or SDMA moves data, no TIU works': 'GDMA 或 SDMA 在搬运数据，没有 TIU 工作',
  'a port moves data that no computation hides': '端口在传输数据，没有被计算掩盖', 'a receive waits for its sender': '接收等待发送方',
  'a send waits for its receiver': '发送等待接收方', 'an operation waits for its last rank': '操作等待最后一个 rank',
  'a port is active without moving data': '端口活动但没有传输数据', 'local sends and waits': '本地的发送与等待',
  'in a launch, and nothing happens': '在一次启动之内，但什么也没有发生', 'before the first or after the last record': '在第一条记录之前或最后一条记录之后',
  'known gaps of records': '已知的记录缺口', 'order by rank': '按 rank 排列', 'by exposed communication': '按暴露的通信', 'zoom in': '放大', 'zoom out': '缩小', 'all': '全部', 'more': '更多', 'higher rows': '行高些', 'lower rows': '行低些', 'close': '关闭', 'Light or dark theme': '浅色或深色',
  'States of the ranks over time; arrows up and down choose a rank, Enter opens it': '各 rank 随时间的状态；上下方向键选择 rank，回车键打开', 'Links between ranks': 'rank 之间的链路',
  'The clock method is not yet verified on hardware: no public dump of two connected devices exists.': '时钟方法尚未在硬件上验证：没有两台相连设备的公开转储。',
  };
export const STATE_WORDS = {
  compute: '计算', memory: '存储', link: '链路', wait_late_sender: '等待发送方', wait_late_receiver: '等待接收方', wait_collective: '等待集合操作',
  link_overhead: '链路开销', sync: '同步', launch: '启动之间', idle: '空闲', not_captured: '未采集', lost: '丢失',
};
/** A text of the page or a sentence of the report in the reader's language; a name stays. */
export const say = english => (isChinese() && ((Object.hasOwn(WORDS, english) && WORDS[english]) || (Object.hasOwn(DATA.chinese, english) && DATA.chinese[english]))) || english;
/** A text with values, in the reader's language. */
export const phrase = (english, chinese) => (isChinese() ? chinese : english);
