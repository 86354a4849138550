import { afterEach, beforeEach, expect, test } from 'vitest';
import { createApprovalRuleStore } from '../../../src/auth/approval-rules/approval-rule-store.ts';
import { createApprovalRuleFinder } from '../../../src/auth/approval-rules/find-approval-rule.ts';
import { type OpenDatabase, openDatabase } from '../../../src/db/engines/database.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { lbCreate } from '../../../src/operations/webgate/create-load-balancer.ts';
import { createRun } from '../../runs/create-run.ts';

let database: OpenDatabase;

beforeEach(async () => {
  database = await openDatabase('sqlite::memory:');
});

afterEach(() => database.close());

/** Returns the rule for a load balancer with these VPS as backends. */
async function findRule(pattern: string, ...vps: readonly string[]) {
  const store = createApprovalRuleStore(database.db);
  const run = createRun({ operation: 'lb create' });
  await store.add(run.actor, { subject: 'change', vps: pattern, channel: 'C2' }, 1);
  const backends = vps.map((name) => `${name}:80`);
  const parsed = parseInput(lbCreate, { domain_name: 'app.example.com', backends });
  if (lbCreate.kind !== 'change' || parsed.kind !== 'valid') throw new Error('the input is not valid');
  return createApprovalRuleFinder(store)({ run, operation: lbCreate, parsed });
}

test.each([
  ['the first', ['VPS-10001', 'VPS-10002']],
  ['the last', ['VPS-10002', 'VPS-10001']],
])('a rule on %s of several VPS requires approval', async (_, vps) => {
  expect(await findRule('VPS-10001', ...vps)).toEqual({ channel: 'C2' });
});

test('a rule on another VPS requires none', async () => {
  expect(await findRule('VPS-10003', 'VPS-10001', 'VPS-10002')).toBeUndefined();
});
