import { expect, test } from 'vitest';
import type { ApprovalCard } from '../../../src/runs/pipeline/approval/approval-card.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const approver = { teamId: 'T1', userId: 'U2' };
const message = { channel: 'C2', ts: '1.1' };

/** Creates a process, and records its cards. */
function createProcess(overrides: Partial<RunnerDependencies> = {}) {
  const cards: ApprovalCard[] = [];
  const runner = fixture.createRunner({
    hasReplicas: true,
    findApprovalRoute: async () => ({ channel: 'C2' }),
    approvalCards: {
      async post(card) {
        cards.push(card);
        return [message];
      },
      async update(card, messages) {
        expect(messages).toEqual([message]);
        cards.push(card);
      },
      close: async () => undefined,
    },
    ...overrides,
  });
  return { runner, cards };
}

/** Somebody approves, and the process is killed when it has stored the decision. */
async function crashAfterApproval() {
  const stored = Promise.withResolvers<void>();
  const { runner, cards } = createProcess({
    runs: {
      ...fixture.runs,
      async enqueue(...decided) {
        await fixture.runs.enqueue(...decided);
        stored.resolve();
        return new Promise<never>(() => {});
      },
    },
  });
  const confirmation = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10002' });
  await runner.confirm({ token: confirmation, actor });
  const token = cards[0]?.token ?? '';
  void runner.approve({ token, approver });
  await stored.promise;
  fixture.nowMs += minuteMs;
  return { token, runId: parseRunId(confirmation) };
}

test('an approved run whose process was killed before its call is sent once', async () => {
  const { token, runId } = await crashAfterApproval();
  const [one, other] = [createProcess().runner, createProcess().runner];
  await Promise.all([one.start(), other.start()]);
  expect(await fixture.waitUntilSettled(runId)).toMatchObject({
    status: 'done',
    approval: { approverId: approver.userId },
  });
  expect(await other.approve({ token, approver })).toEqual({ kind: 'duplicate' });
  await Promise.all([one.stop(), other.stop()]);
  expect(await fixture.changingCalls()).toHaveLength(1);
});
