import type { Database } from '../storage/database.ts';
import { type Reported, reported } from './summary/reported.ts';

export type ReportMemory = ReturnType<typeof createReportMemory>;

/** Creates the store of what each report told the last time. */
export function createReportMemory(db: Database) {
  return {
    async find(reportId: string): Promise<Reported | undefined> {
      const row = await db
        .selectFrom('report_memory')
        .select('reported')
        .where('report_id', '=', reportId)
        .executeTakeFirst();
      return row && reported.safeParse(JSON.parse(row.reported)).data;
    },

    async keep(reportId: string, told: Reported): Promise<void> {
      const values = { reported: JSON.stringify(told) };
      await db
        .insertInto('report_memory')
        .values({ report_id: reportId, ...values })
        .onConflict((conflict) => conflict.column('report_id').doUpdateSet(values))
        .execute();
    },

    /** Deletes everything of a workspace, before its reports are. */
    async forgetAllOf(teamId: string): Promise<void> {
      await db
        .deleteFrom('report_memory')
        .where('report_id', 'in', (reports) =>
          reports.selectFrom('report').select('id').where('team_id', '=', teamId),
        )
        .execute();
    },
  };
}
