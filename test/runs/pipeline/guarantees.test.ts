import { afterEach, describe, expect, test } from 'vitest';
import { createAuthorizer } from '../../../src/auth/authorizer.ts';
import { createGrantStore } from '../../../src/auth/grants/grant-store.ts';
import type { MemberType } from '../../../src/auth/member-directory.ts';
import type { CallOptions, HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { getStatus } from '../../../src/hosting/endpoints/system.ts';
import { performVpsAction } from '../../../src/hosting/endpoints/vps.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import type { ApprovalCard } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { createMemberDirectory } from '../../auth/member-directory-fixture.ts';
import { eventually } from '../../eventually.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const approver = { teamId: 'T1', userId: 'U2' };
const target = { vps: 'VPS-10001' };

const gates: (() => void)[] = [];

// A failed test must not leave its call unanswered, because the fixture waits for it.
afterEach(() => {
  for (const release of gates.splice(0)) release();
});

/** The real client, but the answer to a change is held back until `release`. */
function holdAnswers(answer: (data: unknown) => unknown = (data) => data) {
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
      return answer(data) as never;
    },
  };
  return { hosting, sentOptions, release: gate.resolve };
}

async function waitUntilSent(): Promise<void> {
  await eventually(async () => expect(await fixture.changingCalls()).toHaveLength(1));
}

/** Approval cards in the channel C2. */
function recordCards() {
  const cards: ApprovalCard[] = [];
  const approvalCards: RunnerDependencies['approvalCards'] = {
    async post(card) {
      cards.push(card);
      return [{ channel: 'C2', ts: '1.1' }];
    },
    update: async (card) => void cards.push(card),
    close: async () => undefined,
  };
  return { cards, parts: { approvalCards, findApprovalRoute: async () => ({ channel: 'C2' }) } };
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
    result: { problem: { code: 'not_permitted' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test("a run is not sent after its deadline, and doesn't wait any longer for the quota", async () => {
  for (let call = 0; call < 50; call += 1) await fixture.client.call(getStatus, {}, { lane: 'people' });
  await fixture.insertRun('queued', { expiresMs: fixture.nowMs + 2_000 });
  await fixture.createRunner().start();
  expect(await fixture.waitUntilSettled('left')).toMatchObject({
    status: 'expired',
    result: { problem: { code: 'deadline_passed' } },
  });
  expect(await fixture.changingCalls()).toEqual([]);
});

test('a run that is settled just as its time is up gets the reply that was settled', async () => {
  const show = hostingOperations().find('show');
  if (show?.kind !== 'read') throw new Error('no operation show');
  const catalogue = fixture.withOperations({ ...show, name: 'show briefly', timeoutMs: 20 });
  const timedOut = Promise.withResolvers<void>();
  let settleCount = 0;
  const runner = fixture.createRunner({
    catalogue,
    resolveAccess: async () => () => ({ message: "You don't have permission.", advice: 'Ask an admin.' }),
    runs: {
      ...fixture.runs,
      async settle(settlement) {
        settleCount += 1;
        const isFirst = settleCount === 1;
        const isSettled = await fixture.runs.settle(settlement);
        if (isFirst) await timedOut.promise;
        else timedOut.resolve();
        return isSettled;
      },
    },
  });
  expect(await fixture.request(runner, 'show briefly', target)).toMatchObject({
    kind: 'problem',
    problem: { code: 'not_permitted' },
  });
});

describe('a sent run', () => {
  test("can't be cancelled", async () => {
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

  const rejected = new HostingError('refused', 'The VPS is locked.', { sendState: 'answered', status: 409 });
  test.each([
    ['done', (data: unknown) => data],
    [
      'failed',
      () => {
        throw rejected;
      },
    ],
  ])('that became unknown is settled as %s by a late answer', async (status, answer) => {
    const { hosting, release } = holdAnswers(answer);
    const frozen = fixture.createRunner({ hostingClientFor: () => hosting, hasReplicas: true });
    const token = await fixture.requestConfirmation(frozen, 'reboot', target);
    await frozen.confirm({ token, actor });
    await waitUntilSent();
    fixture.nowMs += 30_001;
    const replica = fixture.createRunner({ hasReplicas: true });
    await replica.start();
    expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'unknown' });
    release();
    await frozen.stop();
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status });
    expect(fixture.announced.at(-1)).toMatchObject({ status });
    expect(await fixture.changingCalls()).toHaveLength(1);
  });
});

describe('an approval', () => {
  test("by a card that was shown anew counts only with the new card's token", async () => {
    const { cards, parts } = recordCards();
    const runner = fixture.createRunner(parts);
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    await fixture.client.call(
      performVpsAction,
      { params: { vps_name: 'VPS-10001' }, body: { action: 'reboot' } },
      { lane: 'people' },
    );
    const [old] = cards;
    const approve = (card: ApprovalCard | undefined) =>
      runner.approve({ token: card?.token ?? '', approver });
    expect(await approve(old)).toEqual({ kind: 'reconfirm' });
    // Slack can have rejected the new card, so it is shown once more.
    expect(await approve(old)).toEqual({ kind: 'reconfirm' });
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'waiting' });
    expect(cards).toHaveLength(3);
    expect(await approve(cards[1])).toEqual({ kind: 'started' });
  });

  test('does not queue a run whose actor has lost the right', async () => {
    let isRevoked = false;
    const denial = { message: "You don't have permission.", advice: 'Ask an admin.' };
    const resolveAccess: RunnerDependencies['resolveAccess'] =
      async ({ userId }) =>
      () =>
        isRevoked && userId === actor.userId ? denial : undefined;
    const { cards, parts } = recordCards();
    const runner = fixture.createRunner({ ...parts, resolveAccess });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    isRevoked = true;
    expect(await runner.approve({ token: cards[0]?.token ?? '', approver })).toEqual({ kind: 'decided' });
    expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
      status: 'refused',
      queuedMs: null,
      approval: { approverId: null },
      result: { problem: { code: 'not_permitted' } },
    });
    expect(await fixture.changingCalls()).toEqual([]);
  });
});
