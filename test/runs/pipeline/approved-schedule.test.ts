import { expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import type { RawInput } from '../../../src/operations/define/arguments/raw-input.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const target = { vps: 'VPS-10001' };

/** Makes a change as a schedule does at its time. */
async function runScheduled(
  findApprovalRoute: RunnerDependencies['findApprovalRoute'],
  scheduleApproverId: string | undefined,
  { name, input }: { readonly name: string; readonly input: RawInput } = { name: 'reboot', input: target },
) {
  const runner = fixture.createRunner({ findApprovalRoute });
  const operation = hostingOperations().find(name);
  if (!operation) throw new Error(`there is no ${name}`);
  await runner.runScheduled({
    requestKey: 'nightly',
    operation,
    parsed: parseInput(operation, input),
    actor,
    origin: { channel: 'C1' },
    scheduleApproverId,
  });
  const { id } = await fixture.database.db.selectFrom('run').select('id').executeTakeFirstOrThrow();
  return fixture.waitUntilSettled(id);
}

const rule = async () => ({ channel: 'C2' });

test('a scheduled change that needs approval is refused if its schedule was not approved', async () => {
  expect(await runScheduled(rule, undefined)).toMatchObject({
    status: 'refused',
    result: { problem: { code: 'not_permitted' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test('a scheduled change is made if its schedule was approved, and names the approver', async () => {
  expect(await runScheduled(rule, 'U2')).toMatchObject({ status: 'done', approval: { approverId: 'U2' } });
  expect(await fixture.changingCalls()).toHaveLength(1);
});
