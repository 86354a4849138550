import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { createPostgresDatabase } from '../../services/postgres.ts';
import { isAcceptedScan, smallIndexes } from './accepted-scans.ts';
import { growingTables, runCount } from './large-tables.ts';
import { type RecordedStatements, useLargeDatabase } from './query-plans-fixture.ts';

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Plan Rows': number;
  readonly 'Relation Name'?: string | undefined;
  readonly 'Index Name'?: string | undefined;
  readonly 'Index Cond'?: string | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
}

const planNode: z.ZodType<PlanNode> = z.object({
  'Node Type': z.string(),
  'Plan Rows': z.number(),
  'Relation Name': z.string().optional(),
  'Index Name': z.string().optional(),
  'Index Cond': z.string().optional(),
  get Plans() {
    return z.array(planNode).optional();
  },
});

const explained = z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: planNode })]) });

/** Records every statement that runs, with the values that it had first. */
function recordStatements(): RecordedStatements {
  const seen: RecordedStatements = new Map();
  const original = pg.Client.prototype.query;
  vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...args) {
    const [statement, values] = args as unknown[];
    if (typeof statement === 'string' && !seen.has(statement))
      seen.set(statement, Array.isArray(values) ? values : []);
    return Reflect.apply(original, this, args);
  });
  return seen;
}

function listNodes(node: PlanNode): readonly PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)];
}

/** Returns whether a node reads all rows of a growing table, or all entries of an index of it. */
function scansGrowingTable(node: PlanNode): boolean {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index = '' } = node;
  const readsAll = type === 'Seq Scan' || (/^Index/.test(type) && node['Index Cond'] === undefined);
  return readsAll && growingTables.includes(table) && !smallIndexes.includes(index);
}

test('no query of a command, a click or a background job reads all rows of a growing table', async () => {
  const database = await createPostgresDatabase();
  onTestFinished(() => database.stop());
  onTestFinished(() => void vi.restoreAllMocks());
  const statements = await useLargeDatabase(database.url, recordStatements);
  vi.restoreAllMocks();
  const client = new pg.Client(database.url);
  await client.connect();
  onTestFinished(() => client.end());
  const plan = async (statement: string, values: readonly unknown[] = []) => {
    const { rows } = await client.query(`explain (format json) ${statement}`, [...values]);
    return explained.parse(rows[0])['QUERY PLAN'][0].Plan;
  };
  await client.query('analyze');
  // The planner chooses as if there were 1,000,000 runs, and as many times more of the other rows.
  const update = 'update pg_class set reltuples = reltuples * $1::real where relname = any($2)';
  await client.query(update, [1_000_000 / runCount, growingTables]);
  expect(await plan('select * from run')).toMatchObject({ 'Plan Rows': expect.closeTo(1_000_000, -5) });
  const scans: string[] = [];
  for (const [statement, values] of statements) {
    for (const node of listNodes(await plan(statement, values)))
      if (scansGrowingTable(node) && !isAcceptedScan(statement))
        scans.push(`${node['Node Type']} ${node['Relation Name']} ${node['Index Name']}: ${statement}`);
  }
  expect(scans).toEqual([]);
});
