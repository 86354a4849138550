import type { Database } from '../../src/db/engines/database.ts';
import type { RunTable } from '../../src/db/schema/schema.ts';

/** Overrides for the row of a successful reboot. */
export type RunFixture = Partial<RunTable> & { readonly id: string };

/** Inserts rows of settled runs. */
export async function insertRuns(db: Database, runs: readonly RunFixture[]): Promise<void> {
  const rows = runs.map((run): RunTable => {
    const requested_at = run.requested_at ?? 1_000;
    const target = run.target === undefined ? 'VPS-10001' : run.target;
    return {
      request_key: `test:${run.id}`,
      team_id: 'T1',
      user_id: 'U1',
      operation: 'reboot',
      log_kind: 'changes',
      input: '{"vps":"VPS-10001"}',
      display_names: null,
      title: target === null ? null : `Reboot ${target}`,
      target,
      origin: '{"channel":"C1"}',
      batch_id: null,
      stopped_by: null,
      response_url_jwe: null,
      status: 'done',
      shown_state: null,
      clicked_at: null,
      ask_id: null,
      approved_by: null,
      not_after: null,
      owner: null,
      lease_until: null,
      outcome: '{"kind":"outcome","outcome":{"title":"Rebooted"}}',
      trimmed_at: null,
      sealed_at: null,
      progress: null,
      error_code: null,
      queued_at: requested_at + 10,
      sent_at: requested_at + 20,
      settled_at: requested_at + 50,
      ...run,
      requested_at,
    };
  });
  // Databases limit how many values a statement can have.
  for (let start = 0; start < rows.length; start += 200) {
    await db
      .insertInto('run')
      .values(rows.slice(start, start + 200))
      .execute();
  }
}

/** Returns the stored outcome of a denied run. */
export function createDenialJson(message: string): string {
  const problem = { code: 'not_permitted', message, changed: 'Nothing was changed.', advice: 'Ask.' };
  return JSON.stringify({ kind: 'problem', problem });
}

export function listRunRows(db: Database) {
  return db.selectFrom('run').selectAll().orderBy('id').execute();
}
