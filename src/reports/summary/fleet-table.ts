import { formatBytes } from '../../charts/figures.ts';
import type { Table, Value } from '../../operations/outcome.ts';
import type { Period } from './course.ts';
import { type CsvCell, writeCsv } from './csv.ts';
import type { Ranked } from './ranking.ts';
import { changeWords, type Reported } from './reported.ts';
import type { Usage } from './vps-report.ts';
import { writeLength } from './words.ts';

/** Slack takes 100 rows a table, the heads of the columns among them. */
const mostRows = 99;
/** Slack takes 10,000 characters a table, and a message has more to say. */
const mostChars = 7_500;
/** What a figure takes: the longest are an uptime and a traffic. */
const figureChars = 10;

const unknown = '–';

interface Shown {
  readonly period: Period;
  readonly last: Reported | undefined;
}

export interface FleetTable {
  readonly table: Table;
  /** How many rows of all the table has. */
  readonly shown: number;
}

/** Makes the table of a fleet, the worst first, of as many rows as one message holds. */
export function fleetTable(ranked: readonly Ranked[], { period, last }: Shown): FleetTable {
  const all = ranked.slice(0, mostRows).map((one) => rowOf(one, { period, last }));
  // Where there was no report before, nothing can have changed.
  const columns = [
    ...['VPS', 'State', 'CPU', 'Memory', 'Disk', 'Traffic', 'Uptime'],
    ...(last ? ['Since last time'] : []),
    `CPU over ${writeLength(period.untilMs - period.fromMs)}`,
  ];
  let chars = columns.join('').length;
  const rows: Value[][] = [];
  for (const row of all) {
    chars += row.reduce<number>((sum, value) => sum + charsOf(value), 0);
    if (chars > mostChars) break;
    rows.push(row);
  }
  return { table: { columns, rows }, shown: rows.length };
}

function rowOf({ report, findings }: Ranked, { period, last }: Shown): Value[] {
  const { name, state, cpu, memory, disk, traffic, uptimeMs, sparkline, unread } = report;
  const sign = findings.length > 0 ? '⚠ ' : unread.length > 0 ? '? ' : '';
  return [
    `${sign}${name}`,
    state === undefined ? unknown : { state },
    percentOf(cpu?.mean ?? cpu?.latest),
    percentOf(memory?.mean ?? memory?.latest),
    percentOf(disk?.latest),
    traffic ? formatBytes(traffic.bytes) : unknown,
    uptimeMs === undefined ? unknown : { durationMs: uptimeMs },
    ...(last ? [changeWords(report, last, period.untilMs) ?? unknown] : []),
    sparkline || unknown,
  ];
}

function percentOf(percent: number | undefined): Value {
  return percent === undefined ? unknown : { percent };
}

function charsOf(value: Value): number {
  if (typeof value === 'string') return value.length;
  return 'state' in value ? value.state.length + 3 : figureChars;
}

const csvColumns = [
  'vps',
  'state',
  'needs_a_look',
  'cpu_mean_percent',
  'cpu_max_percent',
  'memory_mean_percent',
  'memory_now_percent',
  'disk_now_percent',
  'traffic_bytes',
  'uptime_s',
  'since_last_time',
  'could_not_be_read',
];

/** Writes the table of a whole fleet, the worst first, in full figures. */
export function fleetCsv(ranked: readonly Ranked[], { period, last }: Shown): string {
  const rows = ranked.map(({ report, findings }): CsvCell[] => [
    report.name,
    report.state,
    findings.map(({ words }) => words).join('; '),
    report.cpu?.mean,
    highest(report.cpu),
    report.memory?.mean,
    report.memory?.latest,
    report.disk?.latest,
    report.traffic?.bytes,
    report.uptimeMs === undefined ? undefined : report.uptimeMs / 1_000,
    changeWords(report, last, period.untilMs),
    report.unread.map(({ what, why }) => `${what}: ${why}`).join('; '),
  ]);
  return writeCsv(csvColumns, rows);
}

function highest(usage: Usage | undefined): number | undefined {
  return usage?.highest?.percent;
}
