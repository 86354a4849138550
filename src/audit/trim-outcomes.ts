import type { Database } from '../db/engines/database.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { RunResult } from '../runs/run.ts';
import { withoutResponseUrl } from '../runs/store/run-row.ts';

/** How long people can turn the pages of a reply or share it. Slack's response URLs live as long. */
export const outcomeTtlMs = 30 * 60_000;

const batchSize = 200;

/**
 * Deletes the parts of settled runs that only their messages needed: all of the outcome of a read,
 * the details of an operation on Rackhand's own data, e-mail addresses, and response URLs. Returns how many runs were
 * trimmed, at most 200.
 */
export async function trimOutcomes(
  db: Database,
  findOperation: (name: string) => Operation | undefined,
  nowMs: number,
): Promise<number> {
  const rows = await db
    .selectFrom('run')
    .select(['id', 'operation', 'outcome', 'origin', 'status'])
    .where('trimmed_at', 'is', null)
    .where('settled_at', '<=', nowMs - outcomeTtlMs)
    // The owner of a settled run still has to report its end, unless it died long ago.
    .where((row) => row.or([row('owner', 'is', null), row('settled_at', '<=', nowMs - 2 * outcomeTtlMs)]))
    .orderBy('settled_at')
    .limit(batchSize)
    .execute();
  for (const { id, operation, outcome, origin, status } of rows) {
    await db
      .updateTable('run')
      .set({
        outcome: trimOutcome(outcome, findOperation(operation)),
        origin: JSON.stringify(withoutResponseUrl(JSON.parse(origin))),
        trimmed_at: nowMs,
      })
      .where('id', '=', id)
      .where('status', '=', status)
      .execute();
  }
  return rows.length;
}

function trimOutcome(outcome: string | null, operation: Operation | undefined): string | null {
  if (outcome === null || !operation) return outcome;
  const result: RunResult = JSON.parse(outcome);
  if (result.kind === 'problem') return outcome;
  if (operation.kind === 'change') return removeMailAddresses(result);
  if (operation.kind === 'read') return null;
  const trimmed: RunResult = { kind: 'outcome', outcome: { title: result.outcome.title } };
  return JSON.stringify(trimmed);
}

const mailAddress = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** The title stays as it is, because the hash chain covers it. */
function removeMailAddresses({ kind, outcome }: Extract<RunResult, { kind: 'outcome' }>): string {
  const { title, ...details } = outcome;
  const kept = JSON.parse(JSON.stringify(details).replaceAll(mailAddress, '(address deleted)'));
  return JSON.stringify({ kind, outcome: { title, ...kept } });
}
