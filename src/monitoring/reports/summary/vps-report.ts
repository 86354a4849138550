import type { Point } from '../../../charts/chart-spec.ts';
import type { RrdHistory } from '../../../hosting/payloads/history.ts';
import type { LiveMetrics } from '../../../hosting/payloads/live-metrics.ts';
import { isOffState } from '../../../operations/vps/state-words.ts';
import type { Period } from '../../../time/periods.ts';
import {
  bucketMeans,
  buildTimeSeries,
  coveredMs,
  meanValue,
  peakSample,
  sliceSeries,
  sumSeries,
  type TimeSeries,
  typicalStepMs,
} from '../../shared/time-series.ts';
import type { DiskLevel } from '../findings/disk.ts';
import { type AnalysisScope, findFindings } from '../findings/find-findings.ts';
import type { Finding } from '../findings/finding.ts';
import type { SummarySettings } from '../findings/thresholds.ts';

/** A failed reading. The reason is a sentence. */
export interface ReadFailure {
  readonly what: 'state' | 'live data' | 'history';
  readonly reason: string;
}

/** All readings of one VPS. Missing values are unknown. */
export interface VpsReadings {
  readonly name: string;
  /** The state in the VPS list. */
  readonly state?: string | undefined;
  readonly live?: LiveMetrics | undefined;
  /** Histories of any range. Data before the period shows the usual load and disk growth. */
  readonly histories: readonly RrdHistory[];
  readonly readFailures?: readonly ReadFailure[] | undefined;
}

/** A resource's usage in percent. */
export interface ResourceUsage {
  /** The live value or, if there is none, the last in the history. */
  readonly latest: number;
  readonly mean?: number;
  readonly highest?: { readonly percent: number; readonly atMs: number };
}

export interface Traffic {
  /** Incoming plus outgoing bytes in the known part of the period. */
  readonly bytes: number;
  readonly bytesPerS: number;
  readonly highest?: { readonly bytesPerS: number; readonly atMs: number };
}

/** The analysis of one VPS, small enough to keep while the rest of the fleet is read. */
export interface VpsReport {
  readonly name: string;
  /** The service's name for the state. */
  readonly state?: string;
  readonly cpu?: ResourceUsage;
  readonly memory?: ResourceUsage;
  readonly disk?: ResourceUsage;
  readonly traffic?: Traffic;
  readonly uptimeMs?: number;
  /** CPU over the period, as block characters in equal steps. */
  readonly sparkline: string;
  /** CPU over the period, for the chart. */
  readonly cpuPoints: readonly Point[];
  /** The share of the period for which CPU is known, from 0 to 1. Undefined if CPU is unknown for all of it. */
  readonly knownShare?: number;
  /** Worst first. */
  readonly findings: readonly Finding[];
  readonly readFailures: readonly ReadFailure[];
  /** Metrics missing from the service's responses even though the calls succeeded. */
  readonly missingMetrics: readonly MissingMetric[];
}

export const missingMetrics = ['state', 'CPU', 'memory', 'disk', 'traffic'] as const;

/** A state or metric that a report checks, worded for use within a sentence. */
export type MissingMetric = (typeof missingMetrics)[number];

const sparklineBuckets = 12;
/** Ten thousand cores at 100% each. Higher percentages are errors. */
const maxPercent = 1e6;
/** A hundred years. Longer uptimes are errors. */
const maxUptimeS = 3.2e9;
/** One bucket per quarter of an hour in a day. Charts can't show more. */
const chartBuckets = 96;
/** A period can start and end within a quarter of an hour, which adds two partial quarters. */
const maxChartPoints = chartBuckets + 2;

export function buildVpsReport(readings: VpsReadings, scope: AnalysisScope): VpsReport {
  const { name, live, histories, readFailures = [] } = readings;
  const { period } = scope;
  const seriesOf = (measure: Parameters<typeof buildTimeSeries>[1]) =>
    buildTimeSeries(histories, measure, period.untilMs);
  const cpu = seriesOf('cpu');
  // Zeros are dropped: services report 0 when they can't see inside the VPS or it's stopped.
  const [memory, disk] = [nonZeroSamples(seriesOf('memory')), nonZeroSamples(seriesOf('disk'))];
  const traffic = sumSeries(seriesOf('networkIn'), seriesOf('networkOut'));
  const state = live?.state ?? readings.state;
  const nowDisk = plausible(live?.diskPercent, maxPercent) || undefined;
  const nowMemory = plausible(live?.memoryPercent, maxPercent) || undefined;
  const uptimeS = plausible(live?.uptimeS, maxUptimeS) || undefined;
  const diskLevel = toDiskLevel(disk, nowDisk, period);
  const findings = findFindings({ state, cpu, memory, disk, diskLevel, traffic }, scope);
  const transferred = toTraffic(sliceSeries(traffic, period));
  const figures = {
    ...withUsage('cpu', toUsage(cpu, plausible(live?.cpuPercent, maxPercent), period)),
    ...withUsage('memory', toUsage(memory, nowMemory, period)),
    ...withUsage('disk', toUsage(disk, nowDisk, period)),
    ...(transferred && { traffic: transferred }),
  };
  // A stopped VPS has no figures. For other VPS, missing figures are reported, because findings could be missed.
  const isOff = findings.some(({ kind }) => kind === 'state') || isOffState(state);
  const isBlind = Object.keys(figures).length === 0 && !isOff;
  const hasFailed = isBlind || readFailures.length > 0;
  return {
    name,
    ...(state !== undefined && { state }),
    ...figures,
    ...(uptimeS !== undefined && { uptimeMs: uptimeS * 1_000 }),
    sparkline: cpu.length === 0 ? '' : formatSparkline(bucketMeans(cpu, period, sparklineBuckets)),
    cpuPoints: toChartPoints(cpu, period),
    ...withKnownShare(sliceSeries(cpu, period), period),
    findings,
    readFailures: isBlind && readFailures.length === 0 ? [noMetrics] : readFailures,
    missingMetrics: isOff || hasFailed ? [] : listMissing({ ...figures, state }, scope.settings),
  };
}

