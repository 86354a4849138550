import { sql } from 'kysely';
import type { Database } from '../db/engines/database.ts';
import type { Operation } from '../operations/define/operation.ts';
import type { RunResult } from '../runs/run.ts';

/** How long (ms) people can page through a reply or share it, which is as long as Slack's response URLs work. */
export const outcomeTtlMs = 30 * 60_000;

const batchSize = 200;

/**
 * Trims settled runs to what the activity log keeps. Deletes the outcomes of reads, the details of
 * operations on Rackhand's own data, email addresses, and response URLs. Returns how many runs were
 * trimmed, at most 200.
 */
export async function trimOutcomes(
  db: Database,
  findOperation: (name: string) => Operation | undefined,
  nowMs: number,
): Promise<number> {
  const rows = await db
    .selectFrom('run')
    .select(['id', 'operation', 'outcome', 'status'])
    .where('trimmed_at', 'is', null)
    .where('settled_at', '<=', nowMs - outcomeTtlMs)
    // If a settled run still has an owner, the owner has yet to report the run's end, unless the owner
    // died long ago.
    .where((row) => row.or([row('owner', 'is', null), row('settled_at', '<=', nowMs - 2 * outcomeTtlMs)]))
    .orderBy('settled_at')
    .limit(batchSize)
    .execute();
  if (rows.length === 0) return 0;
  const trimmed = rows.map(({ id, operation, outcome, status }) => {
    const kept = trimOutcome(outcome, findOperation(operation));
    return sql`(${id}, ${status}, cast(${kept} as text))`;
  });
  // If a late response has settled an unknown run again in the meantime, the new outcome is trimmed later.
  await sql`
    with trimmed (id, status, outcome) as (values ${sql.join(trimmed)})
    update run set outcome = trimmed.outcome, response_url_jwe = null, trimmed_at = ${nowMs}
    from trimmed where run.id = trimmed.id and run.status = trimmed.status`.execute(db);
  return rows.length;
}

function trimOutcome(outcome: string | null, operation: Operation | undefined): string | null {
  if (outcome === null || !operation) return outcome;
  try {
    return trimResult(JSON.parse(outcome), outcome, operation);
  } catch {
    // An outcome that is damaged or from a newer version must not prevent other outcomes from being
    // trimmed.
    return operation.kind === 'change' ? outcome.replaceAll(mailAddress, deletedAddress) : null;
  }
}

function trimResult(result: RunResult, outcome: string, operation: Operation): string | null {
  if (result.kind === 'problem') return outcome;
  if (operation.kind === 'change') return removeMailAddresses(result);
  if (operation.kind === 'read') return null;
  const trimmed: RunResult = { kind: 'outcome', outcome: { title: result.outcome.title } };
  return JSON.stringify(trimmed);
}

const deletedAddress = '(address deleted)';

const mailAddress = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;

/** Removes email addresses from a result. Keeps the title, because the hash chain covers it. */
function removeMailAddresses({ kind, outcome }: Extract<RunResult, { kind: 'outcome' }>): string {
  const { title, ...details } = outcome;
  const kept = JSON.parse(JSON.stringify(details).replaceAll(mailAddress, deletedAddress));
  return JSON.stringify({ kind, outcome: { title, ...kept } });
}
