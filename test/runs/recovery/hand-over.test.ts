import { expect, test } from 'vitest';
import { RackhandError } from '../../../src/errors.ts';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import { defineLocal } from '../../../src/operations/define/define-operation.ts';
import type { ContinuedWork } from '../../../src/runs/recovery/hand-over.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';
import { testVault } from '../test-vault.ts';

const fixture = useRunnerFixture();

/**
 * Starts a process that continues requests, and returns its replies. `recovers: false` leaves out the
 * checks for runs whose process has ended.
 */
async function startNext(overrides: Partial<RunnerDependencies> = {}, { recovers = true } = {}) {
  const clock = { ...createSystemClock(), now: () => fixture.nowMs };
  const jobs = createJobs({
    db: fixture.database.db,
    databaseClock: createLocalDatabaseClock(clock),
    hasReplicas: false,
    log: { warn: () => undefined, error: () => undefined },
  });
  const next = fixture.createRunner({ jobs, hasReplicas: true, ...overrides });
  const replies: RunReply[] = [];
  const clicks: ContinuedWork[] = [];
  next.handOverEvents.on('continued', async (work) => {
    if (work.kind === 'request') replies.push(await next.resume(work));
    if (work.kind === 'confirm') {
      clicks.push(work);
      replies.push(await next.confirm(work));
    }
  });
  if (recovers) await next.start();
  await jobs.start();
  return { runner: next, replies, clicks, stop: () => jobs.stop(1_000) };
}

const listJobs = () =>
  fixture.database.db
    .selectFrom('job')
    .select('claimable_at')
    .where('kind', '=', 'handed-over-run')
    .execute();

/** Makes a request whose check doesn't end, and hands it over. */
async function handOver(overrides: Partial<RunnerDependencies> = {}, name = 'reboot'): Promise<void> {
  const { promise: never } = Promise.withResolvers<never>();
  const isChecking = Promise.withResolvers<void>();
  const stopping = fixture.createRunner({
    resolveAccess() {
      isChecking.resolve();
      return never;
    },
    ...overrides,
  });
  const reply = fixture.request(stopping, name, { vps: 'VPS-10001' });
  await isChecking.promise;
  stopping.interrupt();
  expect(await reply).toEqual({ kind: 'handedOver' });
}

test('a request that was handed over is continued by the next process', async () => {
  await handOver();
  const { replies, stop } = await startNext();
  await expect.poll(() => replies).toMatchObject([{ kind: 'confirmation' }]);
  await stop();
});

test.each([
  ['input is not JSON', { input: '{"vps":' }],
  ['operation is gone', { operation: 'defragment' }],
])('a request that was handed over and whose %s ends, and its actor reads why', async (_, values) => {
  await handOver();
  await fixture.database.db.updateTable('run').set(values).execute();
  const { replies, stop } = await startNext({ log: { info: () => undefined, error: () => undefined } });
  await expect
    .poll(() => replies)
    .toMatchObject([
      { kind: 'problem', problem: { code: 'run_unreadable', changed: 'Nothing was changed.' } },
    ]);
  await stop();
  expect(await fixture.changingCalls()).toEqual([]);
});

test.each([
  ['show', 'Rackhand was interrupted before it could reply.'],
  ['reboot', 'Rackhand restarted while it was checking this request.'],
])('a request for %s whose work is unreadable ends, and its actor is notified', async (name, message) => {
  await handOver({}, name);
  const vault = { ...testVault, decrypt: () => Promise.reject(new Error('no such key')) };
  const { replies, stop } = await startNext({
    vault,
    log: { info: () => undefined, error: () => undefined },
  });
  await expect
    .poll(() => fixture.announced)
    .toMatchObject([{ status: 'expired', result: { problem: { message } } }]);
  await stop();
  expect(replies).toEqual([]);
  expect(await listJobs()).toEqual([]);
});

test('a request that expired before a process claimed it is reported to its actor', async () => {
  await handOver();
  fixture.nowMs += 11 * minuteMs;
  const { replies, stop } = await startNext();
  await expect
    .poll(() => replies)
    .toMatchObject([{ kind: 'problem', problem: { code: 'deadline_passed' }, runId: expect.any(String) }]);
  await stop();
});

