import { afterEach, describe, expect, test } from 'vitest';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const quiet = { info: () => undefined, error: () => undefined };

const release = () => {};
afterEach(() => release());

/** A run store whose connection breaks once, after a run was settled and before the answer. */
function createBreakingStore(): RunStore {
  let isBroken = false;
  return {
    ...fixture.runs,
    async settle(settlement) {
      const isSettled = await fixture.runs.settle(settlement);
      if (isBroken) return isSettled;
      isBroken = true;
      throw new Error('Connection terminated unexpectedly');
    },
  };
}

describe("an end that was stored, although the database's answer was lost", () => {
  const connection = { log: quiet, pause: async () => undefined };

  test('is announced', async () => {
    const runner = fixture.createRunner({ runs: createBreakingStore(), ...connection });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm({ token, actor });
    await fixture.waitUntilSettled(parseRunId(token));
    await runner.stop();
    expect(fixture.announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
  });
});

describe("a change that was queued, although the database's answer was lost", () => {
  const enqueue: RunStore['enqueue'] = async (...queued) => {
    await fixture.runs.enqueue(...queued);
    throw new Error('Connection terminated unexpectedly');
  };

  test('is sent at once, and the click has started it', async () => {
    const runner = fixture.createRunner({ runs: { ...fixture.runs, enqueue }, log: quiet });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    expect(await runner.confirm({ token, actor })).toEqual({ kind: 'started' });
    await runner.stop();
    expect(fixture.announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
    expect(await fixture.changingCalls()).toHaveLength(1);
  });
});

describe("a change that wasn't sent", () => {
  const lost = new Error('Connection terminated unexpectedly');
  const connection = { log: quiet, pause: async () => undefined };

  async function sendWith(overrides: Partial<RunnerDependencies>) {
    const runner = fixture.createRunner({ ...connection, ...overrides });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm({ token, actor });
    await runner.stop();
    expect(await fixture.changingCalls()).toEqual([]);
    return fixture.runs.find(parseRunId(token));
  }

  test("is reported as such, although the database's answer to its mark was lost", async () => {
    const markSent: RunStore['markSent'] = async (...marked) => {
      await fixture.runs.markSent(...marked);
      throw lost;
    };
    const run = await sendWith({ runs: { ...fixture.runs, markSent } });
    expect(run).toMatchObject({ status: 'failed', result: { problem: { changed: 'Nothing was changed.' } } });
  });
});
