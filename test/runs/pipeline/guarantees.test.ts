import { afterEach, describe, expect, test } from 'vitest';
import { createAuthorizer } from '../../../src/auth/authorizer.ts';
import { createGrantStore } from '../../../src/auth/grants/grant-store.ts';
import type { MemberType } from '../../../src/auth/member-directory.ts';
import type { CallOptions, HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { createMemberDirectory } from '../../auth/member-directory-fixture.ts';
import { eventually } from '../../eventually.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const target = { vps: 'VPS-10001' };

const gates: (() => void)[] = [];

// A failed test must not leave its call unanswered, because the fixture waits for it.
afterEach(() => {
  for (const release of gates.splice(0)) release();
});

/** The real client, but the answer to a change is held back until `release`. */
function holdAnswers() {
  const gate = Promise.withResolvers<void>();
  gates.push(gate.resolve);
  const sentOptions: CallOptions[] = [];
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, input, options) {
      if (endpoint.method === 'GET') return fixture.client.call(endpoint, input, options);
      sentOptions.push(options);
      const data = await fixture.client.call(endpoint, input, options);
      await gate.promise;
      return data;
    },
  };
  return { hosting, sentOptions, release: gate.resolve };
}

async function waitUntilSent(): Promise<void> {
  await eventually(async () => expect(await fixture.changingCalls()).toHaveLength(1));
}

test('a run that another process has taken over is not sent', async () => {
  const runner = fixture.createRunner({
    // Called right before the run is marked as sent.
    async findApprovalRoute({ run }) {
      if (run.status === 'queued')
        await fixture.database.db.updateTable('run').set({ owner: 'another' }).execute();
      return undefined;
    },
  });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  expect(await runner.confirm({ token, actor })).toEqual({ kind: 'started' });
  await runner.stop();
  expect(await fixture.changingCalls()).toEqual([]);
  expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'queued' });
});

test('a process that has lost a run and got it back reports what the other process has done', async () => {
  let isStolen = false;
  const runner = fixture.createRunner({
    // Called right before the run is marked as sent. Meanwhile, another process has sent it.
    async findApprovalRoute({ run }) {
      if (run.status === 'queued' && !isStolen) {
        isStolen = true;
        await fixture.database.db.updateTable('run').set({ status: 'sent' }).execute();
      }
      return undefined;
    },
  });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  await runner.confirm({ token, actor });
  await runner.stop();
  expect(isStolen).toBe(true);
  expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'sent', result: null });
});

test('a retry of a call that was not sent is authorized again', async () => {
  let isRevoked = false;
  const denial = { message: "You don't have permission.", advice: 'Ask an admin.' };
  const unreachable = new HostingError('service_unreachable', 'unreachable', { sendState: 'not-sent' });
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, input, options) {
      if (endpoint.method === 'GET') return fixture.client.call(endpoint, input, options);
      await options.beforeSend?.();
      isRevoked = true;
      await options.beforeSend?.();
      throw unreachable;
    },
  };
  const runner = fixture.createRunner({
    hostingClientFor: () => hosting,
    resolveAccess: async () => () => (isRevoked ? denial : undefined),
  });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  await runner.confirm({ token, actor });
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
    status: 'refused',
    result: { problem: { code: 'not_permitted' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test.each([
  ['was deactivated', 'deleted'],
  ['became a guest', 'guest'],
  ['moved to another organization', 'external'],
  ['is unknown to Slack right now', 'unknown'],
] as const)('a queued run whose actor %s is not sent, whatever was granted', async (_, memberType) => {
  const store = createGrantStore(fixture.database.db);
  const { teamId, userId } = actor;
  const change = { teamId, changedBy: 'U9', nowMs: 1 };
  await store.grant(change, { grantees: [userId], right: 'admin', patterns: ['*'] });
  let current: MemberType = 'member';
  const directory = { ...createMemberDirectory(), findMemberType: async () => current };
  const runner = fixture.createRunner({
    resolveAccess: createAuthorizer({ store, directory }).resolveAccess,
    hostingClientFor: () => ({
      ...fixture.client,
      async call(endpoint, input, options) {
        // The call has waited for the quota, and is about to be sent.
        if (endpoint.method !== 'GET') current = memberType;
        return fixture.client.call(endpoint, input, options);
      },
    }),
  });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  expect(await runner.confirm({ token, actor })).toEqual({ kind: 'started' });
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
    status: 'refused',
    result: { problem: { code: memberType === 'unknown' ? 'member_unknown' : 'not_permitted' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test("a run is not sent after its deadline, and doesn't wait any longer for the quota", async () => {
  // Of two people, because one alone would wait for the rest of the quota.
  for (let call = 0; call < 50; call += 1)
    await fixture.client.call(getStatus, {}, { lane: 'people', caller: call % 2 ? 'bob' : 'alice' });
  await fixture.insertRun('queued', { expiresMs: Date.now() + 1_000 });
  await fixture.createRunner().start();
  expect(await fixture.waitUntilSettled('left')).toMatchObject({
    status: 'expired',
    result: { problem: { code: 'deadline_passed' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test("a sent run can't be cancelled", async () => {
  const { hosting, release } = holdAnswers();
  const runner = fixture.createRunner({ hostingClientFor: () => hosting });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  await runner.confirm({ token, actor });
  await waitUntilSent();
  await runner.cancel(token, actor);
  expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'sent', result: null });
  release();
  expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'done' });
});

describe('a run can be sent for five minutes', () => {
  /** Makes the checks after the last click take this long. */
  const checksTake = (ms: number): Partial<RunnerDependencies> => ({
    findApprovalRoute: async ({ run }) => {
      if (run.status === 'waiting') fixture.nowMs += ms;
      return undefined;
    },
  });

  test('from the click, however long its checks take', async () => {
    const { hosting, sentOptions, release } = holdAnswers();
    const runner = fixture.createRunner({ hostingClientFor: () => hosting, ...checksTake(4 * minuteMs) });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    const clickedMs = fixture.nowMs;
    await runner.confirm({ token, actor });
    await waitUntilSent();
    release();
    expect(sentOptions).toMatchObject([{ lane: 'people', notAfterMs: clickedMs + 5 * minuteMs }]);
  });

  test('and expires if its checks take longer', async () => {
    const runner = fixture.createRunner(checksTake(6 * minuteMs));
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
      status: 'expired',
      result: { problem: { code: 'deadline_passed' } },
    });
    expect(await fixture.changingCalls()).toEqual([]);
  });
});
