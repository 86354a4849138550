import { expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { ApprovalCard } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { Run } from '../../../src/runs/run.ts';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

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
  expect(await runner.approve(click)).toMatchObject({ kind: 'problem', problem: { code: 'internal' } });
  const changed = { kind: 'problem', problem: { code: 'target_changed' } };
  expect(await runner.approve(click)).toMatchObject(changed);
  expect(renewed).toMatchObject([{ hasTargetChanged: true }, { hasTargetChanged: true }]);
  expect(await runner.approve({ ...click, token: renewed.at(-1)?.token ?? '' })).toEqual({
    kind: 'started',
  });
  await runner.stop();
  expect(await fixture.changingCalls()).toHaveLength(1);
});
