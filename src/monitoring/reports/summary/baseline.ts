import { z } from 'zod';
import { formatPercent, formatRate } from '../../../charts/format/format-quantity.ts';
import { deletedState } from '../../../db/deleted-state.ts';
import type { Database } from '../../../db/engines/database.ts';
import { parseJson } from '../../../db/parse-json.ts';
import { findingKindSchema } from '../findings/finding.ts';
import { missingMetrics, type VpsReport } from './vps-report.ts';

const vpsBaselineSchema = z.object({
  state: z.string().optional(),
  /** The mean over the period. */
  cpuPercent: z.number().optional(),
  memoryPercent: z.number().optional(),
  /** The value at the end of the period. */
  diskPercent: z.number().optional(),
  trafficBytesPerS: z.number().optional(),
  findings: z.array(findingKindSchema),
  /** Metrics that weren't in the service's responses. */
  missing: z.array(z.enum(missingMetrics)).optional(),
});

/** The content of a report, stored as JSON for comparison with the next report. */
export const reportBaseline = z.object({
  untilMs: z.number(),
  vps: z.record(z.string(), vpsBaselineSchema),
  /** The findings of this report, worst first. Missing in reports of earlier versions. */
  standsOut: z.array(z.object({ vps: z.string(), text: z.string() })).optional(),
});

export type ReportBaseline = z.infer<typeof reportBaseline>;
export type VpsBaseline = z.infer<typeof vpsBaselineSchema>;

/**
 * Returns the baseline for the next report. `reports` are sorted, worst first. A VPS that couldn't be read or is in
 * maintenance keeps its previous values, so that its earlier problems aren't reported as new later.
 */
export function toBaseline(
  reports: readonly VpsReport[],
  untilMs: number,
  last: ReportBaseline | undefined,
  inMaintenance: ReadonlyMap<string, number> = new Map(),
): ReportBaseline {
  const entries = reports.map((report) => {
    const { name } = report;
    const before = last?.vps[name];
    return [name, inMaintenance.has(name) && before ? before : toVpsBaseline(report, before)] as const;
  });
  const standsOut = reports.flatMap(({ name, findings }) =>
    findings.length > 0 ? [{ vps: name, text: findings.map(({ summary }) => summary).join(', ') }] : [],
  );
  return { untilMs, vps: Object.fromEntries(entries), standsOut };
}

function toVpsBaseline(report: VpsReport, last: VpsBaseline | undefined): VpsBaseline {
  const { state, cpu, memory, disk, traffic, findings, readFailures, missingMetrics: missing } = report;
  const kinds = findings.map(({ kind }) => kind);
  // Only the mean is stored, because a live figure can't be compared with a mean.
  const cpuPercent = cpu?.mean;
  const memoryPercent = memory?.mean;
  return {
    ...(readFailures.length > 0 && last),
    ...(state !== undefined && { state }),
    ...(cpuPercent !== undefined && { cpuPercent }),
    ...(memoryPercent !== undefined && { memoryPercent }),
    ...(disk && { diskPercent: disk.latest }),
    ...(traffic && { trafficBytesPerS: traffic.bytesPerS }),
    // If some readings failed, the previous findings are kept, because they may still apply.
    findings: [...new Set([...(readFailures.length > 0 && last ? last.findings : []), ...kinds])],
    missing: readFailures.length > 0 && last ? (last.missing ?? []) : [...missing],
  };
}

/** Returns whether a metric is missing that wasn't missing in the last report. */
export function hasNewlyMissing(now: ReportBaseline, last: ReportBaseline | undefined): boolean {
  return Object.entries(now.vps).some(([name, { missing = [] }]) =>
    missing.some((metric) => !(last?.vps[name]?.missing ?? []).includes(metric)),
  );
}

/** Returns whether the findings have changed since the last report, or true if there was none. */
export function hasChanged(now: ReportBaseline, last: ReportBaseline | undefined): boolean {
  if (!last) return true;
  const listFindings = ({ vps }: ReportBaseline) =>
    Object.entries(vps).flatMap(([name, { findings }]) => findings.map((kind) => `${name} ${kind}`));
  const [before, after] = [listFindings(last), listFindings(now)];
  return before.some((one) => !after.includes(one)) || after.some((one) => !before.includes(one));
}

