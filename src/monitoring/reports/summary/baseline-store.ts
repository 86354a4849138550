import { z } from 'zod';
import { deletedState } from '../../../db/deleted-state.ts';
import type { Database } from '../../../db/engines/database.ts';
import { parseJson } from '../../../db/parse-json.ts';
import { type ReportBaseline, reportBaseline } from './baseline.ts';

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

    /** Returns the findings of the latest occurrence of each active report, newest first. */
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
     * Saves a baseline. Nothing is saved for a deleted report, so that the data of a workspace that
     * left stays deleted.
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
