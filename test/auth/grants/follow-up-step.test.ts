import { expect, test } from 'vitest';
import { bob, useAuthOperations } from '../operations-fixture.ts';

const auth = useAuthOperations();

const grantBob = (right: 'view' | 'operate', pattern: string) =>
  auth.grants.grant(
    { teamId: 'T1', changedBy: null, nowMs: 1 },
    { grantees: [bob], right, patterns: [pattern] },
  );

/** Runs commands that are denied to Bob, and returns what his request for a right offers to do next. */
async function findFollowUpStep(request: string, ...denied: readonly string[]) {
  for (const command of denied)
    expect(await auth.typeRefused(command, bob)).toContain("You don't have permission");
  await auth.type(`access ask ${request}`, bob);
  return auth.asked.at(-1)?.details.followUpStep;
}

test('a granted right offers the newest denied command that it allows', async () => {
  await grantBob('view', '*');
  const denied = ['reboot VPS-10002', 'reboot VPS-10001', 'snapshot delete VPS-10001 weekly'];
  const reboot = { label: 'Reboot VPS-10001', operation: 'reboot', input: { vps: 'VPS-10001' } };
  expect(await findFollowUpStep('operate VPS-10001', ...denied)).toEqual(reboot);
  expect(await findFollowUpStep('operate VPS-1000*')).toEqual(reboot);
  expect(await findFollowUpStep('operate VPS-10002 VPS-3*')).toMatchObject({ label: 'Reboot VPS-10002' });
  expect(await findFollowUpStep('operate')).toEqual(reboot);
  expect(await findFollowUpStep('destroy VPS-10002')).toBeUndefined();
});

test('a granted right offers nothing that was denied on another VPS, to someone else, or an hour before', async () => {
  await auth.typeRefused('reboot VPS-10001', 'U0CAROL');
  expect(await findFollowUpStep('operate VPS-10001')).toBeUndefined();
  expect(await findFollowUpStep('operate VPS-2*', 'reboot VPS-10001')).toBeUndefined();
  expect(await findFollowUpStep('operate VPS-1000*')).toBeDefined();
  auth.runner.nowMs += 3_600_000;
  expect(await findFollowUpStep('operate VPS-10*')).toBeUndefined();
});