/** Smaller differences are normal fluctuations. */
const minPoints = { cpuPercent: 5, memoryPercent: 5, diskPercent: 2 } as const;
const minTrafficFactor = 2;
const minBytesPerS = 2 ** 16;
/** How many changes fit into a cell. */
const maxChanges = 2;

/** Formats what changed since the last report: "was stopped, CPU 40 → 52%". Returns undefined if there was none. */
export function formatChange(
  report: VpsReport,
  last: ReportBaseline | undefined,
  untilMs: number,
): string | undefined {
  if (!last) return undefined;
  const before = last.vps[report.name];
  if (!before) return 'new';
  const now = toVpsBaseline(report, undefined);
  const hasRestarted = report.uptimeMs !== undefined && report.uptimeMs < untilMs - last.untilMs;
  const changes = [
    ...(before.state !== undefined && now.state !== undefined && before.state !== now.state
      ? [`was ${before.state}`]
      : hasRestarted
        ? ['restarted']
        : []),
    ...formatPointsChange('disk', before.diskPercent, now.diskPercent, minPoints.diskPercent),
    ...formatPointsChange('CPU', before.cpuPercent, now.cpuPercent, minPoints.cpuPercent),
    ...formatPointsChange('memory', before.memoryPercent, now.memoryPercent, minPoints.memoryPercent),
    ...formatTrafficChange(before.trafficBytesPerS, now.trafficBytesPerS),
  ];
  return changes.length === 0 ? 'none' : changes.slice(0, maxChanges).join(', ');
}

function formatPointsChange(
  name: string,
  before: number | undefined,
  now: number | undefined,
  minDifference: number,
): string[] {
  if (before === undefined || now === undefined || Math.abs(now - before) < minDifference) return [];
  return [`${name} ${formatPercent(before).replace('%', '')} → ${formatPercent(now)}`];
}

function formatTrafficChange(before: number | undefined, now: number | undefined): string[] {
  if (before === undefined || now === undefined) return [];
  const [low, high] = [Math.min(before, now), Math.max(before, now)];
  if (high < minBytesPerS || high < low * minTrafficFactor) return [];
  return [`traffic ${formatRate(before)} → ${formatRate(now)}`];
}

/** The schema of a baseline for the App Home, which doesn't need the figures of each VPS. */
const latestSummary = reportBaseline.extend({ vps: z.record(z.string(), z.unknown()) });

export type LatestSummary = z.infer<typeof latestSummary>;

export type BaselineStore = ReturnType<typeof createBaselineStore>;

/** Stores the latest content of each report. */
export function createBaselineStore(db: Database) {
  return {
    async find(reportId: string): Promise<ReportBaseline | undefined> {
      const row = await db
        .selectFrom('report_baseline')
        .select('baseline')
        .where('report_id', '=', reportId)
        .executeTakeFirst();
      return row && parseJson(reportBaseline, row.baseline);
    },

    /** Returns the latest findings of each active report, newest first. */
    async listLatest(teamId: string): Promise<readonly LatestSummary[]> {
      const rows = await db
        .selectFrom('report_baseline')
        .innerJoin('plan', 'plan.id', 'report_baseline.report_id')
        .select('baseline')
        .where('plan.team_id', '=', teamId)
        .where('plan.state', '=', 'active')
        .execute();
      return rows
        .flatMap(({ baseline }) => parseJson(latestSummary, baseline) ?? [])
        .sort((a, b) => b.untilMs - a.untilMs);
    },

    /**
     * Saves a baseline. Saves nothing for a deleted report, so that the data of a workspace that left stays deleted.
     */
    async save(reportId: string, baseline: ReportBaseline, executor: Database = db): Promise<void> {
      const values = { baseline: JSON.stringify(baseline) };
      await executor
        .insertInto('report_baseline')
        .columns(['report_id', 'baseline'])
        .expression((row) =>
          row
            .selectFrom('plan')
            .select(['id', row.cast<string>(row.val(values.baseline), 'text').as('baseline')])
            .where('id', '=', reportId)
            .where('state', '!=', deletedState),
        )
        .onConflict((conflict) => conflict.column('report_id').doUpdateSet(values))
        .execute();
    },
  };
}
