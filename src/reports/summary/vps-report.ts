import type { Point } from '../../charts/spec.ts';
import type { LiveReading } from '../../hosting/readings/live.ts';
import type { RrdReading } from '../../hosting/readings/rrd.ts';
import {
  type Course,
  courseOf,
  highestOf,
  knownMs,
  meanOf,
  type Period,
  partsOf,
  stepOf,
  sumOf,
  within,
} from './course.ts';
import type { DiskLevel } from './disk.ts';
import type { Finding } from './finding.ts';
import { findingsOf, type Scope } from './findings.ts';
import { sparkline } from './sparkline.ts';

/** Something that could not be read, and why: a sentence for people. */
export interface Unread {
  readonly what: 'state' | 'live data' | 'history';
  readonly why: string;
}

/** What was read of one VPS for a report; whatever is missing is not known. */
export interface VpsReadings {
  readonly name: string;
  /** As the list of VPS shows it. */
  readonly state?: string | undefined;
  /** Of the end of the period. */
  readonly live?: LiveReading | undefined;
  /** Of any ranges. Those that reach back before the period tell what is usual, and how a disk grows. */
  readonly histories: readonly RrdReading[];
  readonly unread?: readonly Unread[] | undefined;
}

/** A percentage over a period. */
export interface Usage {
  /** Now, or as last read before. */
  readonly latest: number;
  readonly mean?: number;
  readonly highest?: { readonly percent: number; readonly atMs: number };
}

export interface Traffic {
  /** Both ways together, in the time of the period that is known. */
  readonly bytes: number;
  readonly bytesPerS: number;
  readonly highest?: { readonly bytesPerS: number; readonly atMs: number };
}

/** What a report knows of one VPS: small and plain, so that it can be kept while the others are read. */
export interface VpsReport {
  readonly name: string;
  /** The service's own word. */
  readonly state?: string;
  readonly cpu?: Usage;
  readonly memory?: Usage;
  readonly disk?: Usage;
  readonly traffic?: Traffic;
  readonly uptimeMs?: number;
  /** CPU over the period as a line of text, each sign an equal part of it. */
  readonly sparkline: string;
  /** CPU over the period, for a picture. */
  readonly cpuPoints: readonly Point[];
  /** Which part of the period its CPU is known of, 0 to 1; nothing where nothing is. */
  readonly knownShare?: number;
  /** What stands out, the worst first. */
  readonly findings: readonly Finding[];
  readonly unread: readonly Unread[];
}

const sparklineParts = 12;
/** Ten thousand cores, where each counts for 100 %. */
const mostPercent = 1e6;
/** A hundred years. */
const longestUptimeS = 3.2e9;
/** As many as a day has quarters of an hour: more would not be seen in a picture. */
const pictureParts = 96;
/** A period that begins and ends within a quarter of an hour has two that are cut off. */
const mostPoints = pictureParts + 2;

/** Makes the report of one VPS over a period. */
export function reportVps(readings: VpsReadings, scope: Scope): VpsReport {
  const { name, live, histories, unread = [] } = readings;
  const { period } = scope;
  const course = (measure: Parameters<typeof courseOf>[1]) => courseOf(histories, measure, period.untilMs);
  const cpu = course('cpu');
  // A service that cannot look inside of a VPS says 0, and so does one about a VPS that does not run.
  const [memory, disk] = [known(course('memory')), known(course('disk'))];
  const traffic = sumOf(course('networkIn'), course('networkOut'));
  const state = live?.state ?? readings.state;
  const nowDisk = sane(live?.diskPercent, mostPercent) || undefined;
  const nowMemory = sane(live?.memoryPercent, mostPercent) || undefined;
  const uptimeS = sane(live?.uptimeS, longestUptimeS) || undefined;
  const diskLevel = levelOf(disk, nowDisk, period);
  const findings = findingsOf({ state, cpu, memory, disk, diskLevel, traffic }, scope);
  const transferred = trafficOf(within(traffic, period));
  const figures = {
    ...withUsage('cpu', usageOf(cpu, sane(live?.cpuPercent, mostPercent), period)),
    ...withUsage('memory', usageOf(memory, nowMemory, period)),
    ...withUsage('disk', usageOf(disk, nowDisk, period)),
    ...(transferred && { traffic: transferred }),
  };
  // A VPS that does not run needs no figures; of any other, nothing that stands out could be seen.
  const isBlind = Object.keys(figures).length === 0 && !findings.some(({ kind }) => kind === 'state');
  return {
    name,
    ...(state !== undefined && { state }),
    ...figures,
    ...(uptimeS !== undefined && { uptimeMs: uptimeS * 1_000 }),
    sparkline: cpu.length === 0 ? '' : sparkline(partsOf(cpu, period, sparklineParts)),
    cpuPoints: pointsOf(cpu, period),
    ...withKnownShare(within(cpu, period), period),
    findings,
    unread: isBlind && unread.length === 0 ? [withoutFigures] : unread,
  };
}

