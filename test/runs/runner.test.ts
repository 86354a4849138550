import { describe, expect, test } from 'vitest';
import { performVpsAction } from '../../src/hosting/endpoints/vps.ts';
import type { RunStore } from '../../src/runs/store/run-store.ts';
import { eventually } from '../eventually.ts';
import { actor, minuteMs, parseRunId, useRunnerFixture } from './runner-fixture.ts';

const fixture = useRunnerFixture();

/** Reboots a VPS outside Rackhand. */
async function reboot(name: string): Promise<void> {
  await fixture.client.call(
    performVpsAction,
    { params: { vps_name: name }, body: { action: 'reboot' } },
    { lane: 'people' },
  );
}

describe('a request', () => {
  test('with the key of an earlier one is a duplicate, whatever the result of the first', async () => {
    const runner = fixture.createRunner();
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        fixture.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'once' }, 'same'),
      ),
    );
    expect(answers.map(({ kind }) => kind).sort()).toEqual([...Array(9).fill('duplicate'), 'started']);
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
    expect(
      await fixture.request(runner, 'snapshot create', { vps: 'VPS-10001', name: 'once' }, 'same'),
    ).toEqual({
      kind: 'duplicate',
    });
  });

  test('that is refused is stored with its problem', async () => {
    const runner = fixture.createRunner();
    const answer = await fixture.request(runner, 'reboot', { vps: 'VPS-77777' });
    expect(answer).toMatchObject({ kind: 'problem', problem: { code: 'input_invalid' } });
    const row = await fixture.database.db.selectFrom('run').selectAll().executeTakeFirstOrThrow();
    expect(row).toMatchObject({
      status: 'refused',
      error_code: 'input_invalid',
      target: 'VPS-77777',
      user_id: 'U1',
    });
  });
});

describe('a confirmation', () => {
  test.each([
    { teamId: 'T1', userId: 'U2' },
    { teamId: 'T2', userId: 'U1' },
  ])('is not accepted from %o', async (other) => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    expect(await runner.confirm({ token, actor: other })).toMatchObject({
      kind: 'problem',
      problem: { code: 'not_run_owner' },
    });
    await runner.cancel(token, other);
    expect((await fixture.runs.find(parseRunId(token)))?.status).toBe('waiting');
  });

  test('of a cancelled run does nothing', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.cancel(token, actor);
    expect(await runner.confirm({ token, actor })).toEqual({ kind: 'duplicate' });
    expect(await fixture.changingCalls()).toEqual([]);
    const undelivered = await fixture.runs.showUndelivered('another', fixture.nowMs + minuteMs, 0);
    expect(undelivered, 'ends that the person is told about').toEqual([]);
  });

  test('that is clicked twenty times at once sends one call', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => runner.confirm({ token, actor })));
    expect(answers.filter(({ kind }) => kind === 'started')).toHaveLength(1);
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
    expect(fixture.announced.map(({ status }) => status)).toEqual(['queued', 'sent', 'done']);
  });
});

describe('the second of two clicks', () => {
  test('has no effect while the first is being checked', async () => {
    const token = await fixture.requestConfirmation(fixture.createRunner(), 'reboot', { vps: 'VPS-10001' });
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const enqueue: RunStore['enqueue'] = async (...queued) => {
      await isReleased;
      return fixture.runs.enqueue(...queued);
    };
    const runner = fixture.createRunner({ runs: { ...fixture.runs, enqueue } });
    const first = runner.confirm({ token, actor });
    await eventually(async () => expect((await fixture.calls()).length).toBe(4));
    expect(await fixture.createRunner().confirm({ token, actor })).toEqual({ kind: 'duplicate' });
    release();
    expect(await first).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(1);
  });

  test('does nothing if it cancels a confirmed run', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await Promise.all([runner.confirm({ token, actor }), runner.cancel(token, actor)]);
    await runner.stop();
    const { status } = await fixture.waitUntilSettled(parseRunId(token));
    expect(status === 'done' ? 1 : 0).toBe((await fixture.changingCalls()).length);
  });

  test('is not confirmed by a card that did not show the change', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await reboot('VPS-10001');
    const again = await runner.confirm({ token, actor });
    expect(again).toMatchObject({ kind: 'confirmation', confirmation: { hasTargetChanged: true } });
    expect(await runner.confirm({ token, actor })).toEqual({ kind: 'duplicate' });
    const newToken = again.kind === 'confirmation' ? again.confirmation.token : '';
    expect(newToken).not.toBe(token);
    expect(await fixture.changingCalls()).toHaveLength(1);
    expect(await runner.confirm({ token: newToken, actor })).toEqual({ kind: 'started' });
    await runner.stop();
    expect(await fixture.changingCalls()).toHaveLength(2);
  });
});

describe('a call that certainly was not sent', () => {
  test('settles as failed, not unknown', async () => {
    const runner = fixture.createRunner({
      runs: { ...fixture.runs, markSent: () => Promise.reject(new Error('the database is away')) },
    });
    const token = await fixture.requestConfirmation(runner, 'reboot', { vps: 'VPS-10001' });
    await runner.confirm({ token, actor });
    await runner.stop();
    expect(await fixture.waitUntilSettled(parseRunId(token))).toMatchObject({
      status: 'failed',
      result: { problem: { changed: 'Nothing was changed.' } },
    });
    expect(await fixture.changingCalls()).toEqual([]);
  });
});
