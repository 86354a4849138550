import { formatPercent, formatRate } from '../../../charts/format/format-quantity.ts';
import { isTransitional } from '../../../operations/vps/state-words.ts';
import type { Period } from '../../../time/periods.ts';
import { createMomentFormatter, formatElapsed, type MomentFormatter } from '../../shared/text-format.ts';
import type { TimeSeries } from '../../shared/time-series.ts';
import { type DiskLevel, findFillingDisk, findFullDisk } from './disk.ts';
import { type Finding, type SeverityRange, toSeverity } from './finding.ts';
import { endMs, findSustained, splitIntoStretches, startMs } from './sustained.ts';
import type { SummarySettings } from './thresholds.ts';
import { type Change, findChanges } from './usual-hours.ts';

/** The metrics to search for findings. Each series can begin before the period. */
export interface VpsMetrics {
  readonly state?: string | undefined;
  readonly cpu: TimeSeries;
  readonly memory: TimeSeries;
  readonly disk: TimeSeries;
  readonly diskLevel?: DiskLevel | undefined;
  /** Incoming plus outgoing traffic, in bytes per second. */
  readonly traffic: TimeSeries;
}

export interface AnalysisScope {
  readonly period: Period;
  readonly settings: SummarySettings;
  /** IANA name of the time zone. */
  readonly timeZone: string;
}

const severities = {
  change: [0.1, 0.38],
  traffic: [0.05, 0.35],
} as const satisfies Record<string, SeverityRange>;

const notRunningSeverity = 1;
const transitionalSeverity = 0.39;

/** Minimum factor for a CPU change to be a finding, no matter how many percentage points the change is. */
const minCpuFactor = 1.5;
/** Minimum traffic change for a finding, in bytes per second. */
const minTrafficBytesPerS = 2 ** 20;

/** Returns a VPS's findings, worst first. Unknown metrics produce none. */
export function findFindings(
  known: VpsMetrics,
  { period, settings, timeZone }: AnalysisScope,
): readonly Finding[] {
  const moments = createMomentFormatter(timeZone, period.untilMs);
  const place = { period, moments };
  const state = findState(known, settings, moments);
  const { cpuPercent, cpuMinutes, memoryPercent, memoryMinutes } = settings;
  const cpu = findSustained('cpu', known.cpu, { percent: cpuPercent, minutes: cpuMinutes }, place);
  const memoryThreshold = { percent: memoryPercent, minutes: memoryMinutes };
  const level = known.diskLevel;
  // Sustained load and a stopped VPS are already findings, so the changes that they cause aren't reported too.
  const isSaid = ({ direction }: Change) => (direction === 'up' ? cpu !== undefined : state !== undefined);
  const changes = (series: TimeSeries, difference: number, times: number) =>
    findChanges(series, period, { difference, times });
  const cpuChanges = settings.changePoints > 0 ? changes(known.cpu, settings.changePoints, minCpuFactor) : [];
  const jumps =
    settings.trafficTimes > 0 ? changes(known.traffic, minTrafficBytesPerS, settings.trafficTimes) : [];
  return [
    state,
    cpu,
    findSustained('memory', known.memory, memoryThreshold, place),
    level && findFullDisk(level, settings, { untilMs: period.untilMs, moments }),
    level && findFillingDisk(known.disk, level, settings),
    ...cpuChanges.filter((change) => !isSaid(change)).map((change) => toFinding('change', change, moments)),
    ...jumps
      .filter(({ direction }) => direction === 'up' || state === undefined)
      .map((change) => toFinding('traffic', change, moments)),
  ]
    .filter((finding) => finding !== undefined)
    .toSorted((a, b) => b.severity - a.severity);
}

function findState(
  { state, cpu }: Pick<VpsMetrics, 'state' | 'cpu'>,
  { goodStates }: SummarySettings,
  moments: MomentFormatter,
): Finding | undefined {
  const word = state?.trim();
  if (!word || goodStates.some((good) => good.toLowerCase() === word.toLowerCase())) return undefined;
  return {
    kind: 'state',
    summary: word,
    detail: `Its state is ${word}${formatIdle(cpu, moments)}.`,
    severity: isTransitional(word) ? transitionalSeverity : notRunningSeverity,
  };
}

/** Formats how long the CPU has been at 0%, which approximates how long the VPS has been stopped. */
function formatIdle(cpu: TimeSeries, moments: MomentFormatter): string {
  const idle = splitIntoStretches(cpu, ({ value }) => value === 0).at(-1);
  const [last] = cpu.slice(-1);
  if (!idle || !last || endMs(idle) !== last.untilMs) return '';
  const isKnownBefore = cpu.some(({ untilMs }) => untilMs === startMs(idle));
  return isKnownBefore
    ? `; CPU at 0% since ${moments.at(startMs(idle))}`
    : `; CPU at 0% for at least ${formatElapsed(endMs(idle) - startMs(idle))}`;
}

function toFinding(kind: 'change' | 'traffic', change: Change, moments: MomentFormatter): Finding {
  const { direction, fromMs, untilMs, mean, usual, days, hasEnded } = change;
  const [name, write] = kind === 'change' ? ['CPU', formatPercent] : ['traffic', formatRate];
  const end = hasEnded ? ` until ${moments.at(untilMs)}` : '';
  const subject = kind === 'change' ? 'CPU' : 'Traffic';
  const side = direction === 'up' ? 'more' : 'less';
  return {
    kind,
    summary: `${name} ${write(mean)} for ${formatElapsed(untilMs - fromMs)}${end}, usually ${write(usual)}`,
    detail: `${subject} was ${write(mean)} on average ${moments.range(fromMs, untilMs)}, ${side} than at the same hours on each of the previous ${days} days, when it was usually ${write(usual)}.`,
    severity: toSeverity(severities[kind], change.amount, 6),
  };
}
