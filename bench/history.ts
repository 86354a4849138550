import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import pg from 'pg';
import { loadFullCatalogue } from '../scripts/load-full-catalogue.ts';
import { hasText, isUnsuccessful } from '../src/audit/audit-entry.ts';
import type { AuditQuery } from '../src/audit/audit-query.ts';
import { createAuditStore } from '../src/audit/audit-store.ts';
import { createVpsFilter, toVpsQuery } from '../src/audit/audit-visibility.ts';
import { createAuditChain } from '../src/audit/chain/audit-chain.ts';
import { createKindFilter, type KindFilter, toKindQuery } from '../src/audit/entry-kind.ts';
import { findAuditPage } from '../src/audit/history/find-audit-page.ts';
import { createRetention } from '../src/audit/retention.ts';
import { openDatabase } from '../src/db/engines/database.ts';
import { createSystemClock } from '../src/jobs/clock.ts';
import { startPostgres } from '../test/services/postgres.ts';
import { recordReached } from './aims.ts';
import { median, printTable } from './statistics.ts';

const runCount = 1_000_000;
/** One workspace has half of the runs. These share the others. */
const workspaceCount = 1_000;
const largeTeamId = 'LARGE';
/** A quarter of the runs, and nearly all of them reads. */
const readingTeamId = 'READS';
const pageCount = 20;
/** How many of the runs are expired. */
const expiredCount = 10_000;
/** The steps of retention are measured in this many rounds, one after the other. */
const retentionRounds = 5;

interface Filters {
  /** Without one, reads are left out. */
  readonly kind?: KindFilter;
  readonly userId?: string;
  readonly vps?: string;
  readonly isFailedOnly?: boolean;
  readonly text?: string;
}

/** Measures the activity log with a million runs, on both databases. */
export async function benchHistory(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const file = join(directory, 'history.db');
  const sqlite = await measure({
    name: 'SQLite',
    url: `sqlite:${file}`,
    seed: async (nowMs) => seedSqlite(file, nowMs),
  });
  rmSync(directory, { recursive: true });
  const { url, stop } = await startPostgres();
  const postgres = await measure({ name: 'PostgreSQL', url, seed: (nowMs) => seedPostgres(url, nowMs) });
  await stop();
  recordReached('historyMs', Math.max(sqlite.slowestPageMs, postgres.slowestPageMs));
  recordReached('retentionMs', Math.max(sqlite.longestStepMs, postgres.longestStepMs));
}

interface MeasuredDatabase {
  readonly name: string;
  readonly url: string;
  /** Fills the table of runs. */
  readonly seed: (nowMs: number) => Promise<void>;
}

interface HistoryFigures {
  /** The median of the filter that takes longest. */
  readonly slowestPageMs: number;
  /** The median of the rounds. */
  readonly longestStepMs: number;
}

