import type { Logger } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { createHostingClient, type HostingClient } from '../../../src/hosting/client.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { createQuota, type Quota } from '../../../src/hosting/quota/quota.ts';
import { createTransport, type Transport } from '../../../src/hosting/transport.ts';
import { allOperations } from '../../../src/operations/all.ts';
import type { Operation } from '../../../src/operations/operation.ts';
import type { RawInput } from '../../../src/operations/outcome.ts';
import { createFollowingStore } from '../../../src/operations/runs/following-store.ts';
import type { Run } from '../../../src/operations/runs/run.ts';
import { createRunStore, type RunStore } from '../../../src/operations/runs/run-store.ts';
import { createRunner, type Runner } from '../../../src/operations/runs/runner.ts';
import { createHostingSandbox, type HostingSandbox } from '../../../src/sandbox/hosting/sandbox.ts';
import { type OpenDatabase, openDatabase } from '../../../src/storage/database.ts';
import { createVault } from '../../../src/storage/vault.ts';
import { createShownOnce } from '../../../src/workspaces/shown-once.ts';

const asker = { teamId: 'T1', userId: 'U1' };
const minuteMs = 60_000;

const callLog = z.object({ calls: z.array(z.object({ method: z.string(), path: z.string() })) });

const catalogue = allOperations();
function operation(name: string): Operation {
  const found = catalogue.find(name);
  if (!found) throw new Error(`no operation ${name}`);
  return found;
}

let nowMs: number;
let sandbox: HostingSandbox;
let database: OpenDatabase;
let quota: Quota;
let transport: Transport;
let client: HostingClient;
let hosting: HostingClient;
let runs: RunStore;
let announced: Run[];
let requests: number;

beforeEach(async () => {
  nowMs = Date.now();
  announced = [];
  requests = 0;
  sandbox = await createHostingSandbox({ port: 0 });
  database = await openDatabase('sqlite::memory:');
  quota = await createQuota({ callTimeoutMs: 5_000 });
  transport = createTransport();
  client = createHostingClient(
    { baseUrl: sandbox.url, keyHeader: 'authorization', openPaths: {} },
    { apiKey: 'sandbox-key-full', fingerprint: 'k', limit: 50 },
    { transport, quota },
  );
  hosting = client;
  runs = createRunStore(database.db);
});

afterEach(async () => {
  await quota.close();
  await transport.close();
  await database.close();
  await sandbox.close();
});

function start(
  over: { shared?: boolean; log?: Pick<Logger, 'info' | 'error'>; runs?: RunStore } = {},
): Runner {
  const log = over.log ?? {
    info: () => undefined,
    error: (...words: unknown[]) => expect.unreachable(JSON.stringify(words)),
  };
  const announce = (run: Run) => void announced.push(run);
  return createRunner({
    runs,
    followed: createFollowingStore(database.db),
    secrets: createShownOnce(database.db, createVault([new Uint8Array(32)]), () => nowMs),
    access: async () => () => undefined,
    approvalRules: async () => undefined,
    approvalDesk: { post: async () => [], refresh: async () => undefined },
    timeZoneOf: async () => 'UTC',
    catalogue,
    hostingFor: () => hosting,
    announce,
    shared: false,
    log,
    now: () => nowMs,
    ...over,
  });
}

function request(runner: Runner, name: string, raw: RawInput, requestKey = `request-${++requests}`) {
  return runner.request({ requestKey, operation: operation(name), raw, asker, origin: { channel: 'C1' } });
}

/** A run as a process has left it that is gone. */
async function leave(status: Run['status'], more: Partial<Run> = {}): Promise<void> {
  const run: Run = {
    id: 'left',
    asker,
    operation: 'reboot',
    input: { vps: 'VPS-10001' },
    target: 'VPS-10001',
    origin: { channel: 'C1' },
    status,
    shown: null,
    askedAgainMs: null,
    notAfterMs: nowMs + 5 * minuteMs,
    message: { channel: 'C1', ts: '1.2' },
    result: null,
    progress: null,
    approval: null,
    requestedMs: nowMs,
    queuedMs: nowMs,
    settledMs: null,
    ...more,
  };
  await runs.claim(run, 'left', { owner: 'gone', untilMs: nowMs + 30_000 });
  if (run.message) await runs.keepMessage(run.id, run.message);
}

async function calls(): Promise<readonly { method: string; path: string }[]> {
  return callLog.parse(await (await fetch(`${sandbox.url}/sandbox/calls`)).json()).calls;
}

async function changes(): Promise<readonly unknown[]> {
  return (await calls()).filter(({ method }) => method !== 'GET');
}

async function fault(order: Record<string, unknown>): Promise<void> {
  const answer = await fetch(`${sandbox.url}/sandbox/faults`, {
    method: 'POST',
    body: JSON.stringify(order),
  });
  expect(answer.status).toBe(200);
}

/** Somebody reboots a VPS from elsewhere. */
async function reboot(name: string): Promise<void> {
  await client.call(
    performVpsAction,
    { params: { vps_name: name }, body: { action: 'reboot' } },
    { lane: 'people' },
  );
}

