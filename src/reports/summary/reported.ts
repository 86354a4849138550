import { z } from 'zod';
import { formatPercent, formatRate } from '../../charts/figures.ts';
import { findingKind } from './finding.ts';
import type { VpsReport } from './vps-report.ts';

const reportedVps = z.object({
  state: z.string().optional(),
  /** Means over the period. */
  cpuPercent: z.number().optional(),
  memoryPercent: z.number().optional(),
  /** At its end. */
  diskPercent: z.number().optional(),
  trafficBytesPerS: z.number().optional(),
  findings: z.array(findingKind),
});

/** What a report told, to be kept as JSON: the next one compares itself with it. */
export const reported = z.object({ untilMs: z.number(), vps: z.record(z.string(), reportedVps) });

export type Reported = z.infer<typeof reported>;
export type ReportedVps = z.infer<typeof reportedVps>;

/** Gives what the next report of these VPS will compare itself with. Of one that could not be read, what was told before stays. */
export function toReported(
  reports: readonly VpsReport[],
  untilMs: number,
  last: Reported | undefined,
): Reported {
  const entries = reports.map((report) => [report.name, valuesOf(report, last?.vps[report.name])] as const);
  return { untilMs, vps: Object.fromEntries(entries) };
}

function valuesOf(report: VpsReport, last: ReportedVps | undefined): ReportedVps {
  const { state, cpu, memory, disk, traffic, findings, unread } = report;
  const kinds = findings.map(({ kind }) => kind);
  const cpuPercent = cpu?.mean ?? cpu?.latest;
  const memoryPercent = memory?.mean ?? memory?.latest;
  return {
    ...(unread.length > 0 && last),
    ...(state !== undefined && { state }),
    ...(cpuPercent !== undefined && { cpuPercent }),
    ...(memoryPercent !== undefined && { memoryPercent }),
    ...(disk && { diskPercent: disk.latest }),
    ...(traffic && { trafficBytesPerS: traffic.bytesPerS }),
    // What cannot be seen has not gone away.
    findings: [...new Set([...(unread.length > 0 && last ? last.findings : []), ...kinds])],
  };
}

/** Tells whether other things stand out than the last time, or there was none. */
export function hasChanged(now: Reported, last: Reported | undefined): boolean {
  if (!last) return true;
  const told = ({ vps }: Reported) =>
    Object.entries(vps).flatMap(([name, { findings }]) => findings.map((kind) => `${name} ${kind}`));
  const [before, after] = [told(last), told(now)];
  return before.some((one) => !after.includes(one)) || after.some((one) => !before.includes(one));
}

/** Smaller differences are the ordinary to and fro. */
const leastPoints = { cpuPercent: 5, memoryPercent: 5, diskPercent: 2 } as const;
const leastTimes = 2;
const leastBytesPerS = 2 ** 16;
/** More would not fit in a cell. */
const mostChanges = 2;

/** Says in a few words what has changed since the last report: "was stopped, CPU 40 → 52 %"; nothing where there was none. */
export function changeWords(
  report: VpsReport,
  last: Reported | undefined,
  untilMs: number,
): string | undefined {
  if (!last) return undefined;
  const before = last.vps[report.name];
  if (!before) return 'new';
  const now = valuesOf(report, undefined);
  const hasRestarted = report.uptimeMs !== undefined && report.uptimeMs < untilMs - last.untilMs;
  const changes = [
    ...(before.state !== undefined && now.state !== undefined && before.state !== now.state
      ? [`was ${before.state}`]
      : hasRestarted
        ? ['restarted']
        : []),
    ...pointsChange('disk', before.diskPercent, now.diskPercent, leastPoints.diskPercent),
    ...pointsChange('CPU', before.cpuPercent, now.cpuPercent, leastPoints.cpuPercent),
    ...pointsChange('memory', before.memoryPercent, now.memoryPercent, leastPoints.memoryPercent),
    ...trafficChange(before.trafficBytesPerS, now.trafficBytesPerS),
  ];
  return changes.length === 0 ? 'none' : changes.slice(0, mostChanges).join(', ');
}

function pointsChange(
  name: string,
  before: number | undefined,
  now: number | undefined,
  least: number,
): string[] {
  if (before === undefined || now === undefined || Math.abs(now - before) < least) return [];
  return [`${name} ${formatPercent(before).replace(' %', '')} → ${formatPercent(now)}`];
}

function trafficChange(before: number | undefined, now: number | undefined): string[] {
  if (before === undefined || now === undefined) return [];
  const [low, high] = [Math.min(before, now), Math.max(before, now)];
  if (high < leastBytesPerS || high < low * leastTimes) return [];
  return [`traffic ${formatRate(before)} → ${formatRate(now)}`];
}
