import type { Database } from '../../../src/storage/database.ts';
import type { RunTable } from '../../../src/storage/schema.ts';

/** What a test says of a run; the rest is that of a reboot that is done. */
export type KeptRun = Partial<RunTable> & { readonly id: string };

/** Puts runs into the database as they stand there once they are over. */
export async function keepRuns(db: Database, runs: readonly KeptRun[]): Promise<void> {
  const rows = runs.map((run): RunTable => {
    const requested_at = run.requested_at ?? 1_000;
    return {
      request_key: `test:${run.id}`,
      team_id: 'T1',
      user_id: 'U1',
      operation: 'reboot',
      input: '{"vps":"VPS-10001"}',
      called: null,
      target: 'VPS-10001',
      origin: '{"channel":"C1"}',
      status: 'done',
      shown: null,
      asked_again_at: null,
      approval_cards: null,
      approved_by: null,
      not_after: null,
      owner: null,
      lease_until: null,
      message_channel: null,
      message_ts: null,
      outcome: '{"kind":"outcome","outcome":{"title":"Rebooted"}}',
      progress: null,
      error_code: null,
      queued_at: requested_at + 10,
      sent_at: requested_at + 20,
      settled_at: requested_at + 50,
      ...run,
      requested_at,
    };
  });
  // A database takes so many values at once.
  for (let at = 0; at < rows.length; at += 200) {
    await db
      .insertInto('run')
      .values(rows.slice(at, at + 200))
      .execute();
  }
}

/** Writes how a run was refused, as the database keeps it. */
export function refusal(what: string): string {
  const problem = { code: 'not_permitted', what, changed: 'Nothing was changed.', next: 'Ask.' };
  return JSON.stringify({ kind: 'problem', problem });
}

/** Gives the rows of the record, as they stand there. */
export function rowsOf(db: Database) {
  return db.selectFrom('run').selectAll().orderBy('id').execute();
}