async function measure({ name: databaseName, url, seed }: MeasuredDatabase): Promise<HistoryFigures> {
  const nowMs = Date.now();
  await (await openDatabase(url)).close();
  await seed(nowMs);
  const { db, close } = await openDatabase(url);
  const store = createAuditStore(db);
  const rows: string[][] = [];
  const medians: number[] = [];

  const catalogue = await loadFullCatalogue();
  const pages = async (label: string, teamId: string | undefined, filters: Filters) => {
    const { kind, userId, vps, isFailedOnly = false, text } = filters;
    const isOfKind = createKindFilter(kind, catalogue);
    const isAboutVps = vps === undefined ? () => true : createVpsFilter(vps, catalogue);
    const ms: number[] = [];
    let entries = 0;
    for (let index = 0; index < pageCount; index += 1) {
      const query: AuditQuery = {
        teamId: teamId ?? `T${index}`,
        untilMs: nowMs,
        kind: toKindQuery(kind, catalogue),
        ...(userId !== undefined && { userId }),
        ...(vps !== undefined && { vps: toVpsQuery(vps, catalogue) }),
        ...(isFailedOnly && { isUnsuccessful: true }),
        ...(text !== undefined && { text }),
      };
      const startedMs = performance.now();
      const page = await findAuditPage(
        store,
        query,
        (run) =>
          (text === undefined || hasText(run, text)) &&
          (!isFailedOnly || isUnsuccessful(run)) &&
          isOfKind(run) &&
          isAboutVps(run),
      );
      ms.push(performance.now() - startedMs);
      entries += page.entries.length;
    }
    medians.push(median(ms));
    rows.push([label, median(ms).toFixed(1), Math.max(...ms).toFixed(1), (entries / pageCount).toFixed(0)]);
  };
  const vps = 'VPS-10042';
  await pages('a small workspace, everything', undefined, { kind: 'all' });
  await pages('a small workspace, without reads', undefined, {});
  await pages('a small workspace, a VPS', undefined, { vps, kind: 'all' });
  await pages('a small workspace, unsuccessful runs', undefined, { isFailedOnly: true });
  for (const [teamId, name] of [
    [largeTeamId, 'half of all runs, 5 % changes'],
    [readingTeamId, 'a quarter of all runs, one change'],
  ] as const) {
    await pages(`${name}: everything`, teamId, { kind: 'all' });
    await pages(`${name}: without reads`, teamId, {});
    await pages(`${name}: changes`, teamId, { kind: 'changes' });
    await pages(`${name}: reads`, teamId, { kind: 'reads' });
    await pages(`${name}: settings`, teamId, { kind: 'settings' });
    await pages(`${name}: a person, everything`, teamId, { userId: 'U3', kind: 'all' });
    await pages(`${name}: a person, without reads`, teamId, { userId: 'U3' });
    await pages(`${name}: a VPS, everything`, teamId, { vps, kind: 'all' });
    await pages(`${name}: a VPS, without reads`, teamId, { vps });
    await pages(`${name}: a VPS and a person, without reads`, teamId, { vps, userId: 'U3' });
    await pages(`${name}: unsuccessful, of everything`, teamId, { isFailedOnly: true, kind: 'all' });
    await pages(`${name}: unsuccessful, without reads`, teamId, { isFailedOnly: true });
    await pages(`${name}: a text`, teamId, { text: 'VPS-10042' });
    await pages(`${name}: a text that none contains`, teamId, { text: 'acme' });
    await pages(`${name}: a person, unsuccessful`, teamId, { userId: 'U3', isFailedOnly: true });
  }

  const steps: number[] = [];
  const timed: typeof store.deleteBefore = async (...args) => {
    await yieldToEventLoop();
    const startedMs = performance.now();
    const stall = yieldToEventLoop().then(() => steps.push(performance.now() - startedMs));
    const deleted = await store.deleteBefore(...args);
    await stall;
    return deleted;
  };
  const retention = createRetention({
    store: { deleteBefore: timed },
    chain: createAuditChain('bench'),
    days: 365,
    log: { info() {} },
  });
  const clock = createSystemClock();
  await retention.run({ clock, signal: new AbortController().signal });
  const roundSize = Math.ceil(steps.length / retentionRounds);
  const longestSteps = Array.from({ length: retentionRounds }, (_, round) =>
    Math.max(...steps.slice(round * roundSize, (round + 1) * roundSize)),
  );
  rows.push(['a step of retention', median(steps).toFixed(1), Math.max(...steps).toFixed(1), '']);
  rows.push([
    `the longest step of ${retentionRounds} rounds`,
    median(longestSteps).toFixed(1),
    Math.max(...longestSteps).toFixed(1),
    '',
  ]);
  await close();
  console.log(`\nActivity log: ${runCount} runs of ${workspaceCount + 1} workspaces on ${databaseName}`);
  printTable(['', 'median, ms', 'longest, ms', 'entries'], rows);
  return { slowestPageMs: Math.max(...medians), longestStepMs: median(longestSteps) };
}

function seedSqlite(file: string, nowMs: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  database.exec(
    createSeedStatement(nowMs, {
      id: `printf('%08x-%d', (n * 2654435761) & 4294967295, n)`,
      input: `json_object('vps', vps)`,
    }),
  );
  database.close();
}

async function seedPostgres(url: string, nowMs: number): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query(
    createSeedStatement(nowMs, {
      id: `lpad(to_hex((n * 2654435761) & 4294967295), 8, '0') || '-' || n`,
      input: `json_build_object('vps', vps)::text`,
    }),
  );
  // Autovacuum would do this after so many new rows.
  await client.query('analyze run');
  await client.end();
}

/** Expressions that differ between databases. */
interface SeedExpressions {
  /** A unique ID in an order unlike that of the times. */
  readonly id: string;
  readonly input: string;
}

/** Returns a statement that inserts the runs: one every ten seconds, the oldest expired. */
function createSeedStatement(nowMs: number, { id, input }: SeedExpressions): string {
  // Numbers that are bound to a statement would be floating-point numbers.
  return `insert into run (id, request_key, team_id, user_id, operation, input, target, origin, status,
      outcome, error_code, requested_at, queued_at, settled_at)
    with recursive counter(n) as (
      select cast(0 as bigint) union all select n + 1 from counter where n + 1 < ${runCount}
    ), numbered as (
      select n, 'VPS-' || (10000 + (n / ${workspaceCount}) % 100) as vps,
        case when n % 2 = 0 then '${largeTeamId}' when n % 4 = 1 then '${readingTeamId}'
          else 'T' || (n / 4 % ${workspaceCount}) end as team,
        case when n = ${expiredCount + 3} or n % 4 <> 1 and n / 2 % 20 = 0 then 'reboot' when n / 2 % 20 = 5 then 'history'
          when n / 2 % 3 = 0 then 'help' else 'show' end as operation,
        n / 2 % 20 = 7 as is_typo,
        case when n < ${expiredCount} then 0 else ${nowMs} - (${runCount} - n) * 10000 end as at
      from counter
    )
    select ${id}, 'key-' || n, team, 'U' || (n % 7), operation,
      case when operation in ('help', 'history') then '{}' else ${input} end,
      case when operation in ('help', 'history') then null else vps end, '{"kind":"command","channel":"C1"}',
      case when is_typo then 'refused' else 'done' end,
      case when is_typo then '{"kind":"problem","problem":{"message":"A typo"}}'
        else '{"kind":"outcome","outcome":{"title":"VPS"}}' end,
      case when is_typo then 'input_invalid' end, at, at, at
    from numbered`;
}

if (import.meta.main) await benchHistory();
