import { describe, expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { HostingError } from '../../../src/hosting/hosting-error.ts';
import type { MessageRef } from '../../../src/messages/message.ts';
import type { ApprovalCard, ApprovalCards } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { Run } from '../../../src/runs/run.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const bob = { teamId: 'T1', userId: 'U2' };
const target = { vps: 'VPS-10001' };
const place = { channel: 'C2', ts: '1.1' };

/** Approval cards that record what they show. */
function createApprovalCards(
  post: (card: ApprovalCard) => Promise<readonly MessageRef[]> = async () => [place],
) {
  const posted: ApprovalCard[] = [];
  const closed: Run[] = [];
  const cards: ApprovalCards = {
    post: (card) => {
      posted.push(card);
      return post(card);
    },
    update: async () => undefined,
    close: async (run) => void closed.push(run),
  };
  return {
    posted,
    closed,
    parts: { approvalCards: cards, findApprovalRoute: async () => ({ channel: 'C2' }) },
  };
}

describe('a run that needs approval', () => {
  test('asks approvers once, however often its actor clicks Confirm', async () => {
    const { posted, parts } = createApprovalCards();
    const runner = fixture.createRunner(parts);
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    const answers = await Promise.all([1, 2, 3].map(() => runner.confirm({ token, actor })));
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['duplicate', 'duplicate', 'started']);
    expect(posted).toHaveLength(1);
    expect(fixture.announced).toMatchObject([{ status: 'waiting', approval: { cards: [place] } }]);
  });

  test("fails if approvers can't be asked, and replies so to its actor", async () => {
    const { parts } = createApprovalCards(() => Promise.reject(new Error('Slack is away')));
    const log = { info: () => undefined, error: () => undefined };
    const runner = fixture.createRunner({ ...parts, log });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    expect(await runner.confirm({ token, actor })).toMatchObject({ kind: 'problem' });
    expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'failed' });
    expect(await runner.confirm({ token, actor })).toEqual({ kind: 'duplicate' });
  });

  test('is not queued by another click after the rule was deleted', async () => {
    const isAsked = Promise.withResolvers<void>();
    let rules = 0;
    const { parts } = createApprovalCards();
    const findApprovalRoute: RunnerDependencies['findApprovalRoute'] = async () => {
      rules += 1;
      if (rules === 1) return { channel: 'C2' };
      await isAsked.promise;
      return undefined;
    };
    const runner = fixture.createRunner({ ...parts, findApprovalRoute });
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
    const { posted, parts } = createApprovalCards();
    const hosting: HostingClient = {
      ...fixture.client,
      call: (endpoint, input, options) =>
        isDown
          ? Promise.reject(new HostingError('service_unreachable', 'Unreachable.', { sendState: 'not-sent' }))
          : fixture.client.call(endpoint, input, options),
    };
    const runner = fixture.createRunner({ ...parts, hostingClientFor: () => hosting });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    const approval = { token: posted[0]?.token ?? '', approver: bob };
    isDown = true;
    expect(await runner.approve(approval)).toMatchObject({
      kind: 'problem',
      problem: { code: 'service_unreachable', changed: 'Nothing was changed.' },
    });
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'waiting' });
    isDown = false;
    expect(await runner.approve(approval)).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });

  test('is neither approved nor declined by somebody without the right to it', async () => {
    const { posted, parts } = createApprovalCards();
    const carol = { teamId: 'T1', userId: 'U3' };
    const runner = fixture.createRunner({
      ...parts,
      resolveAccess:
        async ({ userId }) =>
        () =>
          userId === carol.userId ? { message: 'Denied.', advice: 'Ask.' } : undefined,
    });
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    const card = posted[0]?.token ?? '';
    const refused = { kind: 'problem', problem: { message: 'Denied.' } };
    expect(await runner.approve({ token: card, approver: carol })).toMatchObject(refused);
    expect(await runner.decline({ token: card, approver: carol })).toMatchObject(refused);
    const elsewhere = { token: card, approver: { ...bob, teamId: 'T2' } };
    expect(await runner.decline(elsewhere)).toMatchObject({ kind: 'problem' });
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({ status: 'waiting' });
    expect(await runner.decline({ token: card, approver: bob })).toEqual({ kind: 'started' });
    expect(fixture.announced.at(-1)).toMatchObject({
      status: 'refused',
      result: { problem: { decidedBy: 'U2' } },
    });
  });

  test('is withdrawn, but not approved, by its actor, and then nobody can approve it', async () => {
    const { posted, parts } = createApprovalCards();
    const runner = fixture.createRunner(parts);
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    const own = { token: posted[0]?.token ?? '', approver: actor };
    expect(await runner.approve(own)).toMatchObject({ kind: 'problem', problem: { code: 'not_permitted' } });
    expect(await runner.decline(own)).toEqual({ kind: 'started' });
    expect(await runner.approve({ ...own, approver: bob })).toEqual({ kind: 'duplicate' });
    expect(await fixture.runs.find(parseRunId(token))).toMatchObject({
      status: 'refused',
      result: { problem: { decidedBy: 'U1' } },
    });
    expect(await fixture.changingCalls()).toEqual([]);
  });

  test('is withdrawn and announced by a late click on Cancel', async () => {
    const { parts } = createApprovalCards();
    const runner = fixture.createRunner(parts);
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    await runner.cancel(token, actor);
    expect(fixture.announced.at(-1)).toMatchObject({
      status: 'refused',
      approval: { cards: [place] },
      result: { problem: { decidedBy: 'U1' } },
    });
  });

  test('and expired is not approved, and is shown', async () => {
    const { posted, parts } = createApprovalCards();
    const runner = fixture.createRunner(parts);
    const token = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token, actor });
    fixture.nowMs += 15 * minuteMs;
    expect(await runner.approve({ token: posted[0]?.token ?? '', approver: bob })).toMatchObject({
      kind: 'problem',
      problem: { message: 'This request has expired.' },
    });
    await runner.start();
    await runner.stop();
    expect(fixture.announced.at(-1)).toMatchObject({ id: parseRunId(token), status: 'expired' });
  });
});

test('an approved run is not sent if its approver has lost the right since', async () => {
  const { posted, parts } = createApprovalCards();
  let isBobDenied = false;
  const runner = fixture.createRunner({
    ...parts,
    resolveAccess:
      async ({ userId }) =>
      () =>
        isBobDenied && userId === bob.userId ? { message: 'Denied.', advice: 'Ask.' } : undefined,
    hostingClientFor: () => ({
      ...fixture.client,
      async call(endpoint, input, options) {
        // The call has waited for the quota, and is about to be sent.
        if (endpoint.method !== 'GET') isBobDenied = true;
        return fixture.client.call(endpoint, input, options);
      },
    }),
  });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  await runner.confirm({ token, actor });
  expect(await runner.approve({ token: posted[0]?.token ?? '', approver: bob })).toEqual({ kind: 'started' });
  const settled = await fixture.waitUntilSettled(parseRunId(token));
  const message = 'The person who approved this is no longer allowed to approve it.';
  expect(settled).toMatchObject({ status: 'refused', result: { problem: { message } } });
  expect(await fixture.changingCalls()).toEqual([]);
});
