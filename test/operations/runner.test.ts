import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createHostingClient, type HostingClient } from '../../src/hosting/client.ts';
import { createQuota, type Quota } from '../../src/hosting/quota/quota.ts';
import { createTransport, type Transport } from '../../src/hosting/transport.ts';
import { allOperations } from '../../src/operations/all.ts';
import type { Operation } from '../../src/operations/operation.ts';
import type { RawInput } from '../../src/operations/outcome.ts';
import type { Run } from '../../src/operations/run.ts';
import { createRunStore, type RunStore } from '../../src/operations/run-store.ts';
import { createRunner, type Runner } from '../../src/operations/runner.ts';
import { createHostingSandbox, type HostingSandbox } from '../../src/sandbox/hosting/sandbox.ts';
import { type OpenDatabase, openDatabase } from '../../src/storage/database.ts';

const asker = { teamId: 'T1', userId: 'U1' };
const minuteMs = 60_000;

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
  hosting = createHostingClient(
    { baseUrl: sandbox.url, keyHeader: 'authorization', openPaths: {} },
    { apiKey: 'sandbox-key-full', fingerprint: 'k', limit: 50 },
    { transport, quota },
  );
  runs = createRunStore(database.db);
});

afterEach(async () => {
  await quota.close();
  await transport.close();
  await database.close();
  await sandbox.close();
});

function start(over: { shared?: boolean } = {}): Runner {
  const log = { error: (...words: unknown[]) => expect.unreachable(JSON.stringify(words)) };
  const announce = (run: Run) => void announced.push(run);
  return createRunner({
    runs,
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

async function changes(): Promise<unknown[]> {
  const { calls } = (await (await fetch(`${sandbox.url}/sandbox/calls`)).json()) as {
    calls: { method: string }[];
  };
  return calls.filter(({ method }) => method !== 'GET');
}

async function confirmationOf(runner: Runner, name: string, raw: RawInput): Promise<string> {
  const answer = await request(runner, name, raw);
  if (answer.kind !== 'confirmation') throw new Error(`asked nothing, but ${JSON.stringify(answer)}`);
  return answer.confirmation.runId;
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
    const runId = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    nowMs += 10 * minuteMs;
    expect(await runner.confirm(runId, asker)).toMatchObject({
      kind: 'problem',
      problem: { what: 'This request has lapsed.' },
    });
    expect(await runner.confirm(runId, asker)).toMatchObject({ kind: 'problem' });
    expect((await runs.find(runId))?.status).toBe('expired');
    expect(await changes()).toEqual([]);
  });

  test.each([
    { teamId: 'T1', userId: 'U2' },
    { teamId: 'T2', userId: 'U1' },
  ])('cannot be given by %o', async (other) => {
    const runner = start();
    const runId = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    expect(await runner.confirm(runId, other)).toMatchObject({
      kind: 'problem',
      problem: { code: 'not_yours' },
    });
    await runner.cancel(runId, other);
    expect((await runs.find(runId))?.status).toBe('waiting');
  });

  test('of a run that was cancelled does nothing', async () => {
    const runner = start();
    const runId = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.cancel(runId, asker);
    expect(await runner.confirm(runId, asker)).toEqual({ kind: 'duplicate' });
    expect(await changes()).toEqual([]);
  });

  test('given twenty times at once sends once', async () => {
    const runner = start();
    const runId = await confirmationOf(runner, 'reboot', { vps: 'VPS-10001' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => runner.confirm(runId, asker)));
    expect(answers.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    await runner.stop();
    expect(await changes()).toHaveLength(1);
    expect(announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
  });
});

describe('after a crash', () => {
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
      notAfterMs: nowMs + 5 * minuteMs,
      message: { channel: 'C1', ts: '1.2' },
      result: null,
      requestedMs: nowMs,
      settledMs: null,
      ...more,
    };
    await runs.claim(run, 'left', { owner: 'gone', untilMs: nowMs + 30_000 });
    if (run.message) await runs.keepMessage(run.id, run.message);
  }

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
