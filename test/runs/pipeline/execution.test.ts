import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createVault } from '../../../src/db/encryption/vault.ts';
import { createHostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { createTransport, type Transport } from '../../../src/hosting/client/transport.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import { createRateLimiter } from '../../../src/hosting/quota/rate-limiter.ts';
import { vpsArgument } from '../../../src/operations/choices/sources/vps.ts';
import { defineChange } from '../../../src/operations/define/define-operation.ts';
import type { Outcome } from '../../../src/operations/define/outcome.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { createOneTimeSecretStore } from '../../../src/runs/secrets/one-time-secret-store.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { collectShown } from '../collect-shown.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';
import { testVault } from '../test-vault.ts';

const fixture = useRunnerFixture();

/** A change whose outcome has a new password. */
function renew(outcome: () => Outcome) {
  return defineChange({
    name: 'renew',
    heading: 'Renew',
    summary: 'Renew',
    arguments: { vps: vpsArgument() },
    endpoint: performVpsAction,
    effect: 'change',
    button: 'Renew',
    title: ({ vps }) => `Renew ${vps}`,
    target: ({ vps }) => vps,
    request: ({ vps }) => ({ params: { vps_name: vps }, body: { action: 'reboot' } }),
    outcome,
    readProgress: async () => ({ isFinished: true, text: 'Over.' }),
  });
}

const renewed = renew(() => ({ title: 'Renewed', secrets: [{ label: 'Password', value: 'pass-4711' }] }));

/** Runs the change until it settles; returns the run and the logged errors. */
async function run(operation: ReturnType<typeof renew>, over: Partial<RunnerDependencies>) {
  const errors: unknown[] = [];
  const pauses: number[] = [];
  const pause = async (ms: number) => void pauses.push(ms);
  const log = { info: () => undefined, error: (...words: unknown[]) => void errors.push(words) };
  const catalogue = fixture.withOperations(operation);
  const runner = fixture.createRunner({ catalogue, log, pause, ...over });
  await fixture.request(runner, 'renew', { vps: 'VPS-10001' });
  await runner.stop();
  const { id } = await fixture.database.db.selectFrom('run').select('id').executeTakeFirstOrThrow();
  expect(await fixture.changingCalls()).toHaveLength(1);
  return { run: await fixture.waitUntilSettled(id), errors, pauses };
}

describe('a call that succeeded settles as done', () => {
  test('and its secret is stored even if the database fails for a moment', async () => {
    const secretStore = createOneTimeSecretStore(
      fixture.database.db,
      createVault([new Uint8Array(32)]),
      () => fixture.nowMs,
    );
    let failures = 1;
    const secrets: RunnerDependencies['secrets'] = {
      ...secretStore,
      async save(...given) {
        failures -= 1;
        if (failures >= 0) throw new Error('the database is away');
        return secretStore.save(...given);
      },
    };
    const { run: ended, errors, pauses } = await run(renewed, { secrets });
    expect(ended.status).toBe('done');
    const secretRef = ended.result?.kind === 'outcome' ? ended.result.outcome.secretRef : undefined;
    expect((await secretStore.reveal(secretRef?.id ?? '', actor))?.secrets).toEqual([
      { label: 'Password', value: 'pass-4711' },
    ]);
    expect(errors).toHaveLength(1);
    expect(pauses).toEqual([100]);
  });

  test("with a note if its secret can't be stored", async () => {
    const secretStore = createOneTimeSecretStore(
      fixture.database.db,
      createVault([new Uint8Array(32)]),
      () => fixture.nowMs,
    );
    const save = () => Promise.reject(new Error('the database is away'));
    const { run: ended, pauses } = await run(renewed, { secrets: { ...secretStore, save } });
    expect(pauses).toEqual([100, 1_000, 5_000]);
    expect(ended).toMatchObject({ status: 'done', result: { outcome: { title: 'Renewed' } } });
    expect(JSON.stringify(ended.result)).toContain('The secret was lost before it could be shown');
    const rows = await fixture.database.db.selectFrom('run').selectAll().execute();
    expect(JSON.stringify([rows, fixture.announced])).not.toContain('pass-4711');
  });

  test("even if its progress can't be polled", async () => {
    const { db } = fixture.database;
    await sql`create trigger progress_fails before insert on job when new.kind = 'run-progress'
      begin select raise(abort, 'the database is away'); end`.execute(db);
    const { run: ended, errors } = await run(renewed, {});
    expect(ended.status).toBe('done');
    expect(errors).not.toEqual([]);
  });
});

describe('a queued run is checked again right before its call', () => {
  /** Requests a change; `whenQueued` is called while it waits to be sent. */
  async function runQueued(over: Partial<RunnerDependencies>, whenQueued: () => void) {
    const runs = createRunStore(
      fixture.database.db,
      testVault,
      collectShown(({ status }) => {
        if (status === 'queued') whenQueued();
      }),
    );
    const runner = fixture.createRunner({ ...over, runs });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    expect(await runner.confirm({ token, actor })).toEqual({ kind: 'started' });
    const ended = await fixture.waitUntilSettled(parseRunId(token));
    return { ended, calls: await fixture.changingCalls() };
  }

  test("and isn't sent if its actor has lost the right", async () => {
    let isRevoked = false;
    const resolveAccess: RunnerDependencies['resolveAccess'] = async () => () =>
      isRevoked ? { message: "You don't have permission.", advice: 'Ask an admin.' } : undefined;
    const { ended, calls } = await runQueued({ resolveAccess }, () => {
      isRevoked = true;
    });
    expect(ended).toMatchObject({
      status: 'refused',
      result: {
        problem: {
          code: 'not_permitted',
          message: "You don't have permission.",
          changed: 'Nothing was changed.',
        },
      },
    });
    expect(calls).toEqual([]);
  });

  test('and offers to try again if Slack does not say whether its actor still has the right', async () => {
    let isSilent = false;
    const resolveAccess: RunnerDependencies['resolveAccess'] = async () => () =>
      isSilent ? { message: "Slack couldn't confirm who you are.", advice: '', isUnknown: true } : undefined;
    const { ended, calls } = await runQueued({ resolveAccess }, () => {
      isSilent = true;
    });
    expect(ended).toMatchObject({
      result: {
        problem: {
          code: 'member_unknown',
          nextSteps: [{ label: 'Try Again', operation: 'reboot', input: { vps: 'VPS-10001' } }],
        },
      },
    });
    expect(calls).toEqual([]);
  });

  test("and isn't sent if a rule has come to require approval", async () => {
    let isRequired = false;
    const { ended, calls } = await runQueued(
      { findApprovalRoute: async () => (isRequired ? { channel: null } : undefined) },
      () => {
        isRequired = true;
      },
    );
    expect(ended).toMatchObject({ status: 'refused', result: { problem: { code: 'not_permitted' } } });
    expect(calls).toEqual([]);
  });
});

/** Creates a client whose changes are sent by `send`. Its quota can be closed, as a stop does. */
async function createClientThat(send: (attempt: number, sendReally: Transport['send']) => Transport['send']) {
  const transport = createTransport();
  onTestFinished(transport.close);
  const limiter = await createRateLimiter({ callTimeoutMs: 5_000 });
  onTestFinished(limiter.close);
  let attempts = 0;
  const client = createHostingClient(
    { baseUrl: fixture.serviceUrl, keyHeader: 'authorization', pathOverrides: {} },
    { apiKey: 'sandbox-key-full', fingerprint: 'k', limit: 50 },
    {
      rateLimiter: limiter,
      transport: {
        ...transport,
        async send(request, signal) {
          if (request.method === 'GET') return transport.send(request, signal);
          attempts += 1;
          return send(attempts, transport.send)(request, signal);
        },
      },
    },
  );
  return { client, limiter, attempts: () => attempts };
}

const notSent = () => new HostingError('service_unreachable', 'refused', { sendState: 'not-sent' });

test("a retry isn't sent if another process has settled the run since the first attempt", async () => {
  const token = await fixture.requestConfirmation(fixture.createRunner(), 'reboot', { vps: 'VPS-10001' });
  const id = parseRunId(token);
  const { client, attempts } = await createClientThat((attempt, sendReally) => async (request, signal) => {
    if (attempt > 1) return sendReally(request, signal);
    // Meanwhile, another process has taken this one for dead.
    const unknown = { status: 'unknown', owner: null, settled_at: fixture.nowMs } as const;
    await fixture.database.db.updateTable('run').set(unknown).where('id', '=', id).execute();
    throw notSent();
  });
  const runner = fixture.createRunner({ hostingClientFor: () => client });
  expect(await runner.confirm({ token, actor })).toEqual({ kind: 'started' });
  await runner.stop();
  expect(attempts()).toBe(1);
  expect(await fixture.changingCalls()).toEqual([]);
  expect(await fixture.runs.find(id)).toMatchObject({ status: 'unknown' });
});

test('a stop before the retry of a call that was not sent ends the run as failed, not as unknown', async () => {
  const token = await fixture.requestConfirmation(fixture.createRunner(), 'reboot', { vps: 'VPS-10001' });
  const { client, limiter } = await createClientThat(() => async () => {
    void limiter.close();
    throw notSent();
  });
  const runner = fixture.createRunner({ hostingClientFor: () => client });
  await runner.confirm({ token, actor });
  await runner.stop();
  const run = await fixture.runs.find(parseRunId(token));
  expect(run).toMatchObject({ status: 'failed', result: { problem: { code: 'stopped' } } });
  expect(JSON.stringify(run?.result)).not.toMatch(/unknown/i);
  expect(await fixture.changingCalls()).toEqual([]);
});

test.each<[string, HostingError, string, readonly string[]]>([
  [
    'got no answer',
    new HostingError('service_unreachable', 'No.', { sendState: 'unknown' }),
    'unknown',
    ['Show'],
  ],
  [
    'failed at the service',
    new HostingError('service_failed', 'No.', { sendState: 'answered', status: 500 }),
    'failed',
    ['Show', 'Try Again'],
  ],
  [
    'was refused',
    new HostingError('refused', 'No.', { sendState: 'answered', status: 422 }),
    'failed',
    ['Edit and Retry', 'Try Again'],
  ],
])('a call that %s offers what helps', async (_, error, status, labels) => {
  const token = await fixture.requestConfirmation(fixture.createRunner(), 'reboot', { vps: 'VPS-10001' });
  const { client } = await createClientThat(() => () => Promise.reject(error));
  await fixture.createRunner({ hostingClientFor: () => client }).confirm({ token, actor });
  const run = await fixture.waitUntilSettled(parseRunId(token));
  expect(run.status).toBe(status);
  const steps = run.result?.kind === 'problem' ? run.result.problem.nextSteps : undefined;
  expect(steps?.map(({ label }) => label)).toEqual(labels);
});