const withoutFigures: Unread = { what: 'history', why: 'The service gave no figures.' };

function withKnownShare(during: Course, { fromMs, untilMs }: Period): Pick<VpsReport, 'knownShare'> {
  return during.length === 0 ? {} : { knownShare: knownMs(during) / (untilMs - fromMs) };
}

/** Gives a figure unless nothing can be like it. */
function sane(value: number | undefined, most: number): number | undefined {
  return value !== undefined && value >= 0 && value <= most ? value : undefined;
}

function known(course: Course): Course {
  return course.filter(({ value }) => value > 0);
}

function withUsage<Name extends string>(name: Name, usage: Usage | undefined): { [field in Name]?: Usage } {
  const entry: { [field in Name]?: Usage } = {};
  if (usage) entry[name] = usage;
  return entry;
}

function usageOf(course: Course, live: number | undefined, period: Period): Usage | undefined {
  const latest = live ?? course.at(-1)?.value;
  if (latest === undefined) return undefined;
  const during = within(course, period);
  const mean = meanOf(during);
  const highest = highestOf(during);
  return {
    latest,
    ...(mean !== undefined && { mean }),
    ...(highest && { highest: { percent: highest.value, atMs: highest.fromMs } }),
  };
}

function levelOf(disk: Course, live: number | undefined, { untilMs }: Period): DiskLevel | undefined {
  if (live !== undefined) return { percent: live, atMs: untilMs };
  const last = disk.at(-1);
  return last && { percent: last.value, atMs: last.untilMs };
}

function trafficOf(during: Course): Traffic | undefined {
  const bytesPerS = meanOf(during);
  if (bytesPerS === undefined) return undefined;
  const highest = highestOf(during);
  return {
    bytesPerS,
    bytes: Math.round((bytesPerS * knownMs(during)) / 1_000),
    ...(highest && { highest: { bytesPerS: highest.value, atMs: highest.fromMs } }),
  };
}

/** Gives readings as they are where they are few enough, so that a picture's highest figures and their times are those of the report; means of parts otherwise. */
function pointsOf(cpu: Course, period: Period): readonly Point[] {
  const during = within(cpu, period);
  if (during.length === 0) return [];
  if (during.length <= mostPoints && isEven(during)) return readingsOf(during, period);
  const partMs = (period.untilMs - period.fromMs) / pictureParts;
  return partsOf(cpu, period, pictureParts).map((value, index) => ({
    timeMs: period.fromMs + index * partMs,
    value,
  }));
}

/** A reading that is so many times as long as the usual one would be drawn as a gap. */
const longestReading = 1.5;

function isEven(during: Course): boolean {
  const mostMs = longestReading * stepOf(during);
  return during.every(({ fromMs, untilMs }) => untilMs - fromMs <= mostMs);
}

/** Gives the beginning of each reading with its value, and where nothing follows it, its end. */
function readingsOf(during: Course, { untilMs }: Period): readonly Point[] {
  return during.flatMap((span, index): Point[] => {
    const followedMs = during[index + 1]?.fromMs ?? untilMs;
    return [
      { timeMs: span.fromMs, value: span.value },
      ...(followedMs > span.untilMs ? [{ timeMs: span.untilMs, value: null }] : []),
    ];
  });
}
