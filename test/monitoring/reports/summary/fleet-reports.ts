import {
  type FleetInput,
  type FleetSummary,
  summarizeFleet,
} from '../../../../src/monitoring/reports/summary/fleet/fleet-summary.ts';
import {
  buildVpsReport,
  type VpsReadings,
  type VpsReport,
} from '../../../../src/monitoring/reports/summary/vps-report.ts';
import { dayOf, period, repeated, scope } from '../../shared/histories.ts';

export function report(name: string, readings: Partial<VpsReadings> = {}): VpsReport {
  return buildVpsReport({ name, state: 'running', histories: [], ...readings }, scope());
}

export const otherFigures = {
  live: { memoryPercent: 40, diskPercent: 40, state: 'running', unrecognized: [], record: {} },
  traffic: dayOf('networkIn', repeated(1_000, 24)),
};
export const withCpu = (name: string, cpu: Parameters<typeof dayOf>[1]) =>
  report(name, { histories: [dayOf('cpu', cpu), otherFigures.traffic], live: otherFigures.live });
export const calm = (name: string) => withCpu(name, repeated(12, 24));
export const busy = (name: string) => withCpu(name, [...repeated(20, 18), ...repeated(93, 6)]);
export const full = (name: string, diskPercent = 91) =>
  report(name, { live: { diskPercent, state: 'running', unrecognized: [], record: {} } });
export const lost = (name: string, why = 'The service did not answer in time') =>
  report(name, { state: undefined, readFailures: [{ what: 'history', reason: why }] });
export const stopped = (name: string) => report(name, { state: 'stopped' });

export const names = (count: number) => Array.from({ length: count }, (_, index) => `VPS-${10_001 + index}`);

export function summarize(reports: readonly VpsReport[], more: Partial<FleetInput> = {}): FleetSummary {
  return summarizeFleet({ name: 'Morning', reports, period, timeZone: 'Europe/Berlin', ...more });
}
