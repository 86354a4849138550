import { type FleetSpec, mostFleetRows } from '../../charts/fleet-spec.ts';
import { fleetTakeaway } from '../../charts/fleet-takeaway.ts';
import { writePeriod } from '../../charts/period.ts';
import { createWallClock, writeDayTime } from '../../charts/zoned-time.ts';
import type { Chart, Fact, NextStep, Table } from '../../operations/outcome.ts';
import type { Period } from './course.ts';
import type { Csv } from './csv.ts';
import { fleetCsv, fleetTable } from './fleet-table.ts';
import { headline } from './headline.ts';
import { byCpu, type Ranked, rank } from './ranking.ts';
import { hasChanged, type Reported, toReported } from './reported.ts';
import type { SummarySettings } from './settings.ts';
import { muteStep, stepsFor, stepsForWorst } from './steps.ts';
import { thinNotes, unreadNotes } from './unread.ts';
import type { VpsReport } from './vps-report.ts';
import { listWords } from './words.ts';

export interface FleetInput {
  /** Of the report, for the picture and the file. */
  readonly name: string;
  readonly reports: readonly VpsReport[];
  readonly period: Period;
  /** IANA name. */
  readonly timeZone: string;
  /** What the report before told, if there was one. */
  readonly last?: Reported | undefined;
  /** Until when VPS are muted, by their names. */
  readonly muted?: ReadonlyMap<string, number> | undefined;
}

/** What stands out about one VPS, for the thread. */
export interface Detail {
  readonly vps: string;
  readonly title: string;
  /** A sentence for each finding, the worst first. */
  readonly lines: readonly string[];
  readonly next: readonly NextStep[];
}

/** A report on a fleet as plain data. All text is plain; whoever shows it escapes it. */
export interface FleetSummary {
  /** What matters, in one line. */
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly table: Table;
  /** The whole table, where the one above has no room for all of it. */
  readonly csv?: Csv;
  readonly notes: readonly string[];
  readonly chart?: Chart<FleetSpec>;
  readonly next: readonly NextStep[];
  /** The worst first; of at most 20 VPS. */
  readonly details: readonly Detail[];
  readonly standsOut: boolean;
  /** Whether other things stand out than the last time, or there was none. */
  readonly hasChanged: boolean;
  /** To be kept for the next time. */
  readonly reported: Reported;
}

const figuresNote =
  'CPU and memory are means over the period, traffic is in and out together, disk is as last read.';
const mostDetails = 20;
const mostMutedNames = 10;
const mostSteps = 3;

/** Makes the summary of a fleet. Throws a RangeError if there is no such zone. */
export function summarizeFleet(input: FleetInput): FleetSummary {
  const { name, reports, period, timeZone, last } = input;
  const ranked = rank(reports, input);
  const bad = ranked.filter(({ findings }) => findings.length > 0);
  const { table, shown } = fleetTable(ranked, { period, last });
  const unread = unreadNotes(ranked.map(({ report }) => report));
  const needsFile = shown < ranked.length || unread.left > 0;
  const chart = pictureOf(ranked, input);
  const reported = toReported(
    ranked.map(({ report, findings }) => ({ ...report, findings })),
    period.untilMs,
    last,
  );
  return {
    title: headline(ranked),
    facts: [
      { label: 'Period', value: writePeriod(period, timeZone) },
      ...(reports.length > 0 ? [{ label: 'States', value: countStates(reports) }] : []),
    ],
    table,
    ...(needsFile && { csv: { fileName: fileNameOf(name), text: fleetCsv(ranked, { period, last }) } }),
    notes: [
      ...unread.notes,
      ...(unread.left > 0
        ? [`${unread.left} more that could not be read are named in the attached file.`]
        : []),
      ...thinNotes(ranked.map(({ report }) => report)),
      ...mutedNotes(ranked, timeZone),
      ...(shown < ranked.length
        ? [`The table has the first ${shown} of ${ranked.length}; the attached file has all.`]
        : []),
      ...(bad.length > mostDetails ? [`The thread tells of the worst ${mostDetails} of ${bad.length}.`] : []),
      ...(reports.length > 0 ? [figuresNote] : []),
    ],
    ...(chart && { chart }),
    next: stepsForWorst(bad, mostSteps),
    details: bad.slice(0, mostDetails).map(({ report, findings }) => ({
      vps: report.name,
      title: `${report.name}: ${listWords(
        findings.map(({ words }) => words),
        3,
      )}`,
      lines: findings.map(({ detail }) => detail),
      next: [...stepsFor(report.name), muteStep(report.name)],
    })),
    standsOut: bad.length > 0,
    hasChanged: hasChanged(reported, last),
    reported,
  };
}

/** Tells whether a summary is to be posted. What could not be read is never kept quiet. */
export function shouldPost(
  { standsOut, hasChanged: isNews }: Pick<FleetSummary, 'standsOut' | 'hasChanged'>,
  { post }: Pick<SummarySettings, 'post'>,
  hasUnread: boolean,
): boolean {
  if (post === 'always' || hasUnread) return true;
  return post === 'standsOut' ? standsOut : isNews;
}

function pictureOf(ranked: readonly Ranked[], { name, period, timeZone }: FleetInput): FleetSummary['chart'] {
  if (ranked.every(({ report }) => report.cpuPoints.every(({ value }) => value === null))) return undefined;
  const spec: FleetSpec = {
    title: name,
    measure: 'CPU',
    ...period,
    timeZone,
    rows: byCpu(ranked)
      .slice(0, mostFleetRows)
      .map(({ report, findings }) => ({
        label: report.name,
        standsOut: findings.length > 0,
        points: report.cpuPoints,
      })),
    total: ranked.length,
  };
  return { spec, takeaway: fleetTakeaway(spec), isTold: true };
}

const mostStates = 6;

function countStates(reports: readonly VpsReport[]): string {
  const counts = new Map<string, number>();
  for (const { state = 'not known' } of reports) counts.set(state, (counts.get(state) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a);
  const others = frequent.slice(mostStates).reduce((sum, [, count]) => sum + count, 0);
  const words = frequent.slice(0, mostStates).map(([state, count]) => `${count} ${state}`);
  return [...words, ...(others > 0 ? [`${others} in other states`] : [])].join(', ');
}

function mutedNotes(ranked: readonly Ranked[], timeZone: string): string[] {
  const { wallMsAt } = createWallClock(timeZone);
  const muted = ranked.flatMap(({ report: { name }, mutedUntilMs }) =>
    mutedUntilMs === undefined ? [] : [`${name} until ${writeDayTime(wallMsAt(mutedUntilMs))}`],
  );
  return muted.length === 0 ? [] : [`Muted: ${listWords(muted, mostMutedNames)}.`];
}

function fileNameOf(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/[^\w-]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${plain || 'report'}.csv`;
}
