import { describe, expect, test } from 'vitest';
import { defineLocal } from '../../src/operations/define/define-operation.ts';
import type { RunReply } from '../../src/runs/run-reply.ts';
import { eventually } from '../eventually.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from './runner-fixture.ts';

const fixture = useRunnerFixture();

function parseToken(reply: RunReply): string {
  return reply.kind === 'confirmation' ? reply.confirmation.token : '';
}

describe('a run left waiting', () => {
  test('expires unconfirmed, and its card says so when pressed', async () => {
    const runner = fixture.createRunner();
    const reply = await fixture.request(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.deliver(reply, async () => undefined);
    const token = parseToken(reply);
    fixture.nowMs += 10 * minuteMs;
    const next = fixture.createRunner();
    await next.start();
    expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({ status: 'expired' });
    expect(fixture.announced).toEqual([]);
    expect(await next.confirm({ token, actor })).toMatchObject({
      kind: 'problem',
      problem: { message: 'This request has expired.' },
    });
    await next.stop();
  });

  test('for its checks expires after ten minutes, and that is announced', async () => {
    const { promise: never } = Promise.withResolvers<never>();
    const runner = fixture.createRunner({
      hostingClientFor: () => ({ ...fixture.client, call: () => never }),
    });
    void fixture.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'late' });
    const run = await eventually(() =>
      fixture.database.db.selectFrom('run').selectAll().executeTakeFirstOrThrow(),
    );
    fixture.nowMs += 10 * minuteMs;
    const next = fixture.createRunner();
    await next.start();
    expect(await fixture.waitUntilSettled(run.id)).toMatchObject({ status: 'expired' });
    expect(fixture.announced).toMatchObject([{ id: run.id, status: 'expired' }]);
    await next.stop();
  });
});

test("a change of Rackhand's own data that a stop interrupts during its checks isn't made afterwards", async () => {
  let changes = 0;
  const catalogue = fixture.withOperations(
    defineLocal({
      name: 'tidy',
      heading: 'Tidy',
      summary: 'Tidies',
      arguments: {},
      button: 'Tidy',
      right: 'operate',
      async run() {
        changes += 1;
        return { title: 'Tidied' };
      },
    }),
  );
  const isChecking = Promise.withResolvers<void>();
  const access = Promise.withResolvers<void>();
  const stopping = fixture.createRunner({
    catalogue,
    async resolveAccess() {
      isChecking.resolve();
      await access.promise;
      return () => undefined;
    },
  });
  const reply = fixture.request(stopping, 'tidy', {});
  await isChecking.promise;
  await stopping.release();
  const next = fixture.createRunner({ catalogue });
  await next.start();
  await eventually(async () =>
    expect(fixture.announced).toMatchObject([{ result: { problem: { code: 'stopped' } } }]),
  );
  access.resolve();
  await reply;
  expect(changes).toBe(0);
});

describe('after a crash', () => {
  test('a queued run is executed, with one call', async () => {
    await fixture.insertRun('queued');
    await fixture.createRunner().start();
    expect(await fixture.waitUntilSettled('left')).toMatchObject({ status: 'done' });
    expect(await fixture.changingCalls()).toHaveLength(1);
    expect(fixture.announced.at(-1)).toMatchObject({ status: 'done' });
  });

  test('an expired queued run is not executed, and that is announced', async () => {
    await fixture.insertRun('queued', { expiresMs: fixture.nowMs - 1 });
    await fixture.createRunner().start();
    expect(await fixture.waitUntilSettled('left')).toMatchObject({
      status: 'expired',
      result: { problem: { changed: 'Nothing was changed.' } },
    });
    expect(fixture.announced.map(({ status }) => status)).toEqual(['expired']);
    expect(await fixture.changingCalls()).toEqual([]);
  });

  test('a sent run is settled as unknown with its target read back, announced, and never sent again', async () => {
    await fixture.insertRun('sent');
    await fixture.createRunner().start();
    expect(await fixture.waitUntilSettled('left')).toMatchObject({
      status: 'unknown',
      result: {
        problem: {
          code: 'stopped',
          facts: [{ label: 'State', value: { kind: 'state', state: 'running' } }, { label: 'Hostname' }],
        },
      },
    });
    expect(fixture.announced.map(({ status }) => status)).toEqual(['unknown']);
    expect(await fixture.changingCalls()).toEqual([]);
  });

  test('a lost read is announced', async () => {
    await fixture.insertRun('queued', { operation: 'show', title: null });
    await fixture.createRunner().start();
    expect(await fixture.waitUntilSettled('left')).toMatchObject({
      status: 'expired',
      result: { problem: { code: 'stopped' } },
    });
    expect(fixture.announced).toHaveLength(1);
  });

  test('runs of a living replica are adopted only after its lease has ended', async () => {
    await fixture.insertRun('queued');
    const runner = fixture.createRunner({ hasReplicas: true });
    await runner.start();
    const { owner } = await fixture.database.db.selectFrom('run').select('owner').executeTakeFirstOrThrow();
    expect(owner).toBe('gone');
    expect(await fixture.changingCalls()).toEqual([]);
    fixture.nowMs += 30_001;
    const another = fixture.createRunner({ hasReplicas: true });
    await another.start();
    expect(await fixture.waitUntilSettled('left')).toMatchObject({ status: 'done' });
    expect(await fixture.changingCalls()).toHaveLength(1);
    await Promise.all([runner.stop(), another.stop()]);
  });

  test('two replicas that start at once adopt a run once', async () => {
    await fixture.insertRun('queued');
    fixture.nowMs += 30_001;
    const replicas = [
      fixture.createRunner({ hasReplicas: true }),
      fixture.createRunner({ hasReplicas: true }),
    ];
    await Promise.all(replicas.map((runner) => runner.start()));
    expect(await fixture.waitUntilSettled('left')).toMatchObject({ status: 'done' });
    expect(await fixture.changingCalls()).toHaveLength(1);
    await Promise.all(replicas.map((runner) => runner.stop()));
  });
});
