import type { Chart, Table } from '../../../operations/define/outcome.ts';
import type { FleetSummary } from './fleet/fleet-summary.ts';

/** A report on a fleet or on one VPS as plain data. */
export interface ReportSummary extends Omit<FleetSummary, 'table' | 'chart'> {
  readonly table?: Table;
  readonly chart?: Chart;
}
