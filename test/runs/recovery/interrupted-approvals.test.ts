import { expect, test } from 'vitest';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const approver = { teamId: 'T1', userId: 'U2' };
const approval = { actor: approver, origin: {}, verdict: 'approved' } as const;

const createProcess = (overrides: Partial<RunnerDependencies> = {}) =>
  fixture.createRunner({
    hasReplicas: true,
    findApprovalRoute: async () => ({ channel: 'C2' }),
    ...overrides,
  });

/** Somebody approves, and the process is killed when it has stored the decision. */
async function crashAfterApproval() {
  const stored = Promise.withResolvers<void>();
  const runner = createProcess({
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
  const token = await fixture.askToken();
  void runner.asks.decide(token, approval);
  await stored.promise;
  fixture.nowMs += minuteMs;
  return { token, runId: parseRunId(confirmation) };
}

test('an approved run whose process was killed before its call is sent once', async () => {
  const { token, runId } = await crashAfterApproval();
  const [one, other] = [createProcess(), createProcess()];
  await Promise.all([one.start(), other.start()]);
  expect(await fixture.waitUntilSettled(runId)).toMatchObject({
    status: 'done',
    approval: { approverId: approver.userId },
  });
  expect(await other.asks.decide(token, approval)).toEqual({ kind: 'gone' });
  await Promise.all([one.stop(), other.stop()]);
  expect(await fixture.changingCalls()).toHaveLength(1);
});

test('a run that awaits approval is approved in another process, if its own was killed', async () => {
  const killed = createProcess();
  const confirmation = await fixture.requestConfirmation(killed, 'reboot', { vps: 'VPS-10002' });
  await killed.confirm({ token: confirmation, actor });
  fixture.nowMs += minuteMs;
  const next = createProcess();
  await next.start();
  expect(await fixture.runs.find(parseRunId(confirmation))).toMatchObject({ status: 'waiting' });
  expect(await next.asks.decide(await fixture.askToken(), approval)).toMatchObject({ kind: 'decided' });
  await next.stop();
  expect(await fixture.changingCalls()).toHaveLength(1);
});