const noMetrics: ReadFailure = { what: 'history', reason: 'The service returned no figures.' };

function listMissing(
  {
    state,
    cpu,
    memory,
    disk,
    traffic,
  }: Partial<Pick<VpsReport, 'cpu' | 'memory' | 'disk' | 'traffic'>> & {
    readonly state: string | undefined;
  },
  { cpuPercent, changePoints, memoryPercent, diskPercent, diskFullDays, trafficTimes }: SummarySettings,
): readonly MissingMetric[] {
  const isChecked: Readonly<Record<MissingMetric, boolean>> = {
    state: true,
    CPU: cpuPercent > 0 || changePoints > 0,
    memory: memoryPercent > 0,
    disk: diskPercent > 0 || diskFullDays > 0,
    traffic: trafficTimes > 0,
  };
  const known: Readonly<Record<MissingMetric, unknown>> = { state, CPU: cpu, memory, disk, traffic };
  return missingMetrics.filter((metric) => isChecked[metric] && known[metric] === undefined);
}

function withKnownShare(during: TimeSeries, { fromMs, untilMs }: Period): Pick<VpsReport, 'knownShare'> {
  return during.length === 0 ? {} : { knownShare: coveredMs(during) / (untilMs - fromMs) };
}

/** Returns a value, or undefined if it's out of range. */
function plausible(value: number | undefined, max: number): number | undefined {
  return value !== undefined && value >= 0 && value <= max ? value : undefined;
}

function nonZeroSamples(series: TimeSeries): TimeSeries {
  return series.filter(({ value }) => value > 0);
}

function withUsage<Name extends string>(
  name: Name,
  usage: ResourceUsage | undefined,
): { [field in Name]?: ResourceUsage } {
  const entry: { [field in Name]?: ResourceUsage } = {};
  if (usage) entry[name] = usage;
  return entry;
}

function toUsage(series: TimeSeries, live: number | undefined, period: Period): ResourceUsage | undefined {
  const latest = live ?? series.at(-1)?.value;
  if (latest === undefined) return undefined;
  const during = sliceSeries(series, period);
  const mean = meanValue(during);
  const highest = peakSample(during);
  return {
    latest,
    ...(mean !== undefined && { mean }),
    ...(highest && { highest: { percent: highest.value, atMs: highest.fromMs } }),
  };
}

function toDiskLevel(disk: TimeSeries, live: number | undefined, { untilMs }: Period): DiskLevel | undefined {
  if (live !== undefined) return { percent: live, atMs: untilMs };
  const last = disk.at(-1);
  return last && { percent: last.value, atMs: last.untilMs };
}

function toTraffic(during: TimeSeries): Traffic | undefined {
  const bytesPerS = meanValue(during);
  if (bytesPerS === undefined) return undefined;
  const highest = peakSample(during);
  return {
    bytesPerS,
    bytes: Math.round((bytesPerS * coveredMs(during)) / 1_000),
    ...(highest && { highest: { bytesPerS: highest.value, atMs: highest.fromMs } }),
  };
}

/**
 * Returns the original samples if they are evenly spaced and few enough, so the chart's peaks match the
 * report. Otherwise returns means over equal parts of the period.
 */
function toChartPoints(cpu: TimeSeries, period: Period): readonly Point[] {
  const during = sliceSeries(cpu, period);
  if (during.length === 0) return [];
  if (during.length <= maxChartPoints && isEvenlySpaced(during)) return samplesToPoints(during, period);
  const partMs = (period.untilMs - period.fromMs) / chartBuckets;
  return bucketMeans(cpu, period, chartBuckets).map((value, index) => ({
    timeMs: period.fromMs + index * partMs,
    value,
  }));
}

/** Maximum sample length, as a multiple of the typical one. Longer samples would be drawn as gaps. */
const maxSampleRatio = 1.5;

function isEvenlySpaced(during: TimeSeries): boolean {
  const maxMs = maxSampleRatio * typicalStepMs(during);
  return during.every(({ fromMs, untilMs }) => untilMs - fromMs <= maxMs);
}

/** Returns a point for each sample's start. A sample before a gap also gets an empty point at its end. */
function samplesToPoints(during: TimeSeries, { untilMs }: Period): readonly Point[] {
  return during.flatMap((span, index): Point[] => {
    const followedMs = during[index + 1]?.fromMs ?? untilMs;
    return [
      { timeMs: span.fromMs, value: span.value },
      ...(followedMs > span.untilMs ? [{ timeMs: span.untilMs, value: null }] : []),
    ];
  });
}

const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
const gap = '·';

/** Draws percentages as block characters. `·` marks a gap. */
export function formatSparkline(percents: readonly (number | null)[]): string {
  return percents
    .map((percent) => {
      if (percent === null || !Number.isFinite(percent)) return gap;
      const step = Math.floor((percent / 100) * bars.length);
      return bars[Math.min(bars.length - 1, Math.max(0, step))];
    })
    .join('');
}
