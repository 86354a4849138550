import type { LineChartSpec } from '../../../charts/chart-spec.ts';
import { formatPeriod } from '../../../charts/format/format-period.ts';
import { formatBytes, formatPercent, formatRate } from '../../../charts/format/format-quantity.ts';
import { lineChartTakeaway } from '../../../charts/takeaways.ts';
import type { Chart, Fact, NextStep, Value } from '../../../operations/define/outcome.ts';
import { arrangePanels } from '../../../operations/monitoring/panels.ts';
import type { Period } from '../../../time/periods.ts';
import { createMomentFormatter, formatShortList, type MomentFormatter } from '../../shared/text-format.ts';
import { buildTimeSeries, sliceSeries } from '../../shared/time-series.ts';
import { muteStep, vpsNextSteps } from '../../shared/vps-steps.ts';
import type { AnalysisScope } from '../findings/find-findings.ts';
import type { Finding } from '../findings/finding.ts';
import { formatChange, hasChanged, hasNewlyMissing, type ReportBaseline, toBaseline } from './baseline.ts';
import { unmutedFindings } from './fleet/ranking.ts';
import {
  formatMissingGap,
  formatMissingMetrics,
  formatReadFailures,
  formatSparseData,
} from './fleet/read-failures.ts';
import {
  buildVpsReport,
  type ResourceUsage,
  type Traffic,
  type VpsReadings,
  type VpsReport,
} from './vps-report.ts';

/** The report on one VPS as plain data. Texts aren't escaped. */
export interface VpsSummary {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
  readonly chart?: Chart<LineChartSpec>;
  readonly next: readonly NextStep[];
  readonly standsOut: boolean;
  readonly hasChanged: boolean;
  readonly hasNewlyMissing: boolean;
  /** Whether any reading failed. */
  readonly hasUnread: boolean;
  readonly baseline: ReportBaseline;
}

export interface VpsSummaryOptions extends AnalysisScope {
  readonly last?: ReportBaseline | undefined;
  /** When maintenance ends (epoch ms), by the name of each VPS in maintenance. */
  readonly inMaintenance?: ReadonlyMap<string, number> | undefined;
}

/** Summarizes one VPS. Throws a RangeError for an unknown time zone. */
export function summarizeVps(readings: VpsReadings, options: VpsSummaryOptions): VpsSummary {
  const { period, timeZone, last, inMaintenance } = options;
  const report = buildVpsReport(readings, options);
  const { name } = report;
  const findings = unmutedFindings(report, { last, inMaintenance });
  const isLeftOut = findings.length < report.findings.length;
  const chart = buildChart(readings, options);
  const baseline = toBaseline([{ ...report, findings }], period.untilMs, last, inMaintenance);
  const unread = formatReadFailures([report]).notes;
  return {
    title: formatTitle(report, findings, isLeftOut),
    facts: [
      { label: 'Period', value: formatPeriod(period, timeZone) },
      ...findings.map(({ detail }): Fact => ({ label: 'Stands out', value: detail })),
      ...metricFacts(report, createMomentFormatter(timeZone, period.untilMs), diskAtStart(readings, period)),
      ...toChangeFact(formatChange(report, last, period.untilMs)),
    ],
    notes: [
      ...unread,
      ...formatMissingMetrics([report]),
      ...formatSparseData([report]),
      ...(isLeftOut
        ? [`Findings during maintenance: ${report.findings.map(({ summary }) => summary).join(', ')}.`]
        : []),
      ...(chart || unread.length > 0 ? [] : [`The service has no data for ${name} in this period.`]),
    ],
    ...(chart && { chart }),
    next: [
      ...vpsNextSteps(name),
      ...(findings.length > 0 ? [muteStep(name)] : []),
      { label: 'Live', operation: 'live', input: { vps: name } },
    ],
    standsOut: findings.length > 0,
    hasChanged: hasChanged(baseline, last),
    hasNewlyMissing: hasNewlyMissing(baseline, last),
    hasUnread: report.readFailures.length > 0,
    baseline,
  };
}

