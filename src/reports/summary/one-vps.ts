import { formatBytes, formatPercent, formatRate } from '../../charts/figures.ts';
import { writePeriod } from '../../charts/period.ts';
import type { ChartSpec } from '../../charts/spec.ts';
import { takeaway } from '../../charts/takeaway.ts';
import { arrangePanels } from '../../operations/monitoring/panels.ts';
import type { Chart, Fact, NextStep, Value } from '../../operations/outcome.ts';
import { courseOf, type Period, within } from './course.ts';
import type { Finding } from './finding.ts';
import type { Scope } from './findings.ts';
import { unmuted } from './ranking.ts';
import { changeWords, hasChanged, type Reported, toReported } from './reported.ts';
import { muteStep, stepsFor } from './steps.ts';
import { thinNotes, unreadNotes } from './unread.ts';
import { reportVps, type Traffic, type Usage, type VpsReadings, type VpsReport } from './vps-report.ts';
import { createMoments, listWords, type Moments } from './words.ts';

/** A report on one VPS as plain data. All text is plain; whoever shows it escapes it. */
export interface VpsSummary {
  /** What matters, in one line. */
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly notes: readonly string[];
  readonly chart?: Chart<ChartSpec>;
  readonly next: readonly NextStep[];
  readonly standsOut: boolean;
  readonly hasChanged: boolean;
  /** Whether some of it could not be read. */
  readonly hasUnread: boolean;
  /** To be kept for the next time. */
  readonly reported: Reported;
}

export interface VpsSummaryOptions extends Scope {
  readonly last?: Reported | undefined;
  /** Until when VPS are muted, by their names. */
  readonly muted?: ReadonlyMap<string, number> | undefined;
}

/** Makes the report of one VPS in depth. Throws a RangeError if there is no such zone. */
export function summarizeVps(readings: VpsReadings, options: VpsSummaryOptions): VpsSummary {
  const { period, timeZone, last, muted } = options;
  const report = reportVps(readings, options);
  const { name } = report;
  const findings = unmuted(report, { last, muted });
  const isMuted = findings.length < report.findings.length;
  const chart = chartOf(readings, options);
  const reported = toReported([{ ...report, findings }], period.untilMs, last);
  const unread = unreadNotes([report]).notes;
  return {
    title: titleOf(report, findings, isMuted),
    facts: [
      { label: 'Period', value: writePeriod(period, timeZone) },
      ...findings.map(({ detail }): Fact => ({ label: 'Stands out', value: detail })),
      ...figures(report, createMoments(timeZone, period.untilMs), diskAtFirst(readings, period)),
      ...changeFact(changeWords(report, last, period.untilMs)),
    ],
    notes: [
      ...unread,
      ...thinNotes([report]),
      ...(isMuted
        ? [`Muted, and so not called out: ${report.findings.map(({ words }) => words).join(', ')}.`]
        : []),
      ...(chart || unread.length > 0 ? [] : [`The service has no points of ${name} for this period.`]),
    ],
    ...(chart && { chart }),
    next: [
      ...stepsFor(name),
      ...(findings.length > 0 ? [muteStep(name)] : []),
      { label: 'Live', operation: 'live', input: { vps: name } },
    ],
    standsOut: findings.length > 0,
    hasChanged: hasChanged(reported, last),
    hasUnread: report.unread.length > 0,
    reported,
  };
}

function titleOf(report: VpsReport, findings: readonly Finding[], isMuted: boolean): string {
  const { name, unread, cpu, state } = report;
  if (findings.length > 0) {
    return `${name} needs a look: ${listWords(
      findings.map(({ words }) => words),
      3,
    )}`;
  }
  if (unread.length > 0 && cpu === undefined && state === undefined) return `${name} could not be read`;
  const muted = isMuted ? '; it is muted' : '';
  return `Nothing stands out about ${name}${muted}${unread.length > 0 ? '; it could not be read in full' : ''}`;
}

function figures(report: VpsReport, moments: Moments, diskBefore: number | undefined): readonly Fact[] {
  const { state, cpu, memory, disk, traffic, uptimeMs } = report;
  const facts: readonly (readonly [label: string, value: Value | undefined])[] = [
    ['State', state === undefined ? undefined : { state }],
    ['CPU', cpu && usageWords(cpu, moments)],
    ['Memory', memory && usageWords(memory, moments)],
    ['Disk', disk && diskWords(disk.latest, diskBefore)],
    ['Traffic', traffic && trafficWords(traffic, moments)],
    ['Uptime', uptimeMs === undefined ? undefined : { durationMs: uptimeMs }],
  ];
  return facts.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]));
}

/** Writes "12 % on average, at most 93 % at 14:05, now 20 %". */
function usageWords({ latest, mean, highest }: Usage, moments: Moments): string {
  return [
    ...(mean === undefined ? [] : [`${formatPercent(mean)} on average`]),
    ...(highest ? [`at most ${formatPercent(highest.percent)} at ${moments.at(highest.atMs)}`] : []),
    `${mean === undefined ? '' : 'last '}${formatPercent(latest)}`,
  ].join(', ');
}

/** A smaller change of a disk is none worth a word. */
const leastDiskPoints = 0.5;

function diskWords(percent: number, before: number | undefined): string {
  const isChanged = before !== undefined && Math.abs(percent - before) >= leastDiskPoints;
  return isChanged
    ? `${formatPercent(percent)}, after ${formatPercent(before)} at the beginning`
    : formatPercent(percent);
}

function diskAtFirst({ histories }: VpsReadings, period: Period): number | undefined {
  return within(courseOf(histories, 'disk', period.untilMs), period)[0]?.value;
}

function trafficWords({ bytes, bytesPerS, highest }: Traffic, moments: Moments): string {
  return [
    formatBytes(bytes),
    `${formatRate(bytesPerS)} on average`,
    ...(highest ? [`at most ${formatRate(highest.bytesPerS)} at ${moments.at(highest.atMs)}`] : []),
  ].join(', ');
}

function changeFact(words: string | undefined): readonly Fact[] {
  return words === undefined ? [] : [{ label: 'Since last time', value: words }];
}

/** Draws of each history what lies in the period; of several, the one that covers most of it with most points. */
function chartOf(
  { name, histories }: VpsReadings,
  { period, timeZone }: VpsSummaryOptions,
): Chart<ChartSpec> | undefined {
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
  const spec = { title: name, panels, timeZone };
  return { spec, takeaway: takeaway(spec), isTold: true };
}
