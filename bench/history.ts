import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { loadFullCatalogue } from '../scripts/load-full-catalogue.ts';
import { hasText, isUnsuccessful } from '../src/audit/audit-entry.ts';
import { type AuditStore, createAuditStore } from '../src/audit/audit-store.ts';
import { createVpsFilter, toVpsQuery } from '../src/audit/audit-visibility.ts';
import { createAuditChain } from '../src/audit/chain/audit-chain.ts';
import { type KindFilter, toLogKinds } from '../src/audit/entry-kind.ts';
import { findAuditPage } from '../src/audit/history/find-audit-page.ts';
import { createRetention } from '../src/audit/retention.ts';
import { openDatabase } from '../src/db/engines/database.ts';
import { createSystemClock } from '../src/jobs/clock.ts';
import { median, printTable } from './statistics.ts';

/** A year with a run every half minute, of 100 workspaces. One of them has half of the runs. */
const runCount = 1_000_000;
const workspaceCount = 100;
const largeTeamId = 'LARGE';
const pageCount = 20;
/** How many of the runs are older than a year. */
const expiredCount = 10_000;

interface Filters {
  /** Without one, reads are left out. */
  readonly kind?: KindFilter;
  readonly userId?: string;
  readonly vps?: string;
  readonly isFailedOnly?: boolean;
  readonly text?: string;
}

const pages: Readonly<Record<string, Filters>> = {
  everything: { kind: 'all' },
  'without reads': {},
  'a person, without reads': { userId: 'U3' },
  'a VPS, without reads': { vps: 'VPS-10042' },
  unsuccessful: { isFailedOnly: true },
  'a text': { text: 'VPS-10042' },
  'a text that none contains': { text: 'acme' },
};

/** Measures pages of the activity log, and its retention, after a year of runs on SQLite. */
export async function benchHistory(): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'rackhand-bench-'));
  const file = join(directory, 'history.db');
  const nowMs = Date.now();
  await (await openDatabase(`sqlite:${file}`)).close();
  seed(file, nowMs);
  const { db, close } = await openDatabase(`sqlite:${file}`);
  const store = createAuditStore(db);
  const rows: string[][] = [];
  for (const [label, filters] of Object.entries(pages)) {
    const [large, small] = [
      await timePages(store, largeTeamId, filters, nowMs),
      await timePages(store, 'T1', filters, nowMs),
    ];
    rows.push([label, ...[large, small].flatMap(format)]);
  }
  const steps = await timeRetention(store);
  await close();
  rmSync(directory, { recursive: true });
  console.log(`\nActivity log of a year: ${runCount} runs of ${workspaceCount} workspaces on SQLite`);
  printTable(['a page of', 'half of all runs: median, ms', 'longest', 'others: median', 'longest'], rows);
  console.log(`A step of retention: ${format(steps).join(' ms at the median, ')} ms at most`);
}

function format(times: readonly number[]): [string, string] {
  return [median(times).toFixed(1), Math.max(...times).toFixed(1)];
}

async function timePages(
  store: AuditStore,
  teamId: string,
  { kind, userId, vps, isFailedOnly = false, text }: Filters,
  nowMs: number,
): Promise<readonly number[]> {
  const catalogue = await loadFullCatalogue();
  const kinds = toLogKinds(kind);
  const isAboutVps = vps === undefined ? () => true : createVpsFilter(vps, catalogue);
  const times: number[] = [];
  for (let index = 0; index < pageCount; index += 1) {
    const startedMs = performance.now();
    await findAuditPage(
      store,
      {
        teamId,
        untilMs: nowMs,
        kinds,
        ...(userId !== undefined && { userId }),
        ...(vps !== undefined && { vps: toVpsQuery(vps, catalogue) }),
        ...(isFailedOnly && { isUnsuccessful: true }),
        ...(text !== undefined && { text }),
      },
      (run) =>
        (text === undefined || hasText(run, text)) &&
        (!isFailedOnly || isUnsuccessful(run)) &&
        kinds.includes(run.logKind) &&
        isAboutVps(run),
    );
    times.push(performance.now() - startedMs);
  }
  return times;
}

/** Deletes what has expired. Returns how long each step kept the event loop. */
async function timeRetention(store: AuditStore): Promise<readonly number[]> {
  const times: number[] = [];
  const deleteBefore: AuditStore['deleteBefore'] = async (...args) => {
    await yieldToEventLoop();
    const startedMs = performance.now();
    const stall = yieldToEventLoop().then(() => times.push(performance.now() - startedMs));
    const deleted = await store.deleteBefore(...args);
    await stall;
    return deleted;
  };
  const chain = createAuditChain('bench');
  const retention = createRetention({ store: { deleteBefore }, chain, days: 365, log: { info() {} } });
  await retention.run({ clock: createSystemClock(), signal: new AbortController().signal });
  return times;
}

/** Inserts the runs: one every half minute, the oldest expired. */
function seed(file: string, nowMs: number): void {
  const database = new DatabaseSync(file);
  database.exec('PRAGMA synchronous = OFF');
  // The IDs have an order unlike that of the times.
  database.exec(`insert into run (id, request_key, team_id, user_id, operation, log_kind, input, target, origin, status,
      outcome, error_code, requested_at, queued_at, settled_at)
    with recursive counter(n) as (
      select 0 union all select n + 1 from counter where n + 1 < ${runCount}
    ), numbered as (
      select n, 'VPS-' || (10000 + (n / ${workspaceCount}) % 100) as vps,
        case when n % 2 = 0 then '${largeTeamId}' else 'T' || (n / 2 % ${workspaceCount}) end as team,
        case when n / 2 % 20 = 0 then 'reboot' when n / 2 % 20 = 5 then 'history'
          when n / 2 % 3 = 0 then 'help' else 'show' end as operation,
        n / 2 % 20 = 7 as is_typo,
        case when n < ${expiredCount} then 0 else ${nowMs} - (${runCount} - n) * 30000 end as at
      from counter
    )
    select printf('%08x-%d', (n * 2654435761) & 4294967295, n), 'key-' || n, team, 'U' || (n % 7), operation,
      case when operation in ('help', 'show', 'history') then 'reads' else 'changes' end,
      case when operation in ('help', 'history') then '{}' else json_object('vps', vps) end,
      case when operation in ('help', 'history') then null else vps end, '{"kind":"command","channel":"C1"}',
      case when is_typo then 'refused' else 'done' end,
      case when is_typo then '{"kind":"problem","problem":{"message":"A typo"}}'
        else '{"kind":"outcome","outcome":{"title":"VPS"}}' end,
      case when is_typo then 'input_invalid' end, at, at, at
    from numbered`);
  database.close();
}
