import { afterEach, describe, expect, test } from 'vitest';
import type { CallOptions, HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
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
