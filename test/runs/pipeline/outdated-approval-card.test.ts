import { expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { ApprovalCard } from '../../../src/runs/pipeline/approval/approval-card.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const bob = { teamId: 'T1', userId: 'U2' };
const target = { vps: 'VPS-10001' };

/** Approval cards in a channel, and those that were posted. */
function recordCards() {
  const posted: ApprovalCard[] = [];
  const approvalCards = {
    async post(card: ApprovalCard) {
      posted.push(card);
      return [{ channel: 'C2', ts: '1.1' }];
    },
    update: async () => undefined,
    close: async () => undefined,
  };
  return { posted, parts: { approvalCards, findApprovalRule: async () => ({ channel: 'C2' }) } };
}

test('a run that needs approval is renewed by a click on a card that Slack did not replace, and can then be approved', async () => {
  let state = 'running';
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, input, options) {
      const data = await fixture.client.call(endpoint, input, options);
      return JSON.parse(JSON.stringify(data).replaceAll('"running"', `"${state}"`));
    },
  };
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
  state = 'migrating';
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