async function confirmationOf(runner: Runner, name: string, raw: RawInput): Promise<string> {
  const answer = await request(runner, name, raw);
  if (answer.kind !== 'confirmation') throw new Error(`asked nothing, but ${JSON.stringify(answer)}`);
  return answer.confirmation.token;
}

/** The run that a confirmation's token names. */
function runIdOf(token: string): string {
  return token.split('.')[0] ?? '';
}

async function settled(runId: string): Promise<Run> {
  return vi.waitFor(async () => {
    const run = await runs.find(runId);
    if (!run?.settledMs) throw new Error(`the run is ${run?.status}`);
    return run;
  });
}

describe('a request', () => {
  test('that comes again with the same key is a duplicate, whatever became of the first', async () => {
    const runner = start();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'once' }, 'same'),
      ),
    );
    expect(answers.map(({ kind }) => kind).sort()).toEqual([...Array(9).fill('duplicate'), 'started']);
    await runner.stop();
    expect(await changes()).toHaveLength(1);
    expect(await request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'once' }, 'same')).toEqual({
      kind: 'duplicate',
    });
  });

  test('that is refused is on record, with why', async () => {
    const runner = start();
    const answer = await request(runner, 'reboot', { vps: 'VPS-77777' });
    expect(answer).toMatchObject({ kind: 'problem', problem: { code: 'input_invalid' } });
    const row = await database.db.selectFrom('run').selectAll().executeTakeFirstOrThrow();
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
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    nowMs += 10 * minuteMs;
    expect(await runner.confirm(token, asker)).toMatchObject({
      kind: 'problem',
      problem: { what: 'This request has lapsed.' },
    });
    expect(await runner.confirm(token, asker)).toMatchObject({ kind: 'problem' });
    expect((await runs.find(runIdOf(token)))?.status).toBe('expired');
    expect(await changes()).toEqual([]);
  });

  test.each([
    { teamId: 'T1', userId: 'U2' },
    { teamId: 'T2', userId: 'U1' },
  ])('cannot be given by %o', async (other) => {
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    expect(await runner.confirm(token, other)).toMatchObject({
      kind: 'problem',
      problem: { code: 'not_yours' },
    });
    await runner.cancel(token, other);
    expect((await runs.find(runIdOf(token)))?.status).toBe('waiting');
  });

  test('of a run that was cancelled does nothing', async () => {
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.cancel(token, asker);
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
    expect(await changes()).toEqual([]);
  });

  test('given twenty times at once sends once', async () => {
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => runner.confirm(token, asker)));
    expect(answers.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    await runner.stop();
    expect(await changes()).toHaveLength(1);
    expect(announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
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
      ...runs,
      queue: (...call) => (method === 'queue' ? held(() => runs.queue(...call)) : runs.queue(...call)),
      show: (...call) => (method === 'show' ? held(() => runs.show(...call)) : runs.show(...call)),
    };
    return { store, release: resolve };
  }

  test('whose reads fail does not end what the first has sent', async () => {
    const token = await confirmationOf(start(), 'reboot', { vps: 'VPS-10001' });
    const { store, release } = heldBack('queue');
    const first = start({ runs: store }).confirm(token, asker);
    await vi.waitFor(async () => expect((await calls()).length).toBe(4));
    await fault({ fault: 'status:404', method: 'GET', path: '/v1/vps/*' });
    const second = await start().confirm(token, asker);
    release();
    expect(second).toMatchObject({ kind: 'problem' });
    expect(await first).toEqual({ kind: 'duplicate' });
    expect(await changes()).toEqual([]);
  });

  test('that cancels after the first has confirmed changes nothing', async () => {
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    await Promise.all([runner.confirm(token, asker), runner.cancel(token, asker)]);
    await runner.stop();
    const { status } = await settled(runIdOf(token));
    expect(status === 'done' ? 1 : 0).toBe((await changes()).length);
  });

  test('on a card whose state has changed does not confirm what it did not show, nor does one right after', async () => {
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    await reboot('VPS-10001');
    const again = await runner.confirm(token, asker);
    expect(again).toMatchObject({ kind: 'confirmation', confirmation: { isAskedAgain: true } });
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
    const newToken = again.kind === 'confirmation' ? again.confirmation.token : '';
    expect(newToken).not.toBe(token);
    expect(await runner.confirm(newToken, asker)).toEqual({ kind: 'duplicate' });
    expect(await changes()).toHaveLength(1);
    nowMs += 1_001;
    expect(await runner.confirm(token, asker)).toEqual({ kind: 'duplicate' });
    expect(await runner.confirm(newToken, asker)).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await changes()).toHaveLength(2);
  });
});