function formatTitle(report: VpsReport, findings: readonly Finding[], isLeftOut: boolean): string {
  const { name, readFailures, cpu, state } = report;
  if (findings.length > 0) {
    return `${name} needs a look: ${formatShortList(
      findings.map(({ summary }) => summary),
      3,
    )}`;
  }
  if (readFailures.length > 0 && cpu === undefined && state === undefined) return `${name} could not be read`;
  const muted = isLeftOut ? '; it is in maintenance' : '';
  const gap = readFailures.length > 0 ? '; it could not be read in full' : formatMissingGap([report]);
  return `Nothing stands out about ${name}${muted}${gap}`;
}

function metricFacts(
  report: VpsReport,
  moments: MomentFormatter,
  diskBefore: number | undefined,
): readonly Fact[] {
  const { state, cpu, memory, disk, traffic, uptimeMs } = report;
  const facts: readonly (readonly [label: string, value: Value | undefined])[] = [
    ['State', state === undefined ? undefined : { kind: 'state', state }],
    ['CPU', cpu && formatUsage(cpu, moments)],
    ['Memory', memory && formatUsage(memory, moments)],
    ['Disk', disk && formatDisk(disk.latest, diskBefore)],
    ['Traffic', traffic && formatTraffic(traffic, moments)],
    ['Uptime', uptimeMs === undefined ? undefined : { kind: 'duration', durationMs: uptimeMs }],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

/** Formats usage: "12% on average, peak 93% at 14:05, last 20%". */
function formatUsage({ latest, mean, highest }: ResourceUsage, moments: MomentFormatter): string {
  return [
    ...(mean === undefined ? [] : [`${formatPercent(mean)} on average`]),
    ...(highest ? [`peak ${formatPercent(highest.percent)} at ${moments.at(highest.atMs)}`] : []),
    `${mean === undefined ? '' : 'last '}${formatPercent(latest)}`,
  ].join(', ');
}

/** Minimum change in disk usage that is mentioned, in percentage points. */
const minDiskPoints = 0.5;

function formatDisk(percent: number, before: number | undefined): string {
  const isChanged = before !== undefined && Math.abs(percent - before) >= minDiskPoints;
  return isChanged
    ? `${formatPercent(percent)} (${formatPercent(before)} at the start of the period)`
    : formatPercent(percent);
}

function diskAtStart({ histories }: VpsReadings, period: Period): number | undefined {
  return sliceSeries(buildTimeSeries(histories, 'disk', period.untilMs), period)[0]?.value;
}

function formatTraffic({ bytes, bytesPerS, highest }: Traffic, moments: MomentFormatter): string {
  return [
    formatBytes(bytes),
    `${formatRate(bytesPerS)} on average`,
    ...(highest ? [`peak ${formatRate(highest.bytesPerS)} at ${moments.at(highest.atMs)}`] : []),
  ].join(', ');
}

function toChangeFact(words: string | undefined): readonly Fact[] {
  return words === undefined ? [] : [{ label: 'Since last time', value: words }];
}

/**
 * Draws the chart from a single history: the one with the most points among those that cover at least 80%
 * as much time as the longest.
 */
function buildChart(
  { name, histories }: VpsReadings,
  { period, timeZone }: VpsSummaryOptions,
): Chart<LineChartSpec> | undefined {
  const drawn = histories.map(({ series }) =>
    series.map((one) => ({
      ...one,
      points: one.points.filter(({ timeMs }) => timeMs >= period.fromMs && timeMs <= period.untilMs),
    })),
  );
  const lengthOf = (series: (typeof drawn)[number]) => {
    const times = series.flatMap(({ points }) => [points.at(0)?.timeMs, points.at(-1)?.timeMs]);
    const known = times.filter((timeMs) => timeMs !== undefined);
    return known.reduce((a, b) => Math.max(a, b), 0) - known.reduce((a, b) => Math.min(a, b), period.untilMs);
  };
  const countOf = (series: (typeof drawn)[number]) =>
    Math.max(0, ...series.map(({ points }) => points.length));
  const longest = Math.max(0, ...drawn.map(lengthOf));
  const enough = drawn.filter((series) => lengthOf(series) >= 0.8 * longest);
  const best = enough.toSorted((a, b) => countOf(b) - countOf(a))[0] ?? [];
  const { panels } = arrangePanels(best);
  if (panels.length === 0) return undefined;
  const spec: LineChartSpec = { kind: 'line', title: name, panels, timeZone };
  return { spec, takeaway: lineChartTakeaway(spec), isCoveredByFacts: true };
}
