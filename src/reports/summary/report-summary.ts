import type { Chart, Table } from '../../operations/outcome.ts';
import type { FleetSummary } from './fleet-summary.ts';

/** What a report tells, be it of a fleet or of one VPS, as plain data. */
export interface ReportSummary extends Omit<FleetSummary, 'table' | 'chart'> {
  readonly table?: Table;
  readonly chart?: Chart;
}