describe('a run that nobody ends', () => {
  test('lapses where it waits for a confirmation, and the card says so when it is pressed', async () => {
    const runner = start();
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    nowMs += 10 * minuteMs;
    const next = start();
    await next.start();
    expect(await settled(runIdOf(token))).toMatchObject({ status: 'expired' });
    expect(announced).toEqual([]);
    expect(await next.confirm(token, asker)).toMatchObject({
      kind: 'problem',
      problem: { what: 'This request has lapsed.' },
    });
    await next.stop();
  });

  test('and whose asker was never shown a card is told of', async () => {
    await leave('waiting', { notAfterMs: nowMs - 1, queuedMs: null });
    const runner = start();
    await runner.start();
    expect(await settled('left')).toMatchObject({ status: 'expired' });
    expect(announced).toMatchObject([{ status: 'expired', queuedMs: null }]);
    await runner.stop();
  });

  test('because its checks take too long lapses, and that is told', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    hosting = { ...client, call: () => never };
    const runner = start();
    void request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'late' });
    const run = await vi.waitFor(() => database.db.selectFrom('run').selectAll().executeTakeFirstOrThrow());
    nowMs += 10 * minuteMs;
    const next = start();
    await next.start();
    expect(await settled(run.id)).toMatchObject({ status: 'expired' });
    expect(announced).toMatchObject([{ id: run.id, status: 'expired' }]);
    await next.stop();
  });

  test('because the database fails for a moment is recorded as what it was', async () => {
    const errors: unknown[] = [];
    let failures = 2;
    const store: RunStore = {
      ...runs,
      async settle(settlement) {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is away');
        return runs.settle(settlement);
      },
    };
    const runner = start({
      runs: store,
      log: { info: () => undefined, error: (...words: unknown[]) => void errors.push(words) },
    });
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm(token, asker);
    await runner.stop();
    expect(await settled(runIdOf(token))).toMatchObject({ status: 'done' });
    expect(errors).toHaveLength(2);
    expect(await changes()).toHaveLength(1);
  });
});

describe('what surely never left', () => {
  test('is failed and not unknown', async () => {
    const runner = start({
      runs: { ...runs, send: () => Promise.reject(new Error('the database is away')) },
    });
    const token = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm(token, asker);
    await runner.stop();
    expect(await settled(runIdOf(token))).toMatchObject({
      status: 'failed',
      result: { problem: { changed: 'Nothing was changed.' } },
    });
    expect(await changes()).toEqual([]);
  });
});

describe('a fleet that cannot be read', () => {
  test.each([[[]], [{}], [{ servers: [{ id: 1, label: 'web' }] }], [{ vps: [{ name: 'web-1' }] }]])(
    'as in %j keeps nobody from naming a VPS',
    async (data) => {
      const runner = start({});
      hosting = {
        ...client,
        call: async (endpoint, ...rest) =>
          (endpoint.path === '/v1/vps' ? data : client.call(endpoint, ...rest)) as never,
      };
      expect(await request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'x' })).toEqual({
        kind: 'started',
      });
      await runner.stop();
      expect(await changes()).toHaveLength(1);
    },
  );
});

describe('after a crash', () => {
  test('what was queued goes on, and is sent once', async () => {
    await leave('queued');
    await start().start();
    expect(await settled('left')).toMatchObject({ status: 'done' });
    expect(await changes()).toHaveLength(1);
    expect(announced.at(-1)).toMatchObject({ status: 'done', message: { channel: 'C1', ts: '1.2' } });
  });

  test('what was queued too long ago is not run, and that is told', async () => {
    await leave('queued', { notAfterMs: nowMs - 1 });
    await start().start();
    expect(await settled('left')).toMatchObject({
      status: 'expired',
      result: { problem: { changed: 'Nothing was changed.' } },
    });
    expect(announced.map(({ status }) => status)).toEqual(['expired']);
    expect(await changes()).toEqual([]);
  });

  test('what was sent is unknown, is read back, is told and is never sent again', async () => {
    await leave('sent');
    await start().start();
    expect(await settled('left')).toMatchObject({
      status: 'unknown',
      result: { problem: { code: 'stopped', facts: [{ label: 'State', value: { state: 'running' } }] } },
    });
    expect(announced.map(({ status }) => status)).toEqual(['unknown']);
    expect(await changes()).toEqual([]);
  });

  test('what only read is told to have been lost', async () => {
    await leave('queued', { operation: 'show', message: null });
    await start().start();
    expect(await settled('left')).toMatchObject({
      status: 'expired',
      result: { problem: { code: 'stopped' } },
    });
    expect(announced).toHaveLength(1);
  });

  test('a living replica keeps its own until its lease has ended', async () => {
    await leave('queued');
    const runner = start({ shared: true });
    await runner.start();
    expect((await runs.find('left'))?.status).toBe('queued');
    nowMs += 30_001;
    const another = start({ shared: true });
    await another.start();
    expect(await settled('left')).toMatchObject({ status: 'done' });
    expect(await changes()).toHaveLength(1);
    await Promise.all([runner.stop(), another.stop()]);
  });

  test('two replicas that start at once take it up once', async () => {
    await leave('queued');
    nowMs += 30_001;
    const replicas = [start({ shared: true }), start({ shared: true })];
    await Promise.all(replicas.map((runner) => runner.start()));
    expect(await settled('left')).toMatchObject({ status: 'done' });
    expect(await changes()).toHaveLength(1);
    await Promise.all(replicas.map((runner) => runner.stop()));
  });
});
