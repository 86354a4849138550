import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { type AuditQuery, createAuditStore } from '../src/audit/audit-store.ts';
import { createAuditChain } from '../src/audit/chain/audit-chain.ts';
import { findAuditPage } from '../src/audit/history/find-audit-page.ts';
import { createRetention } from '../src/audit/retention.ts';
import { openDatabase } from '../src/db/engines/database.ts';
import { createSystemClock } from '../src/jobs/clock.ts';
import { median, printTable } from './statistics.ts';

const runCount = 1_000_000;
/** One workspace has half of the runs. These share the others. */
const workspaceCount = 1_000;
const largeTeamId = 'LARGE';
const pageCount = 20;
/** How many of the runs are expired. */
const expiredCount = 2_000;

/** Measures the activity log of SQLite with a million runs. */
export async function benchHistory(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const file = join(directory, 'history.db');
  const nowMs = Date.now();
  await (await openDatabase(`sqlite:${file}`)).close();
  seedRuns(file, nowMs);
  const { db, close } = await openDatabase(`sqlite:${file}`);
  const store = createAuditStore(db);
  const rows: string[][] = [];

  const pages = async (
    label: string,
    matches: Parameters<typeof findAuditPage>[2],
    narrowed: Pick<AuditQuery, 'vps' | 'isUnsuccessful'> = {},
    toTeamId = (index: number) => `T${index}`,
  ) => {
    const ms: number[] = [];
    let entries = 0;
    for (let index = 0; index < pageCount; index += 1) {
      const startedMs = performance.now();
      const page = await findAuditPage(store, { teamId: toTeamId(index), ...narrowed }, matches);
      ms.push(performance.now() - startedMs);
      entries += page.entries.length;
    }
    rows.push([label, median(ms).toFixed(1), Math.max(...ms).toFixed(1), (entries / pageCount).toFixed(0)]);
  };
  await pages('first page', () => true);
  const vps = 'VPS-10042';
  const byVps = { vps, operations: ['show', 'reboot'], withOtherTarget: ['lb create'] };
  const ofLargeTeam = () => largeTeamId;
  await pages('first page of one VPS of 100', ({ target }) => target === vps, { vps: byVps });
  await pages(
    'the same in a workspace with half of all runs',
    ({ target }) => target === vps,
    { vps: byVps },
    ofLargeTeam,
  );
  await pages(
    'first page of changes there, 5 % of its runs',
    ({ operation }) => operation === 'reboot',
    {},
    ofLargeTeam,
  );
  await pages('first page of unsuccessful runs, of which there are none', () => true, {
    isUnsuccessful: true,
  });

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
  rows.push(['a step of retention', median(steps).toFixed(1), Math.max(...steps).toFixed(1), '']);
  await close();
  rmSync(directory, { recursive: true });
  console.log(`\nActivity log: ${runCount} runs of ${workspaceCount + 1} workspaces on SQLite`);
  printTable(['', 'median, ms', 'longest, ms', 'entries'], rows);
}

/** Fills the table of runs: one each half a minute, the oldest expired. */
function seedRuns(file: string, nowMs: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  // Numbers that are bound to a statement would be floating-point numbers.
  database.exec(
    `insert into run (id, request_key, team_id, user_id, operation, input, target, origin, status,
      outcome, requested_at, queued_at, settled_at)
    with recursive counter(n) as (
      select 0 union all select n + 1 from counter where n + 1 < ${runCount}
    ), numbered as (
      select n, 'VPS-' || (10000 + (n / ${workspaceCount}) % 100) as vps,
        case when n % 2 = 0 then '${largeTeamId}' else 'T' || (n / 2 % ${workspaceCount}) end as team,
        case when n / 2 % 20 = 0 then 'reboot' when n / 2 % 3 = 0 then 'help' else 'show' end as operation,
        case when n < ${expiredCount} then 0 else ${nowMs} - (${runCount} - n) * 10000 end as at
      from counter
    )
    select printf('%08x-%d', (n * 2654435761) & 4294967295, n), 'key-' || n, team, 'U' || (n % 7), operation,
      json_object('vps', vps), case operation when 'help' then null else vps end, '{"kind":"command","channel":"C1"}', 'done',
      '{"kind":"outcome","outcome":{"title":"VPS"}}', at, at, at
    from numbered`,
  );
  database.close();
}

if (import.meta.main) await benchHistory();
