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

    /** Keeps nothing of a report that is gone: whatever belonged to a workspace that has left is forgotten. */
    async keep(reportId: string, told: Reported): Promise<void> {
      const values = { reported: JSON.stringify(told) };
      await db
        .insertInto('report_memory')
        .columns(['report_id', 'reported'])
        .expression((row) =>
          row
            .selectFrom('report')
            .select(['id', row.cast<string>(row.val(values.reported), 'text').as('reported')])
            .where('id', '=', reportId)
            .where('state', '!=', 'deleted'),
        )
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
