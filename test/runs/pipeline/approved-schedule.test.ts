import { expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** Reboots a VPS as a schedule does at its time. */
async function reboot(
  findApprovalRule: RunnerDependencies['findApprovalRule'],
  scheduleApproverId: string | undefined,
) {
  const runner = fixture.createRunner({ findApprovalRule });
  const operation = hostingOperations().find('reboot');
  if (!operation) throw new Error('there is no reboot');
  await runner.runScheduled({
    requestKey: 'nightly',
    operation,
    parsed: parseInput(operation, { vps: 'VPS-10001' }),
    actor,
    origin: { channel: 'C1' },
    scheduleApproverId,
  });
  const { id } = await fixture.database.db.selectFrom('run').select('id').executeTakeFirstOrThrow();
  return fixture.waitUntilSettled(id);
}

const rule = async () => ({ channel: 'C2' });

test('a scheduled change that needs approval is refused if its schedule was not approved', async () => {
  expect(await reboot(rule, undefined)).toMatchObject({
    status: 'refused',
    result: { problem: { code: 'not_permitted' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test('a scheduled change is made if its schedule was approved, and names the approver', async () => {
  expect(await reboot(rule, 'U2')).toMatchObject({ status: 'done', approval: { approverId: 'U2' } });
  expect(await fixture.changingCalls()).toHaveLength(1);
});

test('a scheduled change that needs no approval is made without one', async () => {
  expect(await reboot(async () => undefined, undefined)).toMatchObject({ status: 'done', approval: null });
  expect(await fixture.changingCalls()).toHaveLength(1);
});
