import { z } from 'zod';
import { formatPercent, formatRate } from '../../../charts/format/format-quantity.ts';
import { deletedState } from '../../../db/deleted-state.ts';
import type { Database } from '../../../db/engines/database.ts';
import { parseJson } from '../../../db/parse-json.ts';
import { findingKindSchema } from '../findings/finding.ts';
import { missingMetrics, type VpsReport } from './vps-report.ts';

const vpsBaselineSchema = z.object({
  state: z.string().optional(),
  cpuPercent: z.number().optional(),
  memoryPercent: z.number().optional(),
  diskPercent: z.number().optional(),
  trafficBytesPerS: z.number().optional(),
  findings: z.array(findingKindSchema),
  /** Metrics missing from the service's responses. */
  missing: z.array(z.enum(missingMetrics)).optional(),
});

/** A report's content, stored as JSON for comparison with the next report. */
export const reportBaseline = z.object({
  untilMs: z.number(),
  vps: z.record(z.string(), vpsBaselineSchema),
  /** This report's findings, worst first. Reports by earlier versions don't have them. */
  standsOut: z.array(z.object({ vps: z.string(), text: z.string() })).optional(),
});

export type ReportBaseline = z.infer<typeof reportBaseline>;
export type VpsBaseline = z.infer<typeof vpsBaselineSchema>;

/**
 * Returns the baseline for the next report. `reports` must be sorted worst first. A VPS that couldn't be read or is in
 * maintenance keeps its previous values, so its earlier problems aren't reported as new later.
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
  // Only means are stored, because a live figure can't be compared with a mean.
  const cpuPercent = cpu?.mean;
  const memoryPercent = memory?.mean;
  return {
    ...(readFailures.length > 0 && last),
    ...(state !== undefined && { state }),
    ...(cpuPercent !== undefined && { cpuPercent }),
    ...(memoryPercent !== undefined && { memoryPercent }),
    ...(disk && { diskPercent: disk.latest }),
    ...(traffic && { trafficBytesPerS: traffic.bytesPerS }),
    // If some readings failed, the previous findings may still apply, so they are kept.
    findings: [...new Set([...(readFailures.length > 0 && last ? last.findings : []), ...kinds])],
    missing: readFailures.length > 0 && last ? (last.missing ?? []) : [...missing],
  };
}

/** Returns whether any metric is newly missing. Without a last report, every missing metric is. */
export function hasNewlyMissing(now: ReportBaseline, last: ReportBaseline | undefined): boolean {
  return Object.entries(now.vps).some(([name, { missing = [] }]) =>
    missing.some((metric) => !(last?.vps[name]?.missing ?? []).includes(metric)),
  );
}

/** Returns whether the findings have changed since the last report. True if there was no last report. */
export function hasChanged(now: ReportBaseline, last: ReportBaseline | undefined): boolean {
  if (!last) return true;
  const listFindings = ({ vps }: ReportBaseline) =>
    Object.entries(vps).flatMap(([name, { findings }]) => findings.map((kind) => `${name} ${kind}`));
  const [before, after] = [listFindings(last), listFindings(now)];
  return before.some((one) => !after.includes(one)) || after.some((one) => !before.includes(one));
}

/** Minimum differences. Smaller ones are normal fluctuations. */
const minPoints = { cpuPercent: 5, memoryPercent: 5, diskPercent: 2 } as const;
const minTrafficFactor = 2;
const minBytesPerS = 2 ** 16;
/** Maximum changes in a table cell. */
const maxChanges = 2;

/**
 * Formats changes since the last report, such as "was stopped, CPU 40 → 52%". Returns undefined if nothing
 * changed or there was no last report.
 */
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

/** A baseline without each VPS's figures, which the App Home doesn't need. */
const latestSummary = reportBaseline.extend({ vps: z.record(z.string(), z.unknown()) });

export type LatestSummary = z.infer<typeof latestSummary>;

export type BaselineStore = ReturnType<typeof createBaselineStore>;

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
     * Saves a report's baseline. Does nothing if the report was deleted, so no data reappears after a workspace leaves.
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
