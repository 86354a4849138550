import type { Database } from '../../db/engines/database.ts';
import type { RunRow } from '../../db/schema/schema.ts';
import type { AuditChainTable } from '../../db/schema/security-tables.ts';
import type { AuditChain } from './audit-chain.ts';
import { digestEntry, digestSummary } from './entry-digest.ts';

export type ChainProblemKind =
  /** The entry differs from the entry that was sealed. */
  | 'changed'
  /** The entry was deleted without a tombstone. */
  | 'missing'
  /** The entry has no link, or its link was added long after the time at which the entry claims to have ended. */
  | 'inserted'
  /** A link was changed, deleted or added. */
  | 'broken chain'
  | 'forged tombstone';

export interface ChainProblem {
  readonly teamId: string;
  /** Null if the entry has no link. */
  readonly seq: number | null;
  readonly runId: string;
  readonly kind: ChainProblemKind;
}

/** The newest link in a workspace's chain. To detect a truncated chain, compare it with an earlier one. */
export interface ChainHead {
  readonly teamId: string;
  readonly seq: number;
  readonly hash: string;
  /** How many of the workspace's entries were erased on purpose. */
  readonly erased: number;
}

export interface ChainReport {
  readonly heads: readonly ChainHead[];
  readonly problems: readonly ChainProblem[];
  /** The number of settled runs that haven't been sealed yet. */
  readonly unsealed: number;
}

const pageSize = 500;

/**
 * Maximum time (ms) from a run's end to its sealing, which happens every minute. A run that settled longer
 * than this before the previous link was sealed counts as inserted.
 */
const maxSealDelayMs = 10 * 60_000;

/** Compares every entry of the activity log with the hash chain. */
export async function verifyChain(db: Database, chain: AuditChain): Promise<ChainReport> {
  const teams = await db.selectFrom('audit_chain').select('team_id').distinct().orderBy('team_id').execute();
  const heads: ChainHead[] = [];
  const problems: ChainProblem[] = [];
  for (const { team_id: teamId } of teams) {
    let previous: AuditChainTable | undefined;
    let erased = 0;
    for await (const link of readLinks(db, teamId)) {
      const kind = await findProblem(db, chain, link, previous);
      if (kind) problems.push({ teamId, seq: link.seq, runId: link.run_id, kind });
      if (link.tombstone !== null) erased += 1;
      previous = link;
    }
    if (previous) heads.push({ teamId, seq: previous.seq, hash: previous.hash, erased });
  }
  return { heads, problems: [...problems, ...(await findUnlinked(db))], unsealed: await countUnsealed(db) };
}

async function* readLinks(db: Database, teamId: string): AsyncGenerator<AuditChainTable> {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('audit_chain')
      .selectAll()
      .where('team_id', '=', teamId)
      .where('seq', '>', after)
      .orderBy('seq')
      .limit(pageSize)
      .execute();
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < pageSize) return;
    after = last.seq;
  }
}

async function findProblem(
  db: Database,
  chain: AuditChain,
  link: AuditChainTable,
  previous: AuditChainTable | undefined,
): Promise<ChainProblemKind | undefined> {
  const isNext = link.seq === (previous?.seq ?? 0) + 1;
  if (!isNext || chain.hashLink(link, previous?.hash ?? '') !== link.hash) return 'broken chain';
  const tombstone = chain.readTombstone(link);
  if (tombstone === 'forged') return 'forged tombstone';
  const run = await db.selectFrom('run').selectAll().where('id', '=', link.run_id).executeTakeFirst();
  if (tombstone) return (run ? digestEntry(run) : null) === tombstone.digest ? undefined : 'changed';
  if (!run) return 'missing';
  if (run.status !== link.status && (await hasLaterLink(db, link))) return undefined;
  if (digestEntry(run) !== link.digest) return 'changed';
  const summary = digestSummary(run);
  if (summary !== null && summary !== link.summary_digest) return 'changed';
  return wasInserted(run, link, previous) ? 'inserted' : undefined;
}

/**
 * Returns whether a run has another link later in the chain. A late response can settle an unknown run
 * again, which adds a second link.
 */
async function hasLaterLink(db: Database, { team_id, run_id, seq }: AuditChainTable): Promise<boolean> {
  const later = await db
    .selectFrom('audit_chain')
    .select('seq')
    .where('team_id', '=', team_id)
    .where('run_id', '=', run_id)
    .where('seq', '>', seq)
    .executeTakeFirst();
  return later !== undefined;
}

function wasInserted(
  { settled_at }: RunRow,
  { sealed_at }: AuditChainTable,
  previous: AuditChainTable | undefined,
): boolean {
  if (!previous || settled_at === null || previous.sealed_at === sealed_at) return false;
  return settled_at < previous.sealed_at - maxSealDelayMs;
}

/** Finds entries that claim to be sealed but have no link. */
async function findUnlinked(db: Database): Promise<readonly ChainProblem[]> {
  const rows = await db
    .selectFrom('run')
    .leftJoin('audit_chain', 'audit_chain.run_id', 'run.id')
    .select(['run.id', 'run.team_id'])
    .where('run.sealed_at', 'is not', null)
    .where('audit_chain.seq', 'is', null)
    .execute();
  return rows.map(({ id, team_id }) => ({ teamId: team_id, seq: null, runId: id, kind: 'inserted' }));
}

async function countUnsealed(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('run')
    .select((row) => row.fn.countAll<number | string>().as('count'))
    .where('settled_at', 'is not', null)
    .where('sealed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}
