import { formatPercent, formatRate } from '../../charts/figures.ts';
import type { Course, Period } from './course.ts';
import { type DiskLevel, findFillingDisk, findFullDisk } from './disk.ts';
import { type Finding, type Severities, severityOf } from './finding.ts';
import type { SummarySettings } from './settings.ts';
import { endOf, findSustained, startOf, stretchesOf } from './sustained.ts';
import { type Change, findChanges } from './usual-hours.ts';
import { createMoments, type Moments, writeLength } from './words.ts';

/** What is known of a VPS, for finding what stands out. Courses may begin before the period. */
export interface Known {
  readonly state?: string | undefined;
  readonly cpu: Course;
  readonly memory: Course;
  readonly disk: Course;
  readonly diskLevel?: DiskLevel | undefined;
  /** In bytes per second, both ways together. */
  readonly traffic: Course;
}

export interface Scope {
  readonly period: Period;
  readonly settings: SummarySettings;
  /** IANA name. */
  readonly timeZone: string;
}

const severities = {
  change: [0.1, 0.38],
  traffic: [0.05, 0.35],
} as const satisfies Record<string, Severities>;

const notRunning = 1;
const underWay = 0.39;
/** The service's words for a state that ends by itself. */
const passing = /ing$|pending|queued|progress|busy|locked|wait|schedul/i;

/** CPU that was next to nothing is no measure for what is many times as much. */
const cpuTimes = 1.5;
/** Less traffic than that is nothing that anybody would look into. */
const leastTraffic = 2 ** 20;

/** Finds what stands out about a VPS, the worst first. Of what is not known, nothing is said. */
export function findingsOf(known: Known, { period, settings, timeZone }: Scope): readonly Finding[] {
  const moments = createMoments(timeZone, period.untilMs);
  const place = { period, moments };
  const state = findState(known, settings, moments);
  const { cpuPercent, cpuMinutes, memoryPercent, memoryMinutes } = settings;
  const cpu = findSustained('cpu', known.cpu, { percent: cpuPercent, minutes: cpuMinutes }, place);
  const memoryThreshold = { percent: memoryPercent, minutes: memoryMinutes };
  const level = known.diskLevel;
  // What stands still has changed, and what is busy for hours is busier than usual: neither needs saying twice.
  const isSaid = ({ direction }: Change) => (direction === 'up' ? cpu !== undefined : state !== undefined);
  const changes = (course: Course, difference: number, times: number) =>
    findChanges(course, period, { difference, times });
  const cpuChanges = settings.changePoints > 0 ? changes(known.cpu, settings.changePoints, cpuTimes) : [];
  const jumps = settings.trafficTimes > 0 ? changes(known.traffic, leastTraffic, settings.trafficTimes) : [];
  return [
    state,
    cpu,
    findSustained('memory', known.memory, memoryThreshold, place),
    level && findFullDisk(level, settings, { untilMs: period.untilMs, moments }),
    level && findFillingDisk(known.disk, level, settings),
    ...cpuChanges.filter((change) => !isSaid(change)).map((change) => tell('change', change, moments)),
    ...jumps
      .filter(({ direction }) => direction === 'up' || state === undefined)
      .map((change) => tell('traffic', change, moments)),
  ]
    .filter((finding) => finding !== undefined)
    .toSorted((a, b) => b.severity - a.severity);
}

function findState(
  { state, cpu }: Pick<Known, 'state' | 'cpu'>,
  { goodStates }: SummarySettings,
  moments: Moments,
): Finding | undefined {
  const word = state?.trim();
  if (!word || goodStates.some((good) => good.toLowerCase() === word.toLowerCase())) return undefined;
  return {
    kind: 'state',
    words: word,
    detail: `The state is ${word}${idleWords(cpu, moments)}.`,
    severity: passing.test(word) ? underWay : notRunning,
  };
}

/** Says since when no CPU was used, which tells about when a VPS has stopped. */
function idleWords(cpu: Course, moments: Moments): string {
  const idle = stretchesOf(cpu, ({ value }) => value === 0).at(-1);
  const [last] = cpu.slice(-1);
  if (!idle || !last || endOf(idle) !== last.untilMs) return '';
  const isKnownBefore = cpu.some(({ untilMs }) => untilMs === startOf(idle));
  return isKnownBefore
    ? `; its CPU has read 0 % since ${moments.at(startOf(idle))}`
    : `; its CPU has read 0 % for at least ${writeLength(endOf(idle) - startOf(idle))}`;
}

function tell(kind: 'change' | 'traffic', change: Change, moments: Moments): Finding {
  const { direction, fromMs, untilMs, mean, usual, days, isOver } = change;
  const [name, write] = kind === 'change' ? ['CPU', formatPercent] : ['traffic', formatRate];
  const end = isOver ? ` until ${moments.at(untilMs)}` : '';
  const subject = kind === 'change' ? 'CPU' : 'Traffic';
  const side = direction === 'up' ? 'more' : 'less';
  return {
    kind,
    words: `${name} ${write(mean)} for ${writeLength(untilMs - fromMs)}${end}, usually ${write(usual)}`,
    detail: `${subject} was ${write(mean)} on average ${moments.range(fromMs, untilMs)}, ${side} than at the same hours of each of the ${days} days before, when ${write(usual)} was usual.`,
    severity: severityOf(severities[kind], change.amount, 6),
  };
}
