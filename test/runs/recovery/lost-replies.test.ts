import { describe, expect, test } from 'vitest';
import { RackhandError } from '../../../src/errors.ts';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { defineLocal } from '../../../src/operations/define/define-operation.ts';
import type { Outcome } from '../../../src/operations/define/outcome.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();
const quiet = { info: () => undefined, error: () => undefined };

/** The runs that the next process announces. */
async function announcedByNextProcess(laterMs = 0) {
  fixture.announced = [];
  fixture.nowMs += laterMs;
  const next = fixture.createRunner({ log: quiet });
  await next.start();
  await next.stop();
  return fixture.announced;
}

describe('an expired confirmation', () => {
  test('is announced if its card was never delivered', async () => {
    const token = await fixture.requestConfirmation(fixture.createRunner(), 'reboot', { vps: 'VPS-10001' });
    expect(await announcedByNextProcess(10 * minuteMs)).toMatchObject([
      { id: parseRunId(token), status: 'expired' },
    ]);
  });

  test('is not announced if its card was delivered', async () => {
    const runner = fixture.createRunner();
    const answer = await fixture.request(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.markDelivered(answer);
    expect(await announcedByNextProcess(10 * minuteMs)).toEqual([]);
  });

  test('whose run was queued is announced, although a click on the card was answered', async () => {
    const late: HostingClient = {
      ...fixture.client,
      call: (endpoint, ...rest) =>
        endpoint.method === 'GET'
          ? fixture.client.call(endpoint, ...rest)
          : Promise.reject(new RackhandError('deadline_passed', 'No slot in time.')),
    };
    const runner = fixture.createRunner({ hostingClientFor: () => late });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm({ token, actor });
    await fixture.waitUntilSettled(parseRunId(token));
    const reply = await runner.confirm({ token, actor });
    expect(reply).toMatchObject({ kind: 'problem', problem: { code: 'deadline_passed' } });
    await runner.markDelivered(reply);
    // Its message still says that it is queued.
    expect(await announcedByNextProcess()).toMatchObject([{ id: parseRunId(token), status: 'expired' }]);
  });
});

describe('a change that was being checked', () => {
  test('is reported by the next process when it starts', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const runner = fixture.createRunner({ resolveAccess: () => never });
    void fixture.request(runner, 'reboot', { vps: 'VPS-10001' });
    await expect
      .poll(async () => (await fixture.database.db.selectFrom('run').select('status').execute()).length)
      .toBe(1);
    const next = fixture.createRunner();
    await next.start();
    await expect.poll(() => fixture.announced).toHaveLength(1);
    expect(fixture.announced).toMatchObject([
      {
        status: 'expired',
        result: {
          problem: {
            message: 'Rackhand restarted while it was checking this request.',
            changed: 'Nothing was changed.',
            nextSteps: [{ label: 'Try Again', operation: 'reboot', input: { vps: 'VPS-10001' } }],
          },
        },
      },
    ]);
  });
});

describe('a reply', () => {
  test('that was lost is reported by the next process, once', async () => {
    await fixture.request(fixture.createRunner(), 'show', { vps: 'VPS-10001' });
    const [lost] = await announcedByNextProcess();
    expect(lost).toMatchObject({ operation: 'show', status: 'done' });
    await fixture.runs.markDelivered(lost?.id ?? '', lost?.settledMs ?? 0);
    expect(await announcedByNextProcess()).toEqual([]);
  });

  test.each([
    ['show', { vps: 'VPS-10001' }, 'outcome'],
    ['show', { vps: 'VPS-77777' }, 'problem'],
  ] as const)('to %s %o that was delivered is not reported again', async (name, raw, kind) => {
    const runner = fixture.createRunner();
    const answer = await fixture.request(runner, name, raw);
    expect(answer.kind).toBe(kind);
    await runner.markDelivered(answer);
    expect(await announcedByNextProcess()).toEqual([]);
  });

  test('with a problem is reported by the next process if it was lost', async () => {
    await fixture.request(fixture.createRunner(), 'show', { vps: 'VPS-77777' });
    expect(await announcedByNextProcess()).toMatchObject([{ status: 'refused' }]);
  });
});

describe("Rackhand's own data", () => {
  const own = (run: () => Promise<Outcome>) =>
    defineLocal({
      name: 'tidy',
      heading: 'Tidy',
      summary: 'Tidy',
      arguments: {},
      button: 'Tidy',
      right: null,
      run,
    });

  test('counts as possibly changed after an error halfway', async () => {
    const catalogue = fixture.withOperations(own(() => Promise.reject(new Error('in the middle'))));
    const runner = fixture.createRunner({ catalogue, log: quiet });
    expect(await fixture.request(runner, 'tidy', {})).toMatchObject({
      problem: { changed: "It's unknown whether anything was changed." },
    });
  });

  test('is reported as changed, although the actor has just read that this is unknown', async () => {
    const begun = Promise.withResolvers<void>();
    const changed = Promise.withResolvers<Outcome>();
    const catalogue = fixture.withOperations(
      own(() => {
        begun.resolve();
        return changed.promise;
      }),
    );
    const runner = fixture.createRunner({ catalogue, log: quiet });
    const replied = fixture.request(runner, 'tidy', {});
    await begun.promise;
    runner.interrupt();
    const reply = await replied;
    expect(reply).toMatchObject({ problem: { changed: "It's unknown whether anything was changed." } });
    changed.resolve({ title: 'Tidied' });
    const runId = reply.kind === 'problem' ? (reply.runId ?? '') : '';
    await expect.poll(async () => (await fixture.runs.find(runId))?.status).toBe('done');
    await runner.markDelivered(reply);
    expect(await announcedByNextProcess()).toMatchObject([{ id: runId, status: 'done' }]);
  });

  test('counts as possibly changed after a crash', async () => {
    const { promise: never } = Promise.withResolvers<Outcome>();
    const catalogue = fixture.withOperations(own(() => never));
    void fixture.request(fixture.createRunner({ catalogue }), 'tidy', {});
    await expect
      .poll(async () => (await fixture.database.db.selectFrom('run').selectAll().execute()).length)
      .toBe(1);
    const next = fixture.createRunner({ catalogue });
    await next.start();
    await expect.poll(() => fixture.announced).toHaveLength(1);
    expect(fixture.announced).toMatchObject([
      {
        status: 'unknown',
        result: { problem: { changed: "It's unknown whether anything was changed." } },
      },
    ]);
    await next.stop();
  });
});

describe('a typed confirmation', () => {
  const restore = { vps: 'VPS-10001', snapshot: 'weekly' };

  test.each([undefined, '', 'VPS-10002'])('does not accept %j', async (typed) => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'snapshot restore', restore);
    expect(await runner.confirm({ token, actor, typed })).toMatchObject({
      kind: 'problem',
      problem: { code: 'input_invalid' },
    });
    expect(await fixture.changingCalls()).toEqual([]);
    expect(await runner.confirm({ token, actor, typed: 'vps-10001' })).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });
});
