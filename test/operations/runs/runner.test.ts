import { describe, expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import type { Run } from '../../../src/operations/runs/run.ts';
import type { RunStore } from '../../../src/operations/runs/run-store.ts';
import { eventually } from '../../eventually.ts';
import { runOf } from './run-of.ts';
import { asker, minuteMs, runIdOf, useRunners } from './runners.ts';

const bench = useRunners();

/** A run as a process has left it that is gone. */
async function leave(status: Run['status'], more: Partial<Run> = {}): Promise<void> {
  const run = runOf({
    id: 'left',
    asker,
    origin: { channel: 'C1' },
    status,
    notAfterMs: bench.nowMs + 5 * minuteMs,
    message: { channel: 'C1', ts: '1.2' },
    requestedMs: bench.nowMs,
    queuedMs: bench.nowMs,
    settledMs: null,
    ...more,
  });
  await bench.runs.claim(run, 'left', { owner: 'gone', untilMs: bench.nowMs + 30_000 });
  if (run.message) await bench.runs.keepMessage(run.id, run.message);
}

async function fault(order: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${bench.serviceUrl}/sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify(order),
  });
  expect(answer.status).toBe(200);
}

/** Somebody reboots a VPS from elsewhere. */
async function reboot(name: string): Promise<void> {
  await bench.client.call(
    performVpsAction,
    { params: { vps_name: name }, body: { action: 'reboot' } },
    { lane: 'people' },
  );
}

describe('a request', () => {
  test('that comes again with the same key is a duplicate, whatever became of the first', async () => {
    const runner = bench.create();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        bench.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'once' }, 'same'),
      ),
    );
    expect(answers.map(({ kind }) => kind).sort()).toEqual([...Array(9).fill('duplicate'), 'started']);
    await runner.stop();
    expect(await bench.changes()).toHaveLength(1);
    expect(
      await bench.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'once' }, 'same'),
    ).toEqual({
      kind: 'duplicate',
    });
  });

  test('that is refused is on record, with why', async () => {
    const runner = bench.create();
    const answer = await bench.request(runner, 'reboot', { vps: 'VPS-77777' });
    expect(answer).toMatchObject({ kind: 'problem', problem: { code: 'input_invalid' } });
    const row = await bench.database.db.selectFrom('run').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      status: 'refused',
      error_code: 'input_invalid',
      target: 'VPS-77777',
      user_id: 'U1',
    });
  });
});

describe('a confirmation', () => {
  test('lapses after ten minutes', async () => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    bench.nowMs += 10 * minuteMs;
    expect(await runner.confirm(token, asker)).toMatchObject({
      kind: 'problem',
      problem: { what: 'This request has lapsed.' },
    });
    expect(await runner.confirm(token, asker)).toMatchObject({ kind: 'problem' });
    expect((await bench.runs.find(runIdOf(token)))?.status).toBe('expired');
    expect(await bench.changes()).toEqual([]);
  });

  test.each([
    { teamId: 'T1', userId: 'U2' },
    { teamId: 'T2', userId: 'U1' },
  ])('cannot be given by %o', async (other) => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    expect(await runner.confirm(token, other)).toMatchObject({
      kind: 'problem',
      problem: { code: 'not_yours' },
    });
    await runner.cancel(token, other);
    expect((await bench.runs.find(runIdOf(token)))?.status).toBe('waiting');
  });

  test('of a run that was cancelled does nothing', async () => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.cancel(token, asker);
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
    expect(await bench.changes()).toEqual([]);
  });

  test('given twenty times at once sends once', async () => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => runner.confirm(token, asker)));
    expect(answers.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    await runner.stop();
    expect(await bench.changes()).toHaveLength(1);
    expect(bench.announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
  });
});

