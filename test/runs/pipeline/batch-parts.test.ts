import { expect, test, vi } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

/** Starts a batch whose parts wait for their slots until `release` is called. */
async function startWaitingBatch() {
  const slot = Promise.withResolvers<void>();
  let waiting = 0;
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, input, options) {
      if (endpoint.method !== 'GET') {
        waiting += 1;
        await slot.promise;
      }
      return fixture.client.call(endpoint, input, options);
    },
  };
  const runner = fixture.createRunner({ hostingClientFor: () => hosting });
  const targets = ['web-01', 'VPS-10002'];
  const token = await fixture.requestConfirmation(runner, 'reboot several', { targets });
  await runner.confirm({ token, actor });
  await expect.poll(() => waiting).toBe(2);
  return { runner, batchId: parseRunId(token), release: slot.resolve };
}

test('a part of a batch that is stopped while the part waits for its slot is not sent', async () => {
  const { runner, batchId, release } = await startWaitingBatch();
  expect(await runner.stopRun(batchId, actor)).toBeUndefined();
  release();
  await fixture.waitUntilSettled(batchId);
  expect(await fixture.changingCalls()).toEqual([]);
  const cancelled = { status: 'refused', result: { problem: { code: 'cancelled' } } };
  expect(await fixture.runs.listBatch(batchId)).toMatchObject([
    { ...cancelled, displayNames: { vps: 'web-01 (VPS-10001)' } },
    { ...cancelled, displayNames: { vps: 'web-02 (VPS-10002)' } },
  ]);
});

test('a part of a batch that another process has ended is not sent', async () => {
  const { batchId, release } = await startWaitingBatch();
  const ended = { status: 'failed', owner: null, settled_at: fixture.nowMs } as const;
  await fixture.database.db.updateTable('run').set(ended).where('id', '=', batchId).execute();
  release();
  const problem = { code: 'cancelled', message: 'The command that this was part of has already ended.' };
  await expect
    .poll(() => fixture.runs.listBatch(batchId))
    .toMatchObject([
      { status: 'refused', result: { problem } },
      { status: 'refused', result: { problem } },
    ]);
  expect(await fixture.changingCalls()).toEqual([]);
});

test('a part whose VPS cannot be read fails, and the others go on', async () => {
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, input, options) {
      if (endpoint.method === 'GET' && JSON.stringify(input).includes('VPS-10002')) throw new Error('broken');
      return fixture.client.call(endpoint, input, options);
    },
  };
  const log = { info: () => undefined, error: vi.fn() };
  const runner = fixture.createRunner({ hostingClientFor: () => hosting, log });
  const targets = ['VPS-10002', 'VPS-10001'];
  const token = await fixture.requestConfirmation(runner, 'reboot several', { targets });
  const batchId = parseRunId(token);
  await runner.confirm({ token, actor });
  await expect
    .poll(async () => (await fixture.runs.listBatch(batchId)).map(({ target, status }) => [target, status]))
    .toEqual(
      expect.arrayContaining([
        ['VPS-10001', 'done'],
        ['VPS-10002', 'failed'],
      ]),
    );
  expect(await fixture.changingCalls()).toEqual([expect.stringContaining('VPS-10001')]);
});

test('the parts of a batch whose card shows no states are made', async () => {
  const runner = fixture.createRunner();
  const targets = ['VPS-10001', 'VPS-10002'];
  const input = { targets, name: 'nightly' };
  const token = await fixture.requestConfirmation(runner, 'snapshot create several', input);
  await runner.confirm({ token, actor });
  await expect
    .poll(async () => (await fixture.changingCalls()).toSorted())
    .toEqual([expect.stringContaining('VPS-10001'), expect.stringContaining('VPS-10002')]);
});
