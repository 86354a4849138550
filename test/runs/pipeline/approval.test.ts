import { describe, expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { listCards } from '../../asks/unsent-asks.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const bob = { teamId: 'T1', userId: 'U2' };
const carol = { teamId: 'T1', userId: 'U3' };
const target = { vps: 'VPS-10001' };
const rule = { findApprovalRoute: async () => ({ channel: 'C2' }) };

type TestRunner = ReturnType<typeof fixture.createRunner>;

const decide = async (runner: TestRunner, verdict: 'approved' | 'declined', by = bob) =>
  runner.asks.decide(await fixture.askToken(), { actor: by, origin: {}, verdict });

/** Requests and confirms a change, so that it awaits approval. Returns its runner and its ID. */
async function requestApproval(overrides: Partial<RunnerDependencies> = {}) {
  const runner = fixture.createRunner({ ...rule, ...overrides });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  expect(await runner.confirm({ token, actor })).toEqual({ kind: 'started' });
  return { runner, token, id: parseRunId(token) };
}

/** Denies people everything, from the moment that they are in the list. */
const denying =
  (people: readonly string[]): RunnerDependencies['resolveAccess'] =>
  async ({ userId }) =>
  () =>
    people.includes(userId) ? { message: 'Denied.', advice: 'Ask.' } : undefined;

describe('a run that needs approval', () => {
  test('asks approvers once, however often its actor clicks Confirm', async () => {
    const runner = fixture.createRunner(rule);
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    const answers = await Promise.all([1, 2, 3].map(() => runner.confirm({ token, actor })));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'duplicate', 'started']);
    expect(await listCards(fixture.database.db)).toMatchObject([{ channel: 'C2', people: ['U2', 'U3'] }]);
    expect(fixture.announced).toMatchObject([{ status: 'waiting', approval: { approverId: null } }]);
  });

  test('has one message, which begins as its card, if the card belongs into the same channel', async () => {
    const { runner, id } = await requestApproval({ findApprovalRoute: async () => ({ channel: 'C1' }) });
    const { db } = fixture.database;
    expect(await listCards(db)).toMatchObject([{ key: `run:${id}`, channel: 'C1' }]);
    await decide(runner, 'declined');
    expect(await db.selectFrom('message').select(['key', 'kind']).orderBy('key').execute()).toEqual([
      { key: `run-decision:${id}`, kind: 'run-decision' },
      { key: `run:${id}`, kind: 'run' },
    ]);
  });

  test('is refused if nobody else can approve it', async () => {
    const runner = fixture.createRunner({
      ...rule,
      approvals: { prepare: async () => ({ kind: 'nobody' }), renew: async () => undefined },
    });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    expect(await runner.confirm({ token, actor })).toMatchObject({ problem: { code: 'not_permitted' } });
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'refused', approval: null });
  });

  test('is not queued by another click after the rule was deleted', async () => {
    const isAsked = Promise.withResolvers<void>();
    let lookups = 0;
    const findApprovalRoute: RunnerDependencies['findApprovalRoute'] = async () => {
      lookups += 1;
      // The rule applies when the card is shown, and to the first click.
      if (lookups <= 2) return { channel: 'C2' };
      await isAsked.promise;
      return undefined;
    };
    const runner = fixture.createRunner({ findApprovalRoute });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    const clicks = [1, 2].map(() => runner.confirm({ token, actor }));
    await Promise.race(clicks);
    isAsked.resolve();
    await Promise.all(clicks);
    await runner.stop();
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'waiting' });
    expect(await fixture.changingCalls()).toEqual([]);
  });

  test('keeps waiting if the service fails when it is approved, and the approver gets the reason', async () => {
    let isDown = false;
    const hosting: HostingClient = {
      ...fixture.client,
      call: (endpoint, input, options) =>
        isDown
          ? Promise.reject(new HostingError('service_unreachable', 'Unreachable.', { sendState: 'not-sent' }))
          : fixture.client.call(endpoint, input, options),
    };
    const { runner, id } = await requestApproval({ hostingClientFor: () => hosting });
    isDown = true;
    await expect(decide(runner, 'approved')).rejects.toMatchObject({ code: 'service_unreachable' });
    expect(await fixture.runs.find(id)).toMatchObject({ status: 'waiting' });
    isDown = false;
    expect(await decide(runner, 'approved')).toMatchObject({ kind: 'decided' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });

  test('is neither approved nor declined by somebody without the right to it', async () => {
    const { runner, id } = await requestApproval({ resolveAccess: denying([carol.userId]) });
    await expect(decide(runner, 'approved', carol)).rejects.toThrow('Denied.');
    await expect(decide(runner, 'declined', carol)).rejects.toThrow('Denied.');
    expect(await decide(runner, 'declined', { ...bob, teamId: 'T2' })).toEqual({ kind: 'gone' });
    expect(await fixture.runs.find(id)).toMatchObject({ status: 'waiting' });
    expect(await decide(runner, 'declined')).toMatchObject({ kind: 'decided' });
    expect(fixture.announced.at(-1)).toMatchObject({
      status: 'refused',
      result: { problem: { decidedBy: 'U2' } },
    });
  });

  test('is not approved once its actor has lost the right', async () => {
    const denied: string[] = [];
    const { runner, id } = await requestApproval({ resolveAccess: denying(denied) });
    denied.push(actor.userId);
    await expect(decide(runner, 'approved')).rejects.toMatchObject({ code: 'not_permitted' });
    expect(await fixture.runs.find(id)).toMatchObject({ status: 'waiting' });
    expect(await decide(runner, 'declined')).toMatchObject({ kind: 'decided' });
    expect(await fixture.changingCalls()).toEqual([]);
  });

  test('is withdrawn, but not approved, by its actor, and then nobody can approve it', async () => {
    const { runner, id } = await requestApproval();
    await expect(decide(runner, 'approved', actor)).rejects.toMatchObject({ code: 'not_permitted' });
    expect(await decide(runner, 'declined', actor)).toMatchObject({ kind: 'decided', isWithdrawn: true });
    expect(await decide(runner, 'approved')).toEqual({ kind: 'gone' });
    expect(await fixture.runs.find(id)).toMatchObject({
      status: 'refused',
      result: { problem: { decidedBy: 'U1' } },
    });
    expect(await fixture.changingCalls()).toEqual([]);
  });

  test('is withdrawn and announced by a late click on Cancel', async () => {
    const { runner, token } = await requestApproval();
    await runner.cancel(token, actor);
    expect(fixture.announced.at(-1)).toMatchObject({
      status: 'refused',
      result: { problem: { decidedBy: 'U1' } },
    });
    expect(await decide(runner, 'approved')).toEqual({ kind: 'gone' });
  });

  test('is approved once when two people approve it together', async () => {
    const { runner } = await requestApproval();
    const results = await Promise.all([decide(runner, 'approved'), decide(runner, 'approved', carol)]);
    expect(results.map(({ kind }) => kind).sort()).toEqual(['decided', 'gone']);
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });

  test('and expired is not approved, and is shown', async () => {
    const { runner, id } = await requestApproval();
    fixture.nowMs += 15 * minuteMs;
    expect(await decide(runner, 'approved')).toEqual({ kind: 'gone' });
    await runner.start();
    await runner.stop();
    expect(fixture.announced.at(-1)).toMatchObject({ id, status: 'expired' });
    const { db } = fixture.database;
    expect(await db.selectFrom('ask').select(['decision', 'finished_at']).execute()).toEqual([
      { decision: null, finished_at: fixture.nowMs },
    ]);
  });

  test('is shown anew, and can then be approved, if its target has changed since', async () => {
    let state = 'running';
    const hosting: HostingClient = {
      ...fixture.client,
      async call(endpoint, input, options) {
        const data = await fixture.client.call(endpoint, input, options);
        return JSON.parse(JSON.stringify(data).replaceAll('"running"', `"${state}"`));
      },
    };
    const { runner } = await requestApproval({ hostingClientFor: () => hosting });
    const oldToken = await fixture.askToken();
    state = 'migrating';
    const approval = { actor: bob, origin: {}, verdict: 'approved' } as const;
    // The second click is on a card that Slack hasn't replaced yet.
    for (const version of [2, 3]) {
      await expect(runner.asks.decide(oldToken, approval)).rejects.toMatchObject({ code: 'target_changed' });
      expect(await listCards(fixture.database.db)).toMatchObject([{ version }]);
    }
    expect(await fixture.changingCalls()).toEqual([]);
    expect(await decide(runner, 'approved')).toMatchObject({ kind: 'decided' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });
});

test('an approved run is not sent if its approver has lost the right since', async () => {
  const denied: string[] = [];
  const { runner, id } = await requestApproval({
    resolveAccess: denying(denied),
    hostingClientFor: () => ({
      ...fixture.client,
      async call(endpoint, input, options) {
        // The call has waited for the quota, and is about to be sent.
        if (endpoint.method !== 'GET') denied.push(bob.userId);
        return fixture.client.call(endpoint, input, options);
      },
    }),
  });
  expect(await decide(runner, 'approved')).toMatchObject({ kind: 'decided' });
  const settled = await fixture.waitUntilSettled(id);
  const message = 'The person who approved this is no longer allowed to approve it.';
  expect(settled).toMatchObject({ status: 'refused', result: { problem: { message } } });
  expect(await fixture.changingCalls()).toEqual([]);
});
