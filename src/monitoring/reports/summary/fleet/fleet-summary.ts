import { type HeatmapSpec, maxHeatmapRows } from '../../../../charts/chart-spec.ts';
import { formatPeriod } from '../../../../charts/format/format-period.ts';
import { heatmapTakeaway } from '../../../../charts/takeaways.ts';
import type { ActionLine, Chart, Fact, NextStep, Table } from '../../../../operations/define/outcome.ts';
import { formatDayAndTime } from '../../../../time/format-wall-time.ts';
import type { Period } from '../../../../time/periods.ts';
import { createWallClock } from '../../../../time/wall-clock.ts';
import { formatShortList } from '../../../shared/text-format.ts';
import { graphStep, muteStep, showStep, vpsNextSteps } from '../../../shared/vps-steps.ts';
import type { SummarySettings } from '../../findings/thresholds.ts';
import { formatChange, hasChanged, hasNewlyMissing, type ReportBaseline, toBaseline } from '../baseline.ts';
import type { VpsReport } from '../vps-report.ts';
import { buildFleetTable, type CsvFile, toFleetCsv } from './fleet-table.ts';
import { formatHeadline } from './headline.ts';
import { type RankedVps, rankReports, sortByCpu } from './ranking.ts';
import { formatMissingMetrics, formatReadFailures, formatSparseData } from './read-failures.ts';

export interface FleetInput {
  readonly name: string;
  readonly reports: readonly VpsReport[];
  readonly period: Period;
  readonly timeZone: string;
  readonly last?: ReportBaseline | undefined;
  /** When maintenance ends (epoch ms), by the name of each VPS in maintenance. */
  readonly inMaintenance?: ReadonlyMap<string, number> | undefined;
}

/** One VPS's findings, for the thread. */
export interface VpsDetail {
  readonly vps: string;
  readonly title: string;
  /** One sentence per finding, worst first. */
  readonly lines: readonly string[];
  readonly next: readonly NextStep[];
  /** The button next to the findings. A stopped VPS gets no graph button. */
  readonly action: NextStep;
}

/** The report on a fleet as plain data. Texts aren't escaped. */
export interface FleetSummary {
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly table: Table;
  /** The full table as CSV. Set only if the message can't show everything. */
  readonly csv?: CsvFile;
  readonly notes: readonly string[];
  readonly chart?: Chart<HeatmapSpec>;
  readonly next: readonly NextStep[];
  /** Worst first, limited to 20 VPS. */
  readonly details: readonly VpsDetail[];
  readonly standsOut: boolean;
  /** Whether the findings have changed since the last report. True if there was no last report. */
  readonly hasChanged: boolean;
  /** Whether any metric is newly missing since the last report. */
  readonly hasNewlyMissing: boolean;
  readonly baseline: ReportBaseline;
}

const maxDetails = 20;
const maxMutedNames = 10;
const maxLiveNames = 5;
const maxChanges = 3;

/** Summarizes a fleet. Throws a RangeError for an unknown time zone. */
export function summarizeFleet(input: FleetInput): FleetSummary {
  const { name, reports, period, timeZone, last } = input;
  const ranked = rankReports(reports, input);
  const bad = ranked.filter(({ findings }) => findings.length > 0);
  const { table, shown } = buildFleetTable(ranked, { period });
  const unread = formatReadFailures(ranked.map(({ report }) => report));
  const needsFile = shown < ranked.length || unread.left > 0;
  const chart = buildChart(ranked, input);
  const baseline = toBaseline(
    ranked.map(({ report, findings }) => ({ ...report, findings })),
    period.untilMs,
    last,
    input.inMaintenance,
  );
  return {
    title: formatHeadline(ranked),
    facts: [
      ...(last ? [{ label: 'Since last time', value: formatChanges(ranked, last, period.untilMs) }] : []),
      { label: 'Period', value: formatPeriod(period, timeZone) },
      ...(reports.length > 0 ? [{ label: 'States', value: formatStateCounts(reports) }] : []),
    ],
    table,
    ...(needsFile && { csv: { fileName: toFileName(name), text: toFleetCsv(ranked, { period, last }) } }),
    notes: [
      ...unread.notes,
      ...(unread.left > 0 ? [`${unread.left} more VPS couldn't be read; see the attached file.`] : []),
      ...formatMissingMetrics(ranked.map(({ report }) => report)),
      ...formatSparseData(ranked.map(({ report }) => report)),
      ...mutedNotes(ranked, timeZone),
      ...(shown < ranked.length
        ? [`The table shows the first ${shown} of ${ranked.length} VPS; the attached file lists them all.`]
        : []),
      ...(bad.length > maxDetails
        ? [`The thread has details of the worst ${maxDetails} of ${bad.length} VPS.`]
        : []),
      ...formatMetricsNote(reports),
    ],
    ...(chart && { chart }),
    next: [],
    details: bad.slice(0, maxDetails).map(({ report, findings }) => ({
      vps: report.name,
      title: `${report.name}: ${formatShortList(
        findings.map(({ summary }) => summary),
        3,
      )}`,
      lines: findings.map(({ detail }) => detail),
      next: [...vpsNextSteps(report.name), muteStep(report.name)],
      action: findings[0]?.kind === 'state' ? showStep(report.name) : graphStep(report.name),
    })),
    standsOut: bad.length > 0,
    hasChanged: hasChanged(baseline, last),
    hasNewlyMissing: hasNewlyMissing(baseline, last),
    baseline,
  };
}

