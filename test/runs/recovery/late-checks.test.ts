import { expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

const createWorker = () =>
  createJobs({
    db: fixture.database.db,
    databaseClock: createLocalDatabaseClock({ ...createSystemClock(), now: () => fixture.nowMs }),
    hasReplicas: false,
    log: { warn: () => undefined, error: () => undefined },
  });

test('a card stays valid although the process that handed its request over still checks the target', async () => {
  const checking = Promise.withResolvers<void>();
  const checked = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, ...rest) {
      if (endpoint.path === '/v1/vps/{vps_name}') {
        checking.resolve();
        await checked.promise;
      }
      return fixture.client.call(endpoint, ...rest);
    },
  };
  const stopping = fixture.createRunner({
    hostingClientFor: () => hosting,
    runs: {
      ...fixture.runs,
      async saveConfirmation(...args) {
        const isSaved = await fixture.runs.saveConfirmation(...args);
        saved.resolve();
        return isSaved;
      },
    },
  });
  const interrupted = fixture.request(stopping, 'reboot', { vps: 'VPS-10001' });
  await checking.promise;
  stopping.interrupt();
  expect(await interrupted).toEqual({ kind: 'handedOver' });

  const jobs = createWorker();
  const next = fixture.createRunner({ jobs, hasReplicas: true });
  const delivered = Promise.withResolvers<RunReply>();
  next.handOverEvents.on('continued', async (work) => {
    if (work.kind !== 'request') return;
    const reply = await next.resume(work);
    await next.markDelivered(reply);
    delivered.resolve(reply);
  });
  await jobs.start();
  expect(await delivered.promise).toMatchObject({ kind: 'confirmation' });
  await jobs.stop(1_000);
  checked.resolve();
  await saved.promise;
  fixture.nowMs += minuteMs;
  await next.start();
  await next.stop();
  expect(fixture.announced).toEqual([]);
});

/** Creates a process whose next check of a right is held. `checked` resolves when it has begun. */
function createHoldingRunner() {
  const checked = Promise.withResolvers<void>();
  const hold = { isOn: false };
  const runner = fixture.createRunner({
    async resolveAccess() {
      if (hold.isOn) {
        checked.resolve();
        await new Promise(() => {});
      }
      return () => undefined;
    },
  });
  return { runner, hold, checked: checked.promise };
}

test('a click on an earlier card is not handed over instead of a click on the current one', async () => {
  const [first, second] = [createHoldingRunner(), createHoldingRunner()];
  const token = await fixture.requestConfirmation(second.runner, 'reboot', { vps: 'VPS-10002' });
  first.hold.isOn = true;
  const earlier = first.runner.confirm({ token, actor });
  await first.checked;
  // Somebody else reboots it.
  const other = { params: { vps_name: 'VPS-10002' }, body: { action: 'reboot' } } as const;
  await fixture.client.call(performVpsAction, other, { lane: 'people' });
  const renewed = await second.runner.confirm({ token, actor });
  if (renewed.kind !== 'confirmation') throw new Error(renewed.kind);
  fixture.nowMs += 1_000;
  second.hold.isOn = true;
  const current = second.runner.confirm({ token: renewed.confirmation.token, actor });
  await second.checked;
  second.runner.interrupt();
  expect(await current).toEqual({ kind: 'handedOver' });
  first.runner.interrupt();
  await earlier;

  const jobs = createWorker();
  const next = fixture.createRunner({ jobs });
  const continued = Promise.withResolvers<string>();
  next.handOverEvents.on('continued', (work) => {
    if (work.kind === 'confirm') continued.resolve(work.token);
  });
  await jobs.start();
  expect(await continued.promise).toBe(renewed.confirmation.token);
  await jobs.stop(1_000);
});

test('the card of a click that was handed over is removed if the stopping process has started its change', async () => {
  const checking = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const stopping = fixture.createRunner({
    async findApprovalRoute({ run }) {
      if (run.status !== 'waiting') return undefined;
      checking.resolve();
      await released.promise;
      return undefined;
    },
  });
  const token = await fixture.requestConfirmation(stopping, 'reboot', { vps: 'VPS-10001' });
  const click = stopping.confirm({ token, actor });
  await checking.promise;
  // Its card has lost its buttons.
  await stopping.ownConfirmation(token);
  stopping.interrupt();
  expect(await click).toEqual({ kind: 'handedOver' });
  released.resolve();
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'done' });

  const jobs = createWorker();
  const next = fixture.createRunner({ jobs });
  const continued = Promise.withResolvers<RunReply>();
  next.handOverEvents.on('continued', async (work) => {
    if (work.kind === 'confirm') continued.resolve(await next.confirm(work));
  });
  await jobs.start();
  expect(await continued.promise).toEqual({ kind: 'started' });
  await jobs.stop(1_000);
  expect(await fixture.changingCalls()).toHaveLength(1);
});