describe('the other click of two', () => {
  /** A store in which the answer to one question is held back. */
  function heldBack(method: 'queue' | 'show'): { store: RunStore; release: () => void } {
    const { promise, resolve } = Promise.withResolvers<void>();
    let isFirst = true;
    const held = async (work: () => Promise<boolean>) => {
      if (isFirst) {
        isFirst = false;
        await promise;
      }
      return work();
    };
    const store: RunStore = {
      ...bench.runs,
      queue: (...call) =>
        method === 'queue' ? held(() => bench.runs.queue(...call)) : bench.runs.queue(...call),
      show: (...call) =>
        method === 'show' ? held(() => bench.runs.show(...call)) : bench.runs.show(...call),
    };
    return { store, release: resolve };
  }

  test('whose reads fail does not end what the first has sent', async () => {
    const token = await bench.tokenOf(bench.create(), 'reboot', { vps: 'VPS-10001' });
    const { store, release } = heldBack('queue');
    const first = bench.create({ runs: store }).confirm(token, asker);
    await eventually(async () => expect((await bench.calls()).length).toBe(4));
    await fault({ fault: 'status:404', method: 'GET', path: '/v1/vps/*' });
    const second = await bench.create().confirm(token, asker);
    release();
    expect(second).toMatchObject({ kind: 'problem' });
    expect(await first).toEqual({ kind: 'duplicate' });
    expect(await bench.changes()).toEqual([]);
  });

  test('that cancels after the first has confirmed changes nothing', async () => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    await Promise.all([runner.confirm(token, asker), runner.cancel(token, asker)]);
    await runner.stop();
    const { status } = await bench.settled(runIdOf(token));
    expect(status === 'done' ? 1 : 0).toBe((await bench.changes()).length);
  });

  test('on a card whose state has changed does not confirm what it did not show, nor does one right after', async () => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    await reboot('VPS-10001');
    const again = await runner.confirm(token, asker);
    expect(again).toMatchObject({ kind: 'confirmation', confirmation: { isAskedAgain: true } });
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
    const newToken = again.kind === 'confirmation' ? again.confirmation.token : '';
    expect(newToken).not.toBe(token);
    expect(await runner.confirm(newToken, asker)).toEqual({ kind: 'duplicate' });
    expect(await bench.changes()).toHaveLength(1);
    bench.nowMs += 1_001;
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
    expect(await runner.confirm(newToken, asker)).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await bench.changes()).toHaveLength(2);
  });
});

describe('a run that nobody ends', () => {
  test('lapses where it waits for a confirmation, and the card says so when it is pressed', async () => {
    const runner = bench.create();
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    await bench.runs.cardTold(runIdOf(token));
    bench.nowMs += 10 * minuteMs;
    const next = bench.create();
    await next.start();
    expect(await bench.settled(runIdOf(token))).toMatchObject({ status: 'expired' });
    expect(bench.announced).toEqual([]);
    expect(await next.confirm(token, asker)).toMatchObject({
      kind: 'problem',
      problem: { what: 'This request has lapsed.' },
    });
    await next.stop();
  });

  test('and whose asker was never shown a card is told of', async () => {
    await leave('waiting', { notAfterMs: bench.nowMs - 1, queuedMs: null });
    const runner = bench.create();
    await runner.start();
    expect(await bench.settled('left')).toMatchObject({ status: 'expired' });
    expect(bench.announced).toMatchObject([{ status: 'expired', queuedMs: null }]);
    await runner.stop();
  });

  test('because its checks take too long lapses, and that is told', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const runner = bench.create({ hostingFor: () => ({ ...bench.client, call: () => never }) });
    void bench.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'late' });
    const run = await eventually(() =>
      bench.database.db.selectFrom('run').selectAll().executeTakeFirstOrThrow(),
    );
    bench.nowMs += 10 * minuteMs;
    const next = bench.create();
    await next.start();
    expect(await bench.settled(run.id)).toMatchObject({ status: 'expired' });
    expect(bench.announced).toMatchObject([{ id: run.id, status: 'expired' }]);
    await next.stop();
  });

  test('because the database fails for a moment is recorded as what it was', async () => {
    const errors: unknown[] = [];
    let failures = 2;
    const store: RunStore = {
      ...bench.runs,
      async settle(settlement) {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is away');
        return bench.runs.settle(settlement);
      },
    };
    const runner = bench.create({
      runs: store,
      log: { info: () => undefined, error: (...words: unknown[]) => void errors.push(words) },
    });
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm(token, asker);
    await runner.stop();
    expect(await bench.settled(runIdOf(token))).toMatchObject({ status: 'done' });
    expect(errors).toHaveLength(2);
    expect(await bench.changes()).toHaveLength(1);
  });
});

