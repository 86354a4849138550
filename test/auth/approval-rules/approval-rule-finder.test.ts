import { expect, test } from 'vitest';
import {
  createApprovalRuleFinder,
  createReasonRuleFinder,
} from '../../../src/auth/approval-rules/approval-rule-finder.ts';
import {
  type ApprovalRule,
  createApprovalRuleStore,
} from '../../../src/auth/approval-rules/approval-rule-store.ts';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import type { Operation } from '../../../src/operations/define/operation.ts';
import { createActionOperation } from '../../../src/operations/vps/action.ts';
import { lbCreate } from '../../../src/operations/webgate/create-load-balancer.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createRun } from '../../runs/create-run.ts';

const vpsAction = createActionOperation(['start']);

const database = useTestDatabase(startSqlite);

/** Returns the rule for a load balancer with these VPS as backends. */
function findRule(pattern: string, ...vps: readonly string[]) {
  const backends = vps.map((name) => `${name}:80`);
  return findRuleFor(
    lbCreate,
    { domain_name: 'app.example.com', backends },
    { subject: 'change', vps: pattern },
  );
}

/** Returns the rule for an operation, if the workspace has only this one. */
async function findRuleFor(
  operation: Operation,
  input: RawInput,
  rule: Pick<ApprovalRule, 'subject' | 'vps'>,
) {
  const store = createApprovalRuleStore(database.db);
  const run = createRun({ operation: operation.name });
  await store.add(run.actor, { ...rule, needs: 'approval', channel: 'C2', userGroup: null }, 1);
  const parsed = parseInput(operation, input);
  if (operation.kind !== 'change' || parsed.kind !== 'valid') throw new Error('the input is not valid');
  return createApprovalRuleFinder(store)({ run, operation, parsed });
}

test('a rule on any of several VPS requires approval, and a rule on another one does not', async () => {
  expect(await findRule('VPS-10003', 'VPS-10001', 'VPS-10002')).toBeUndefined();
  expect(await findRule('VPS-10002', 'VPS-10001', 'VPS-10002')).toEqual({ channel: 'C2' });
});

test.each(['reset_password', 'password-reset', 'RESET_PASSWORD'])(
  'a rule on an operation also covers the action %s, which does the same',
  async (action) => {
    const rule = { subject: 'password reset', vps: '*' };
    expect(await findRuleFor(vpsAction, { vps: 'VPS-10001', action }, rule)).toEqual({ channel: 'C2' });
    expect(await findRuleFor(vpsAction, { vps: 'VPS-10001', action: 'start' }, rule)).toBeUndefined();
  },
);

test('a reason is required only by a rule on reasons that covers the operation and the VPS', async () => {
  const store = createApprovalRuleStore(database.db);
  const operation = vpsAction;
  if (operation.kind !== 'change') throw new Error('the operation changes nothing');
  const { actor } = createRun({ operation: operation.name });
  const isRequired = (vps: string) =>
    createReasonRuleFinder(store)(actor.teamId, operation, { vps, action: 'start' });
  const rule = { subject: 'change', channel: null, userGroup: null };
  await store.add(actor, { ...rule, needs: 'approval', vps: '*' }, 1);
  expect(await isRequired('VPS-10001')).toBe(false);
  await store.add(actor, { ...rule, needs: 'reason', vps: 'VPS-10002' }, 1);
  expect(await isRequired('VPS-10001')).toBe(false);
  expect(await isRequired('VPS-10002')).toBe(true);
});
