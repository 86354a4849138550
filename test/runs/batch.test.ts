import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { deniedProblem } from '../../src/runs/problem.ts';
import type { Run } from '../../src/runs/run.ts';
import { eventually } from '../eventually.ts';
import { actor, parseRunId, useRunnerFixture } from './runner-fixture.ts';

const fixture = useRunnerFixture();
const three = ['VPS-10001', 'VPS-10002', 'VPS-10003'];
const batch = 'reboot several';

async function postFault(fault: object): Promise<void> {
  const body = JSON.stringify(fault);
  await fetch(`${fixture.serviceUrl}/sandbox/faults`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
}

const reboots = async () =>
  (await fixture.changingCalls()).map((call) => call.replace(/.*(VPS-\d+).*/, '$1')).sort();

/** Marks the reboots as seen to their end, as the progress poller does. */
async function finishReboots(batchId: string, state = 'running'): Promise<void> {
  for (const run of await fixture.runs.listBatch(batchId))
    if (run.status === 'done' && !run.progress?.isFinished)
      await fixture.runs.saveProgress(run.id, {
        isFinished: true,
        text: `${run.target} is ${state} now.`,
        state,
      });
}

/** Waits until the batch has ended. Reboots end as soon as they were sent. */
const waitForEnd = (batchId: string): Promise<Run> =>
  eventually(async () => {
    await finishReboots(batchId);
    const run = await fixture.runs.find(batchId);
    if (!run?.settledMs) throw new Error(`the batch is ${run?.status}`);
    return run;
  });

const listLines = ({ result }: Run) => {
  const facts = result?.kind === 'outcome' ? result.outcome.facts : result?.problem.facts;
  return (facts ?? []).map(
    ({ label, value }) => `${label}: ${typeof value === 'string' ? value : value.kind}`,
  );
};

describe('a batch', () => {
  test('shows each VPS with its state on one card, and runs each once', async () => {
    const runner = fixture.createRunner();
    const reply = await fixture.request(runner, batch, { targets: ['web-01', 'VPS-10002', 'VPS-10001'] });
    if (reply.kind !== 'confirmation') throw new Error(JSON.stringify(reply));
    expect(reply.confirmation).toMatchObject({
      title: 'Reboot 2 VPS',
      button: 'Reboot All',
      facts: [
        { label: expect.stringContaining('VPS-10001'), value: { state: 'running' } },
        { label: expect.stringContaining('VPS-10002'), value: { state: 'running' } },
      ],
    });
    expect(await reboots()).toEqual([]);
    const { token } = reply.confirmation;
    await Promise.all([runner.confirm({ token, actor }), runner.confirm({ token, actor })]);
    const run = await waitForEnd(parseRunId(token));
    expect(run.status).toBe('done');
    expect(await reboots()).toEqual(['VPS-10001', 'VPS-10002']);
    expect(listLines(run)).toEqual([
      expect.stringMatching(/VPS-10001.*✅ running/),
      expect.stringMatching(/VPS-10002.*✅ running/),
    ]);
    const rows = await fixture.runs.listBatch(run.id);
    expect(rows.map(({ operation, target }) => `${operation} ${target}`).sort()).toEqual([
      'reboot VPS-10001',
      'reboot VPS-10002',
    ]);
  });

  test('goes on after a failure, and says which VPS failed', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    await postFault({ method: 'POST', path: '/v1/vps/VPS-10002/action', fault: 'status:409' });
    await runner.confirm({ token, actor });
    const run = await waitForEnd(parseRunId(token));
    expect(run).toMatchObject({
      status: 'failed',
      result: {
        problem: {
          code: 'batch_incomplete',
          message: '1 of 3 did not succeed.',
          changed: '2 of 3 done, 1 failed.',
          nextSteps: [{ label: 'Run the Rest', input: { targets: ['VPS-10002'] } }],
        },
      },
    });
    expect(await reboots()).toEqual(three);
  });

  test('with a pace begins the next when one is done, and stops after the first failure', async () => {
    const runner = fixture.createRunner();
    const targets = [...three, 'VPS-10004', 'VPS-10005'];
    const token = await fixture.requestConfirmation(runner, batch, { targets });
    const batchId = parseRunId(token);
    await postFault({ method: 'POST', path: '/v1/vps/VPS-10003/action', fault: 'status:409' });
    await runner.confirm({ token, actor, atATime: 2 });
    await expect.poll(reboots).toEqual(['VPS-10001', 'VPS-10002']);
    await expect
      .poll(async () => (await fixture.runs.listBatch(batchId)).map(({ status }) => status))
      .toEqual(['done', 'done']);
    const run = await waitForEnd(batchId);
    expect(await reboots()).toEqual(expect.arrayContaining(three));
    expect(await reboots()).not.toContain('VPS-10005');
    expect(run.result).toMatchObject({
      problem: { message: expect.stringMatching(/VPS-10003.* did not succeed, so the rest did not start\./) },
    });
    expect(listLines(run).at(-1)).toMatch(/VPS-10005.*: ⏹️ Not started/);
  });

  test('starts nothing else once a person has stopped it', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    const batchId = parseRunId(token);
    await runner.confirm({ token, actor, atATime: 1 });
    await expect
      .poll(async () => (await fixture.runs.listBatch(batchId)).map(({ status }) => status))
      .toEqual(['done']);
    expect(await runner.stopRun(batchId, actor)).toBeUndefined();
    const run = await waitForEnd(batchId);
    expect(run.result).toMatchObject({ problem: { message: 'This was stopped. The rest did not start.' } });
    expect(await reboots()).toEqual(['VPS-10001']);
  });

  test('can be stopped only by those who may do the same', async () => {
    const denial = { message: 'No.', advice: 'Ask.' };
    const runner = fixture.createRunner({
      resolveAccess:
        async ({ userId }) =>
        () =>
          userId === actor.userId ? undefined : denial,
    });
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    const batchId = parseRunId(token);
    await runner.confirm({ token, actor, atATime: 1 });
    await expect.poll(reboots).toEqual(['VPS-10001']);
    expect(await runner.stopRun(batchId, { teamId: actor.teamId, userId: 'U2' })).toEqual(
      deniedProblem(denial),
    );
    expect(await runner.stopRun(batchId, { teamId: 'T2', userId: 'U2' })).toMatchObject({
      code: 'not_run_owner',
    });
    expect((await fixture.runs.find(batchId))?.stoppedBy).toBeUndefined();
  });

  test('checks the rights right before each call', async () => {
    let isAllowed = true;
    const runner = fixture.createRunner({
      resolveAccess: async () => () => (isAllowed ? undefined : { message: 'No longer.', advice: 'Ask.' }),
    });
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    const batchId = parseRunId(token);
    await runner.confirm({ token, actor, atATime: 1 });
    await expect.poll(reboots).toEqual(['VPS-10001']);
    isAllowed = false;
    const run = await waitForEnd(batchId);
    expect(await reboots()).toEqual(['VPS-10001']);
    expect(listLines(run)[1]).toMatch(/VPS-10002.*🚫 Refused: No longer\./);
  });

  test('shows the card again if a VPS is in another state', async () => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    await fixture.client.call(
      (await import('../../src/hosting/endpoints/vps.ts')).performVpsAction,
      { params: { vps_name: 'VPS-10002' }, body: { action: 'stop' } },
      { lane: 'people', caller: 'U9' },
    );
    expect(await runner.confirm({ token, actor })).toMatchObject({
      kind: 'confirmation',
      confirmation: { hasTargetChanged: true },
    });
    expect(await fixture.runs.listBatch(parseRunId(token))).toEqual([]);
  });

  test('goes on after a restart, without a second call for any VPS', async () => {
    const stopped = fixture.createRunner();
    const token = await fixture.requestConfirmation(stopped, batch, { targets: three });
    const batchId = parseRunId(token);
    await stopped.confirm({ token, actor, atATime: 1 });
    await expect
      .poll(async () => (await fixture.runs.listBatch(batchId)).map(({ status }) => status))
      .toEqual(['done']);
    await stopped.stop();
    await stopped.release();
    const runner = fixture.createRunner();
    await runner.start();
    const run = await waitForEnd(batchId);
    expect(run.status).toBe('done');
    expect(await reboots()).toEqual(three);
  });

  test('has one run and one call for each VPS, even if two processes execute it', async () => {
    const first = fixture.createRunner();
    const token = await fixture.requestConfirmation(first, batch, { targets: three });
    const batchId = parseRunId(token);
    await first.confirm({ token, actor, atATime: 1 });
    await expect
      .poll(async () => (await fixture.runs.listBatch(batchId)).map(({ status }) => status))
      .toEqual(['done']);
    await fixture.database.db.updateTable('run').set({ lease_until: 0 }).where('id', '=', batchId).execute();
    const other = fixture.createRunner();
    await other.start();
    expect((await waitForEnd(batchId)).status).toBe('done');
    expect(await fixture.runs.listBatch(batchId)).toHaveLength(3);
    expect(await reboots()).toEqual(three);
  });

  test('tries a VPS again whose run could not be stored', async () => {
    const errors: unknown[] = [];
    const log = { info: () => undefined, error: (...words: unknown[]) => errors.push(words) };
    const runner = fixture.createRunner({ log });
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    const { db } = fixture.database;
    await sql`create trigger full before insert on run when new.batch_id is not null and new.input like '%VPS-10002%'
      begin select raise(abort, 'the disk is full'); end`.execute(db);
    await runner.confirm({ token, actor });
    await expect.poll(() => errors).not.toEqual([]);
    await sql`drop trigger full`.execute(db);
    expect((await waitForEnd(parseRunId(token))).status).toBe('done');
    expect(await reboots()).toEqual(three);
  });

  test('counts an approval for each VPS', async () => {
    const runner = fixture.createRunner({ findApprovalRoute: async () => ({ channel: null }) });
    const token = await fixture.requestConfirmation(runner, batch, { targets: three });
    await runner.confirm({ token, actor });
    expect(await reboots()).toEqual([]);
    await runner.asks.decide(await fixture.askToken(), {
      actor: { ...actor, userId: 'U2' },
      origin: {},
      verdict: 'approved',
    });
    const run = await waitForEnd(parseRunId(token));
    expect(run.status).toBe('done');
    expect(await reboots()).toEqual(three);
  });
});

describe('the VPS of a batch', () => {
  test.each([
    [['web-*'], ['VPS-10001']],
    [['vps-1000*'], ['VPS-10001', 'VPS-10009']],
  ])('are those that %s matches', async (targets, some) => {
    const runner = fixture.createRunner();
    const token = await fixture.requestConfirmation(runner, batch, { targets });
    const run = await fixture.runs.find(parseRunId(token));
    expect(run?.input.targets).toEqual(expect.arrayContaining(some));
  });
});