test('a request is continued even if another process claims the job before the run was given up', async () => {
  const giveUp: RunStore['giveUp'] = async (id) => {
    const { stop } = await startNext();
    // The job waits, because the run still has its owner.
    await expect.poll(listJobs).toEqual([{ claimable_at: fixture.nowMs + 1_000 }]);
    await stop();
    await fixture.runs.giveUp(id);
  };
  await handOver({ runs: { ...fixture.runs, giveUp } });
  fixture.nowMs += 1_000;
  const { replies, stop } = await startNext();
  await expect.poll(() => replies).toMatchObject([{ kind: 'confirmation' }]);
  await stop();
});

test('a request whose process was killed while handing it over is reported once', async () => {
  const giveUp = () => Promise.reject(new Error('killed'));
  await expect(handOver({ runs: { ...fixture.runs, giveUp } })).rejects.toThrow('killed');
  fixture.nowMs += 30_001;
  const { replies, stop } = await startNext();
  await expect.poll(listJobs).toEqual([]);
  await stop();
  expect(fixture.announced).toMatchObject([{ result: { problem: { code: 'stopped' } } }]);
  expect(replies).toEqual([]);
});

test('a queued change that was handed over is sent by the next process at once', async () => {
  // The rate limiter rejects calls that wait for a slot when the process stops.
  const closed: HostingClient = {
    ...fixture.client,
    call: (endpoint, ...rest) =>
      endpoint.method === 'GET'
        ? fixture.client.call(endpoint, ...rest)
        : Promise.reject(new RackhandError('stopped', 'Rackhand is stopping.')),
  };
  const stopping = fixture.createRunner({ hostingClientFor: () => closed });
  const token = await fixture.requestConfirmation(stopping, 'reboot', { vps: 'VPS-10001' });
  expect(await stopping.confirm({ token, actor })).toEqual({ kind: 'started' });
  await stopping.stop();
  expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'queued' });
  const { stop } = await startNext({}, { recovers: false });
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'done' });
  await stop();
  expect(await fixture.changingCalls()).toHaveLength(1);
});

test("a change of Rackhand's own data that was handed over is made once, although its checks go on", async () => {
  let changes = 0;
  const catalogue = fixture.withOperations(
    defineLocal({
      name: 'tidy',
      heading: 'Tidy',
      summary: 'Tidies',
      arguments: {},
      button: 'Tidy',
      right: 'operate',
      async run() {
        changes += 1;
        return { title: 'Tidy' };
      },
    }),
  );
  const isChecking = Promise.withResolvers<void>();
  const access = Promise.withResolvers<void>();
  const stopping = fixture.createRunner({
    catalogue,
    async resolveAccess() {
      isChecking.resolve();
      await access.promise;
      return () => undefined;
    },
  });
  const reply = fixture.request(stopping, 'tidy', {});
  await isChecking.promise;
  stopping.interrupt();
  expect(await reply).toEqual({ kind: 'handedOver' });
  access.resolve();
  const { replies, stop } = await startNext({ catalogue });
  await expect.poll(() => replies).toMatchObject([{ kind: 'outcome' }]);
  await stop();
  expect(changes).toBe(1);
});

test('a click on a card that was handed over is continued with what the person chose', async () => {
  const { promise: never } = Promise.withResolvers<never>();
  const isChecking = Promise.withResolvers<void>();
  const stopping = fixture.createRunner({
    findApprovalRoute() {
      isChecking.resolve();
      return never;
    },
  });
  const token = await fixture.requestConfirmation(stopping, 'reboot', { vps: 'VPS-10001' });
  const choices = { snapshotFirst: true, atATime: 3, typed: 'VPS-10001', reason: 'INC-42' } as const;
  const click = { token, actor, clickedMs: fixture.nowMs - 1_000, ...choices };
  const reply = stopping.confirm(click);
  await isChecking.promise;
  // Its card has lost its buttons.
  await stopping.ownConfirmation(token);
  stopping.interrupt();
  expect(await reply).toEqual({ kind: 'handedOver' });
  const { replies, clicks, stop } = await startNext();
  await expect.poll(() => replies).toEqual([{ kind: 'started' }]);
  expect(clicks).toEqual([{ kind: 'confirm', ...click }]);
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'done' });
  await stop();
  expect(await fixture.changingCalls()).toHaveLength(1);
});