describe('what surely never left', () => {
  test('is failed and not unknown', async () => {
    const runner = bench.create({
      runs: { ...bench.runs, send: () => Promise.reject(new Error('the database is away')) },
    });
    const token = await bench.tokenOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm(token, asker);
    await runner.stop();
    expect(await bench.settled(runIdOf(token))).toMatchObject({
      status: 'failed',
      result: { problem: { changed: 'Nothing was changed.' } },
    });
    expect(await bench.changes()).toEqual([]);
  });
});

describe('a fleet that cannot be read', () => {
  test.each([[[]], [{}], [{ servers: [{ id: 1, label: 'web' }] }], [{ vps: [{ name: 'web-1' }] }]])(
    'as in %j keeps nobody from naming a VPS',
    async (data) => {
      const hosting: HostingClient = {
        ...bench.client,
        call: async (endpoint, ...rest) =>
          (endpoint.path === '/v1/vps' ? data : bench.client.call(endpoint, ...rest)) as never,
      };
      const runner = bench.create({ hostingFor: () => hosting });
      expect(await bench.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'x' })).toEqual({
        kind: 'started',
      });
      await runner.stop();
      expect(await bench.changes()).toHaveLength(1);
    },
  );
});

describe('after a crash', () => {
  test('what was queued goes on, and is sent once', async () => {
    await leave('queued');
    await bench.create().start();
    expect(await bench.settled('left')).toMatchObject({ status: 'done' });
    expect(await bench.changes()).toHaveLength(1);
    expect(bench.announced.at(-1)).toMatchObject({ status: 'done', message: { channel: 'C1', ts: '1.2' } });
  });

  test('what was queued too long ago is not run, and that is told', async () => {
    await leave('queued', { notAfterMs: bench.nowMs - 1 });
    await bench.create().start();
    expect(await bench.settled('left')).toMatchObject({
      status: 'expired',
      result: { problem: { changed: 'Nothing was changed.' } },
    });
    expect(bench.announced.map(({ status }) => status)).toEqual(['expired']);
    expect(await bench.changes()).toEqual([]);
  });

  test('what was sent is unknown, is read back, is told and is never sent again', async () => {
    await leave('sent');
    await bench.create().start();
    expect(await bench.settled('left')).toMatchObject({
      status: 'unknown',
      result: { problem: { code: 'stopped', facts: [{ label: 'State', value: { state: 'running' } }] } },
    });
    expect(bench.announced.map(({ status }) => status)).toEqual(['unknown']);
    expect(await bench.changes()).toEqual([]);
  });

  test('what only read is told to have been lost', async () => {
    await leave('queued', { operation: 'show', message: null });
    await bench.create().start();
    expect(await bench.settled('left')).toMatchObject({
      status: 'expired',
      result: { problem: { code: 'stopped' } },
    });
    expect(bench.announced).toHaveLength(1);
  });

  test('a living replica keeps its own until its lease has ended', async () => {
    await leave('queued');
    const runner = bench.create({ shared: true });
    await runner.start();
    expect((await bench.runs.find('left'))?.status).toBe('queued');
    bench.nowMs += 30_001;
    const another = bench.create({ shared: true });
    await another.start();
    expect(await bench.settled('left')).toMatchObject({ status: 'done' });
    expect(await bench.changes()).toHaveLength(1);
    await Promise.all([runner.stop(), another.stop()]);
  });

  test('two replicas that start at once take it up once', async () => {
    await leave('queued');
    bench.nowMs += 30_001;
    const replicas = [bench.create({ shared: true }), bench.create({ shared: true })];
    await Promise.all(replicas.map((runner) => runner.start()));
    expect(await bench.settled('left')).toMatchObject({ status: 'done' });
    expect(await bench.changes()).toHaveLength(1);
    await Promise.all(replicas.map((runner) => runner.stop()));
  });
});
