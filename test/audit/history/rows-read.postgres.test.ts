import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { loadFullCatalogue } from '../../../scripts/load-full-catalogue.ts';
import type { AuditQuery } from '../../../src/audit/audit-query.ts';
import { createAuditStore } from '../../../src/audit/audit-store.ts';
import { toVpsQuery } from '../../../src/audit/audit-visibility.ts';
import { toKindQuery } from '../../../src/audit/entry-kind.ts';
import { openDatabase } from '../../../src/db/engines/database.ts';
import { createPostgresDatabase } from '../../services/postgres.ts';

const pageSize = 25;

interface PlanNode {
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.object({
  'Actual Rows': z.number(),
  'Actual Loops': z.number(),
  'Rows Removed by Filter': z.number().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});

const explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planNode })]) });

/** Returns the largest number of rows that one step of a plan looked at. */
function countRows(node: PlanNode): number {
  const { 'Actual Rows': kept, 'Actual Loops': loops, 'Rows Removed by Filter': removed = 0 } = node;
  return Math.max((kept + removed) * loops, ...(node.Plans ?? []).map(countRows));
}

test('a page of one VPS reads few rows, also if many runs have no target', async () => {
  const database = await createPostgresDatabase();
  onTestFinished(() => database.stop());
  const { db, close } = await openDatabase(database.url);
  onTestFinished(close);
  await sql`
    insert into run (id, request_key, team_id, user_id, operation, input, target, origin, status, requested_at,
      queued_at, settled_at)
    select 'run-' || n, 'key-' || n, 'T1', 'U' || n % 7,
      case n % 5 when 0 then 'reboot' when 1 then 'help' when 2 then 'history' else 'show' end, '{}',
      case when n % 5 in (1, 2) then null else 'VPS-' || n / 5 % 100 end, '{"kind":"command"}', 'done', n, n, n
    from generate_series(1, 20000) as n`.execute(db);
  await sql`analyze run`.execute(db);

  const catalogue = await loadFullCatalogue();
  const vps = toVpsQuery('VPS-42', catalogue);
  const queries: Readonly<Record<string, Omit<AuditQuery, 'teamId'>>> = {
    everything: { vps },
    'without reads': { vps, kind: toKindQuery(undefined, catalogue) },
    'reads of a person': { vps, kind: toKindQuery('reads', catalogue), userId: 'U3' },
  };
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const rowCounts: Record<string, number> = {};
  for (const [name, one] of Object.entries(queries)) {
    query.mockClear();
    const options = { direction: 'older', limit: pageSize } as const;
    const { entries } = await createAuditStore(db)
      .search({ teamId: 'T1', ...one })
      .read(options);
    expect(entries.length, name).toBeGreaterThan(10);
    const [statement, values] = query.mock.lastCall as unknown as [string, unknown[]];
    const { rows } = await client.query(`explain (analyze, format json) ${statement}`, values);
    rowCounts[name] = countRows(explained.parse(rows[0])['QUERY PLAN'][0].Plan);
  }
  // A VPS has about 120 of the 20,000 runs, and 8,000 have no target.
  for (const [name, count] of Object.entries(rowCounts)) expect(count, name).toBeLessThanOrEqual(500);
});
