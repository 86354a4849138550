import { afterEach, describe, expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import type { RunnerDependencies } from '../../../src/runs/runner.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import { actor, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const quiet = { info: () => undefined, error: () => undefined };

let release = () => {};
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

  test('is the reply', async () => {
    const denial = { message: "You don't have permission.", advice: 'Ask an admin.' };
    const resolveAccess = async () => () => denial;
    const runner = fixture.createRunner({ runs: createBreakingStore(), resolveAccess, ...connection });
    expect(await fixture.request(runner, 'reboot', { vps: 'VPS-10001' })).toMatchObject({
      kind: 'problem',
      problem: { code: 'not_permitted' },
    });
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

  test('is no failure for its approver', async () => {
    const tokens: string[] = [];
    const runner = fixture.createRunner({
      runs: { ...fixture.runs, enqueue },
      log: quiet,
      findApprovalRoute: async () => ({ channel: 'C2' }),
      approvalCards: {
        async post(card) {
          tokens.push(card.token);
          return [{ channel: 'C2', ts: '1.1' }];
        },
        update: async () => undefined,
        close: async () => undefined,
      },
    });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm({ token, actor });
    const click = { token: tokens[0] ?? '', approver: { ...actor, userId: 'U2' } };
    expect(await runner.approve(click)).toEqual({ kind: 'started' });
    await runner.stop();
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

  test('is reported as such, although the checks before a retry failed', async () => {
    const hosting: HostingClient = {
      ...fixture.client,
      async call(endpoint, input, options) {
        if (endpoint.method === 'GET') return fixture.client.call(endpoint, input, options);
        // The first attempt can't connect.
        await options.beforeSend?.();
        return fixture.client.call(endpoint, input, options);
      },
    };
    let marks = 0;
    const markSent: RunStore['markSent'] = async (...marked) => {
      marks += 1;
      if (marks > 1) throw lost;
      return fixture.runs.markSent(...marked);
    };
    const run = await sendWith({
      runs: { ...fixture.runs, markSent },
      hostingClientFor: () => hosting,
    });
    expect(run).toMatchObject({ status: 'failed', result: { problem: { changed: 'Nothing was changed.' } } });
  });
});

test('an answer counts although another process reads what became of the call', async () => {
  const answer = Promise.withResolvers<void>();
  const [sent, reading, read] = [1, 2, 3].map(() => Promise.withResolvers<void>());
  release = () => {
    answer.resolve();
    read?.resolve();
  };
  const hold = (isHeld: (method: string) => boolean, begun = sent, until = answer): HostingClient => ({
    ...fixture.client,
    async call(endpoint, ...rest) {
      const data = await fixture.client.call(endpoint, ...rest);
      if (!isHeld(endpoint.method)) return data;
      begun?.resolve();
      await until.promise;
      return data;
    },
  });
  const slow = hold((method) => method !== 'GET');
  const first = fixture.createRunner({ hostingClientFor: () => slow, hasReplicas: true });
  const token = await fixture.requestConfirmation(first, 'reboot', { vps: 'VPS-10001' });
  await first.confirm({ token, actor });
  await sent?.promise;
  fixture.nowMs += 30_001;
  const reads = hold(() => true, reading, read);
  const replica = fixture.createRunner({ hostingClientFor: () => reads, hasReplicas: true });
  await replica.start();
  await reading?.promise;
  answer.resolve();
  await first.stop();
  read?.resolve();
  await replica.stop();
  expect((await fixture.runs.find(parseRunId(token)))?.status).toBe('done');
  expect(fixture.announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
});