/** Explains the table's figures: averages where the service has a history, live figures otherwise. */
function formatMetricsNote(reports: readonly VpsReport[]): readonly string[] {
  const live = reports.filter(({ cpu, memory }) =>
    [cpu, memory].some((usage) => usage !== undefined && usage.mean === undefined),
  );
  const averaged = reports.filter(({ cpu, memory }) =>
    [cpu, memory].some((usage) => usage?.mean !== undefined),
  );
  const liveNames = formatShortList(
    live.map(({ name }) => name),
    maxLiveNames,
  );
  const rest = 'Traffic is in and out combined; disk is the latest figure.';
  if (reports.length === 0) return [];
  if (live.length === 0)
    return [averaged.length === 0 ? rest : `CPU and memory are averages over the period. ${rest}`];
  if (averaged.length === 0)
    return [`CPU and memory are current figures, because the service has no history for the period. ${rest}`];
  return [
    `CPU and memory are averages over the period, but some figures for ${liveNames} are current ones, because the service has no history for them. ${rest}`,
  ];
}

/** Returns whether to post a summary. Always true if readings failed or metrics are newly missing. */
export function shouldPost(
  {
    standsOut,
    hasChanged: isNews,
    hasNewlyMissing: isBlind,
  }: Pick<FleetSummary, 'standsOut' | 'hasChanged' | 'hasNewlyMissing'>,
  { post }: Pick<SummarySettings, 'post'>,
  hasUnread: boolean,
): boolean {
  if (post === 'always' || hasUnread || isBlind) return true;
  return post === 'standsOut' ? standsOut : isNews;
}

function buildChart(
  ranked: readonly RankedVps[],
  { name, period, timeZone }: FleetInput,
): FleetSummary['chart'] {
  if (ranked.every(({ report }) => report.cpuPoints.every(({ value }) => value === null))) return undefined;
  const spec: HeatmapSpec = {
    kind: 'heatmap',
    title: name,
    measure: 'CPU',
    ...period,
    timeZone,
    rows: sortByCpu(ranked)
      .slice(0, maxHeatmapRows)
      .map(({ report, findings }) => ({
        label: report.name,
        isHighlighted: findings.length > 0,
        points: report.cpuPoints,
      })),
    total: ranked.length,
  };
  return { spec, takeaway: heatmapTakeaway(spec), isCoveredByFacts: true };
}

/** Formats changes since the last report, worst VPS first. */
function formatChanges(ranked: readonly RankedVps[], last: ReportBaseline, untilMs: number): string {
  const changes = ranked.flatMap(({ report }) => {
    const change = formatChange(report, last, untilMs);
    return change === undefined || change === 'none' ? [] : [`${report.name} ${change}`];
  });
  return changes.length === 0 ? 'no change' : formatShortList(changes, maxChanges);
}

const maxStates = 6;

function formatStateCounts(reports: readonly VpsReport[]): string {
  const counts = new Map<string, number>();
  for (const { state = 'not known' } of reports) counts.set(state, (counts.get(state) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a);
  const others = frequent.slice(maxStates).reduce((sum, [, count]) => sum + count, 0);
  const words = frequent.slice(0, maxStates).map(([state, count]) => `${count} ${state}`);
  return [...words, ...(others > 0 ? [`${others} in other states`] : [])].join(', ');
}

function mutedNotes(ranked: readonly RankedVps[], timeZone: string): string[] {
  const { wallMsAt } = createWallClock(timeZone);
  const items = ranked.flatMap(({ report: { name }, mutedUntilMs }) =>
    mutedUntilMs === undefined ? [] : [`${name} until ${formatDayAndTime(wallMsAt(mutedUntilMs))}`],
  );
  return items.length === 0 ? [] : [`In maintenance: ${formatShortList(items, maxMutedNames)}.`];
}

function toFileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain || 'report'}.csv`;
}

/** A report on a fleet or VPS as plain data. */
export interface ReportSummary extends Omit<FleetSummary, 'table' | 'chart'> {
  readonly table?: Table;
  readonly chart?: Chart;
}

/** How many VPS get their own line. More would push the chart off a phone's screen. */
const maxLines = 5;

/** Returns a line with a button for each of the worst VPS. */
export function findingLines({ details }: ReportSummary): readonly ActionLine[] {
  return details.slice(0, maxLines).map(({ vps, lines, action }) => ({
    label: vps,
    text: lines.join(' '),
    step: action,
  }));
}
