import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../../src/errors.ts';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { ApprovalCard } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { Run } from '../../../src/runs/run.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const bob = { teamId: 'T1', userId: 'U2' };
const target = { vps: 'VPS-10001' };

/** Approval cards in a channel, those that were posted, and the states of the runs that they show. */
function recordCards() {
  const posted: ApprovalCard[] = [];
  const closed: Run['status'][] = [];
  const approvalCards = {
    async post(card: ApprovalCard) {
      posted.push(card);
      return [{ channel: 'C2', ts: '1.1' }];
    },
    update: async () => undefined,
    close: async ({ status }: Run) => void closed.push(status),
  };
  return { posted, closed, parts: { approvalCards, findApprovalRoute: async () => ({ channel: 'C2' }) } };
}

/** Returns the service with another state of each running VPS. */
function createService() {
  const service = { state: 'running' };
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, input, options) {
      const data = await fixture.client.call(endpoint, input, options);
      return JSON.parse(JSON.stringify(data).replaceAll('"running"', `"${service.state}"`));
    },
  };
  return { service, hosting };
}

test('a run that needs approval is renewed by a click on a card that Slack did not replace, and can then be approved', async () => {
  const { service, hosting } = createService();
  const renewed: ApprovalCard[] = [];
  const { posted, parts } = recordCards();
  const update = async (card: ApprovalCard) => {
    renewed.push(card);
    if (renewed.length === 1) throw new Error('Slack is away');
  };
  const runner = fixture.createRunner({
    ...parts,
    approvalCards: { ...parts.approvalCards, update },
    hostingClientFor: () => hosting,
    log: { info: () => undefined, error: () => undefined },
  });
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  await runner.confirm({ token, actor });
  service.state = 'migrating';
  const click = { token: posted[0]?.token ?? '', approver: bob };
  expect(await runner.approve(click)).toMatchObject({ kind: 'problem' });
  expect(await runner.approve(click)).toEqual({ kind: 'reconfirm' });
  expect(renewed).toMatchObject([{ hasTargetChanged: true }, { hasTargetChanged: true }]);
  expect(await runner.approve({ ...click, token: renewed.at(-1)?.token ?? '' })).toEqual({
    kind: 'started',
  });
  await runner.stop();
  expect(await fixture.changingCalls()).toHaveLength(1);
});

test('a run that needs approval can be declined on a card that Slack did not replace', async () => {
  const { posted, parts } = recordCards();
  const runner = fixture.createRunner(parts);
  const token = await fixture.requestConfirmation(runner, 'reboot', target);
  await runner.confirm({ token, actor });
  const run = await fixture.runs.find(parseRunId(token));
  const renewed = { confirmedState: 'another state', expiresMs: fixture.nowMs + 15 * minuteMs };
  if (run) await fixture.runs.renewApproval(run, renewed, fixture.nowMs);
  const click = { token: posted[0]?.token ?? '', approver: bob };
  expect(await runner.decline(click)).toEqual({ kind: 'decided' });
});

describe('a card whose notice of the check was shown after another click', () => {
  const carol = { teamId: 'T1', userId: 'U3' };
  /** Requests approval. Carol clicks first, and her click is held after her card has lost its buttons. */
  async function startClick(overrides: Partial<RunnerDependencies>, token: () => string | undefined) {
    const runner = fixture.createRunner(overrides);
    const confirmation = await fixture.requestConfirmation(runner, 'reboot', target);
    await runner.confirm({ token: confirmation, actor });
    const shown = Promise.withResolvers<void>();
    const released = Promise.withResolvers<Error | undefined>();
    const click = { token: token() ?? '', approver: carol };
    const late = runner.approve({
      ...click,
      async showChecking(check) {
        shown.resolve();
        const failure = await released.promise;
        if (failure) throw failure;
        return check;
      },
    });
    await shown.promise;
    return { runner, click: { ...click, approver: bob }, late, release: released.resolve };
  }

  test.each([
    ['ends', undefined],
    ['fails', new RackhandError('service_timeout', 'The service does not answer.')],
  ])('shows the decision if the check %s', async (_, failure) => {
    const { posted, closed, parts } = recordCards();
    const { runner, click, late, release } = await startClick(parts, () => posted[0]?.token);
    expect(await runner.approve(click)).toEqual({ kind: 'started' });
    await runner.stop();
    expect(closed).toEqual([]);
    release(failure);
    expect(await late).toEqual({ kind: 'duplicate' });
    expect(closed).toEqual(['done']);
    expect(await fixture.changingCalls()).toHaveLength(1);
  });

  test('shows the new state of the target', async () => {
    const { service, hosting } = createService();
    const renewed: string[] = [];
    const { posted, parts } = recordCards();
    const update = async ({ token }: ApprovalCard) => void renewed.push(token);
    const { runner, click, late, release } = await startClick(
      {
        ...parts,
        approvalCards: { ...parts.approvalCards, update },
        hostingClientFor: () => hosting,
        async resolveAccess() {
          service.state = posted.length > 0 ? 'migrating' : 'running';
          return () => undefined;
        },
      },
      () => posted[0]?.token,
    );
    expect(await runner.approve(click)).toEqual({ kind: 'reconfirm' });
    release(undefined);
    expect(await late).toEqual({ kind: 'reconfirm' });
    expect(renewed).toHaveLength(2);
    expect(await runner.approve({ ...click, token: renewed.at(-1) ?? '' })).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });
});
