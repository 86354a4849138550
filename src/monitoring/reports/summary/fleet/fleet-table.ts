import { formatBytes } from '../../../../charts/format/format-quantity.ts';
import { type Cell, formatCsvRow } from '../../../../csv.ts';
import type { Table, Value } from '../../../../operations/define/outcome.ts';
import type { Period } from '../../../../time/periods.ts';
import { formatElapsed } from '../../../shared/text-format.ts';
import { formatChange, type ReportBaseline } from '../baseline.ts';
import type { ResourceUsage } from '../vps-report.ts';
import type { RankedVps } from './ranking.ts';

/** Slack allows 100 rows per table, including the header. */
const maxRows = 99;
/** Slack allows 10,000 characters across all tables in a message. This limit leaves room for other tables. */
const maxChars = 7_500;
/** Assumed length of a figure. The longest are uptimes and traffic. */
const metricChars = 10;

const unknown = '–';

interface FleetTableOptions {
  readonly period: Period;
}

interface FleetCsvOptions extends FleetTableOptions {
  readonly last: ReportBaseline | undefined;
}

export interface FleetTable {
  readonly table: Table;
  readonly shown: number;
}

/** Builds the fleet's table, worst VPS first, with as many rows as fit in a message. */
export function buildFleetTable(ranked: readonly RankedVps[], { period }: FleetTableOptions): FleetTable {
  const all = ranked.slice(0, maxRows).map(toRow);
  const columns = [
    'VPS',
    'CPU',
    // This column is visible on a phone without scrolling.
    `CPU over ${formatElapsed(period.untilMs - period.fromMs)}`,
    ...['Memory', 'Disk', 'State', 'Traffic', 'Uptime'],
  ];
  let chars = columns.join('').length;
  const rows: Value[][] = [];
  for (const row of all) {
    chars += row.reduce<number>((sum, value) => sum + countChars(value), 0);
    if (chars > maxChars) break;
    rows.push(row);
  }
  return { table: { columns, rows }, shown: rows.length };
}

function toRow({ report, findings }: RankedVps): Value[] {
  const { name, state, cpu, memory, disk, traffic, uptimeMs, sparkline, readFailures } = report;
  const sign = findings.length > 0 ? '⚠️ ' : readFailures.length > 0 ? '? ' : '';
  return [
    `${sign}${name}`,
    toPercentValue(cpu?.mean ?? cpu?.latest),
    sparkline || unknown,
    toPercentValue(memory?.mean ?? memory?.latest),
    toPercentValue(disk?.latest),
    state === undefined ? unknown : { kind: 'state', state },
    traffic ? formatBytes(traffic.bytes) : unknown,
    uptimeMs === undefined ? unknown : { kind: 'duration', durationMs: uptimeMs },
  ];
}

function toPercentValue(percent: number | undefined): Value {
  return percent === undefined ? unknown : { kind: 'percent', percent };
}

function countChars(value: Value): number {
  if (typeof value === 'string') return value.length;
  return value.kind === 'state' ? value.state.length + 3 : metricChars;
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

export function toFleetCsv(ranked: readonly RankedVps[], { period, last }: FleetCsvOptions): string {
  const rows = ranked.map(({ report, findings }): CsvCell[] => [
    report.name,
    report.state,
    findings.map(({ summary }) => summary).join('; '),
    report.cpu?.mean,
    peakPercent(report.cpu),
    report.memory?.mean,
    report.memory?.latest,
    report.disk?.latest,
    report.traffic?.bytes,
    report.uptimeMs === undefined ? undefined : report.uptimeMs / 1_000,
    formatChange(report, last, period.untilMs),
    report.readFailures.map(({ what, reason }) => `${what}: ${reason}`).join('; '),
  ]);
  return toCsv(csvColumns, rows);
}

function peakPercent(usage: ResourceUsage | undefined): number | undefined {
  return usage?.highest?.percent;
}

export interface CsvFile {
  readonly fileName: string;
  readonly text: string;
}

export type CsvCell = Cell | undefined;

/** Formats rows as CSV. Numbers get at most three decimals. Infinity and NaN become empty cells. */
export function toCsv(columns: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [columns, ...rows].map((row) => formatCsvRow(row.map(toCell))).join('');
}

function toCell(value: CsvCell): Cell {
  if (typeof value !== 'number') return value ?? null;
  return Number.isFinite(value) ? Number(value.toFixed(3)) : null;
}
