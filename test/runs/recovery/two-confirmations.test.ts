import { expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { snapshotFirstInput } from '../../../src/runs/snapshot-first/snapshot-first.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** Creates a runner. The first confirmed run is held after the checks of its target. */
function createHoldingRunner() {
  const checked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isFirst = true;
  const runner = fixture.createRunner({
    async findApprovalRoute({ run }) {
      if (run.confirmedState === null || !isFirst) return undefined;
      isFirst = false;
      checked.resolve();
      await released.promise;
      return undefined;
    },
  });
  return { runner, checked: checked.promise, release: released.resolve };
}

test('a click sends what it confirmed, although a second click chose something else', async () => {
  const { runner, checked, release } = createHoldingRunner();
  const raw = { vps: 'VPS-10001', os: 'debian-12', delivery: 'api' };
  const token = await fixture.requestConfirmation(runner, 'reinstall', raw);
  const click = { token, actor, typed: 'VPS-10001' };
  const withSnapshot = runner.confirm({ ...click, snapshotFirst: true });
  await checked;
  expect(await runner.confirm(click)).toEqual({ kind: 'started' });
  release();
  expect(await withSnapshot).toEqual({ kind: 'duplicate' });
  // After a crash, the run is continued from this row.
  expect((await fixture.runs.find(parseRunId(token)))?.input).not.toMatchObject(snapshotFirstInput);
  await runner.stop();
  expect(await fixture.changingCalls()).toEqual(['POST /v1/vps/VPS-10001/reinstall']);
});

test('a click sends nothing after a second click was shown that the target has changed', async () => {
  const { runner, checked, release } = createHoldingRunner();
  const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10002' });
  const first = runner.confirm({ token, actor });
  await checked;
  // Somebody else reboots it.
  const other = { params: { vps_name: 'VPS-10002' }, body: { action: 'reboot' } } as const;
  await fixture.client.call(performVpsAction, other, { lane: 'people' });
  expect(await runner.confirm({ token, actor })).toMatchObject({
    kind: 'confirmation',
    confirmation: { hasTargetChanged: true },
  });
  expect(await runner.ownConfirmation(token), 'would replace the new card with a notice').toBe(false);
  release();
  expect(await first).toEqual({ kind: 'duplicate' });
  await runner.stop();
  expect(await fixture.changingCalls(), 'with the reboot of somebody else').toHaveLength(1);
});

test('a card that shows a choice is sent with it, although a click without it finds the same change', async () => {
  const reading = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  let isHeld = false;
  const client: HostingClient = {
    ...fixture.client,
    async call(endpoint, ...rest) {
      if (isHeld) {
        isHeld = false;
        reading.resolve();
        await released.promise;
      }
      return fixture.client.call(endpoint, ...rest);
    },
  };
  const runner = fixture.createRunner({ hostingClientFor: () => client });
  const raw = { vps: 'VPS-10001', os: 'debian-12', delivery: 'api' };
  const click = { actor, typed: 'VPS-10001' };
  const token = await fixture.requestConfirmation(runner, 'reinstall', raw);
  // Somebody else reboots it.
  const other = { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } } as const;
  await fixture.client.call(performVpsAction, other, { lane: 'people' });
  isHeld = true;
  const plain = runner.confirm({ ...click, token });
  await reading.promise;
  const withSnapshot = await runner.confirm({ ...click, token, snapshotFirst: true });
  if (withSnapshot.kind !== 'confirmation') throw new Error(withSnapshot.kind);
  released.resolve();
  expect(await plain, 'would replace the choice').toEqual({ kind: 'duplicate' });
  fixture.nowMs += 1_000;
  const { token: shown } = withSnapshot.confirmation;
  expect(await runner.confirm({ ...click, token: shown })).toEqual({ kind: 'started' });
  expect((await fixture.runs.find(parseRunId(token)))?.input).toMatchObject(snapshotFirstInput);
});

test('a click with a choice that is not valid sends nothing, and the card can be clicked again', async () => {
  const runner = fixture.createRunner();
  const targets = ['VPS-10001', 'VPS-10002', 'VPS-10003'];
  const token = await fixture.requestConfirmation(runner, 'reboot several', { targets });
  expect(await runner.confirm({ token, actor, atATime: -1, reason: 'INC-42' })).toMatchObject({
    kind: 'problem',
    problem: { code: 'input_invalid' },
  });
  expect(await fixture.changingCalls()).toEqual([]);
  expect(await runner.confirm({ token, actor, atATime: 2 })).toEqual({ kind: 'started' });
});
