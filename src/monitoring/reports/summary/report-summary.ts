import type { ActionLine, Chart, Table } from '../../../operations/define/outcome.ts';
import type { FleetSummary } from './fleet/fleet-summary.ts';

/** A report on a fleet or on one VPS as plain data. */
export interface ReportSummary extends Omit<FleetSummary, 'table' | 'chart'> {
  readonly table?: Table;
  readonly chart?: Chart;
}

/** How many VPS have a line of their own. More would hide the picture on a phone. */
const maxLines = 5;

/** Returns a line for each of the worst VPS, with its button. */
export function findingLines({ details }: ReportSummary): readonly ActionLine[] {
  return details.slice(0, maxLines).map(({ vps, lines, action }) => ({
    label: vps,
    text: lines.join(' '),
    step: action,
  }));
}
