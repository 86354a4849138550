import type { Database } from '../../src/db/engines/database.ts';
import { scheduleKind } from '../../src/schedules/schedule.ts';

/** Claims the job of a schedule with this token, as a process does. An earlier claim is lost. */
export async function claimScheduleJob(db: Database, id: string, token: string): Promise<void> {
  const claim = { claim_token: token };
  const times = { due_at: 0, claimable_at: 0 };
  await db
    .insertInto('job')
    .values({
      ...{ kind: scheduleKind.name, id, team_id: 'T0ACME', user_id: '', payload: '{}' },
      ...{ ...times, ...claim, attempts: 1, revision: 0, dead_letter_reason: null },
    })
    .onConflict((conflict) => conflict.columns(['kind', 'id']).doUpdateSet(claim))
    .execute();
}
