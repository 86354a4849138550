import type { Database } from '../../../db/engines/database.ts';
import { type ReportBaseline, reportBaseline } from './baseline.ts';

export type BaselineStore = ReturnType<typeof createBaselineStore>;

/** Creates the store of the latest content of each report. */
export function createBaselineStore(db: Database) {
  return {
    async find(reportId: string): Promise<ReportBaseline | undefined> {
      const row = await db
        .selectFrom('report_baseline')
        .select('baseline')
        .where('report_id', '=', reportId)
        .executeTakeFirst();
      return row && reportBaseline.safeParse(JSON.parse(row.baseline)).data;
    },

    /**
     * Saves a baseline. Nothing is saved for a deleted report, so that the data of a workspace that
     * left stays deleted.
     */
    async save(reportId: string, baseline: ReportBaseline): Promise<void> {
      const values = { baseline: JSON.stringify(baseline) };
      await db
        .insertInto('report_baseline')
        .columns(['report_id', 'baseline'])
        .expression((row) =>
          row
            .selectFrom('report')
            .select(['id', row.cast<string>(row.val(values.baseline), 'text').as('baseline')])
            .where('id', '=', reportId)
            .where('state', '!=', 'deleted'),
        )
        .onConflict((conflict) => conflict.column('report_id').doUpdateSet(values))
        .execute();
    },
  };
}
