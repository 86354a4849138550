import { describe, expect, test } from 'vitest';
import { createAskStore } from '../../../src/asks/ask-store.ts';
import type { Database } from '../../../src/db/engines/database.ts';
import { type ConfirmedState, toConfirmedState } from '../../../src/runs/confirmed-state.ts';
import { expiredProblem } from '../../../src/runs/problem.ts';
import { createProblemEnd, type Run } from '../../../src/runs/run.ts';
import { createRunStore, type RunStore } from '../../../src/runs/store/run-store.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';
import { collectShown } from '../collect-shown.ts';
import { createRun } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const minuteMs = 60_000;

describe.each(databases)('a run in $name', ({ start }) => {
  const database = useTestDatabase(start);
  const lease = { owner: 'this process', untilMs: 10 * minuteMs };
  const run = createRun({
    actor: { teamId: 'T1', userId: 'U1' },
    origin: { channel: 'C1', threadTs: '1.2' },
    status: 'waiting',
    expiresMs: 5 * minuteMs,
    requestedMs: 1_795_000_000_123,
    queuedMs: null,
    settledMs: null,
  });
  const result = { kind: 'outcome', outcome: { title: 'done “здесь” 🟢' } } as const;
  const expired = { kind: 'problem', problem: expiredProblem() } as const;

  test('is read as it was stored', async () => {
    const runs = createRunStore(database.db, testVault);
    expect(await runs.claim(run, 'key-1', lease)).toBe(true);
    expect(await runs.find('run-1')).toEqual(run);
  });

  test('is claimed by one of several requests with the same key', async () => {
    const runs = createRunStore(database.db, testVault);
    const claims = Array.from({ length: 20 }, (_, index) =>
      runs.claim({ ...run, id: `run-${index}` }, 'same', lease),
    );
    expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(1);
  });

  test('goes from waiting to queued to sent to done, each step once', async () => {
    const runs = createRunStore(database.db, testVault);
    await runs.claim(run, 'key-1', lease);
    const queue = () => runs.enqueue(run, lease, 6 * minuteMs, minuteMs);
    expect((await Promise.all([queue(), queue(), queue()])).filter(Boolean)).toHaveLength(1);
    const send = () => runs.markSent('run-1', 'queued', lease.owner, minuteMs);
    expect((await Promise.all([send(), send(), send()])).filter(Boolean)).toHaveLength(1);
    const settle = () =>
      runs.settle({ id: 'run-1', from: ['sent'], owner: lease.owner, status: 'done', result, nowMs: 7 });
    expect((await Promise.all([settle(), settle()])).filter(Boolean)).toHaveLength(1);
    expect(await runs.find('run-1')).toMatchObject({ status: 'done', result, settledMs: 7 });
  });

  test('is neither queued nor sent after it has expired', async () => {
    const runs = createRunStore(database.db, testVault);
    await runs.claim(run, 'key-1', lease);
    expect(await runs.enqueue(run, lease, 6 * minuteMs, 5 * minuteMs)).toBe(false);
    expect(await runs.enqueue(run, lease, 6 * minuteMs, 5 * minuteMs - 1)).toBe(true);
    expect(await runs.markSent('run-1', 'queued', lease.owner, 6 * minuteMs)).toBe(false);
  });

  test('is sent and settled only by its owner', async () => {
    const runs = createRunStore(database.db, testVault);
    await runs.claim(run, 'key-1', lease);
    await runs.enqueue(run, lease, 6 * minuteMs, minuteMs);
    expect(await runs.markSent('run-1', 'queued', 'another', minuteMs)).toBe(false);
    expect(
      await runs.settle({
        id: 'run-1',
        from: ['queued'],
        owner: 'another',
        status: 'done',
        result,
        nowMs: 7,
      }),
    ).toBe(false);
    expect((await runs.find('run-1'))?.status).toBe('queued');
  });

  test('is shown by one other owner if its owner has not replied with its end', async () => {
    const runs = createRunStore(database.db, testVault);
    await runs.claim(run, 'key-1', lease);
    await runs.enqueue(run, lease, 6 * minuteMs, minuteMs);
    const end = { from: ['queued'], owner: lease.owner, status: 'done', result, nowMs: 7 } as const;
    await runs.settle({ id: 'run-1', ...end, report: 'reply', leaseUntilMs: lease.untilMs });
    const show = async (leaseBeforeMs: number, sinceMs = 7) =>
      (await runs.showUndelivered('next', leaseBeforeMs, sinceMs)).map(({ id }) => id);
    expect(await show(lease.untilMs)).toEqual([]);
    expect(await show(lease.untilMs + 1, 8)).toEqual([]);
    await runs.markDelivered('run-1', 6);
    expect((await Promise.all([show(lease.untilMs + 1), show(lease.untilMs + 1)])).flat()).toEqual(['run-1']);
  });

  test('is settled only from the given states', async () => {
    const runs = createRunStore(database.db, testVault);
    const settle = (id: string, from: readonly Run['status'][], status: 'done' | 'unknown' | 'refused') =>
      runs.settle({
        ...(status === 'done' ? { status, result } : createProblemEnd(status, expiredProblem())),
        ...{ id, from, owner: lease.owner, nowMs: 7 },
      });
    await runs.claim(run, 'key-1', lease);
    expect(await settle('run-1', ['queued', 'sent'], 'done')).toBe(false);
    await runs.enqueue(run, lease, 6 * minuteMs, minuteMs);
    expect(await settle('run-1', ['waiting'], 'refused')).toBe(false);
    expect(await settle('run-1', ['queued', 'sent'], 'unknown')).toBe(true);
    expect(await settle('run-1', ['queued', 'sent'], 'done')).toBe(false);
    expect(await settle('run-1', ['queued', 'sent', 'unknown'], 'done')).toBe(true);
    expect(await settle('run-1', ['queued', 'sent', 'unknown'], 'unknown')).toBe(false);
  });

  test('expires once when it is overdue', async () => {
    const runs = createRunStore(database.db, testVault);
    await runs.claim(run, 'key-1', lease);
    await runs.claim({ ...run, id: 'run-2', expiresMs: 9 * minuteMs }, 'key-2', lease);
    const lapsed = await Promise.all([1, 2, 3].map(() => runs.expireOverdue(expired, 5 * minuteMs)));
    expect(lapsed.flat()).toMatchObject([
      { id: 'run-1', status: 'expired', result: expired, settledMs: 5 * minuteMs },
    ]);
  });

  const running = { confirmedState: toConfirmedState({ fingerprint: 'running' }) };
  /** Makes a run await approval, with a request that is stored by `storeAsk`. */
  const askAbout = (
    runs: RunStore,
    id = run.id,
    storeAsk: (transaction: Database) => Promise<void> = async () => {},
  ) =>
    runs.awaitApproval(
      { ...run, id },
      { ...running, expiresMs: 8 * minuteMs, askId: `ask ${id}`, isShown: true },
      storeAsk,
      minuteMs,
    );

  test('awaits approval once, and is queued only by an approval of the state on its card', async () => {
    const runs = createRunStore(database.db, testVault);
    await runs.claim(run, 'key-1', lease);
    const ask = () => askAbout(runs);
    expect((await Promise.all([ask(), ask(), ask()])).filter(Boolean)).toHaveLength(1);
    const stopped = toConfirmedState({ fingerprint: 'stopped' });
    expect(await runs.saveConfirmation(run, stopped, 9 * minuteMs, lease.owner)).toBe(false);
    const approval = { askId: 'ask run-1', approverId: null };
    const queue = (confirmedState: ConfirmedState, approverId?: string, asked: Run['approval'] = approval) =>
      runs.enqueue({ ...run, confirmedState, approval: asked }, lease, 9 * minuteMs, minuteMs, approverId);
    expect(await queue(running.confirmedState)).toBe(false);
    expect(await queue(running.confirmedState, undefined, null)).toBe(false);
    expect(await queue(running.confirmedState, 'U2', { askId: 'another', approverId: null })).toBe(false);
    expect(await queue(stopped, 'U2')).toBe(false);
    const end = createProblemEnd('failed', expiredProblem());
    const command = { id: 'run-1', from: ['waiting'], owner: lease.owner, nowMs: 7 } as const;
    expect(await runs.settle({ ...command, ...end })).toBe(false);
    const approve = (by: string) => queue(running.confirmedState, by);
    expect((await Promise.all([approve('U2'), approve('U3')])).filter(Boolean)).toHaveLength(1);
    expect(await runs.find('run-1')).toMatchObject({
      status: 'queued',
      approval: { askId: 'ask run-1', approverId: expect.stringMatching(/^U[23]$/) },
    });
  });

  test('awaits approval only with its request, and is approved only together with it', async () => {
    let failure: Error | undefined = new Error('killed');
    const requests = createAskStore(database.db);
    const runs = createRunStore(database.db, testVault, {
      ...collectShown(() => {}),
      async show({ approval, status }, transaction) {
        const decision = { verdict: 'approved', by: 'U2', atMs: minuteMs } as const;
        if (status === 'queued') await requests.close(approval?.askId ?? '', decision, minuteMs, transaction);
        if (failure) throw failure;
      },
    });
    await runs.claim(run, 'key-1', lease);
    const request = { actor: run.actor, kind: 'run', subject: 'reboot', title: 'Reboot' } as const;
    const required = { right: 'operate', vps: [] } as const;
    const storeAsk = async (transaction: Database) => {
      const asked = { ...request, required, expiresMs: 8 * minuteMs };
      await requests.add(asked, minuteMs, transaction, 'ask run-1');
    };
    const isOpen = async () => (await requests.find(run.actor.teamId, 'ask run-1'))?.finishedMs === null;
    await expect(askAbout(runs, run.id, storeAsk)).rejects.toThrow('killed');
    expect([await isOpen(), (await runs.find('run-1'))?.approval]).toEqual([false, null]);
    failure = undefined;
    expect(await askAbout(runs, run.id, storeAsk)).toBe(true);
    const approve = async () => {
      const waiting = await runs.find('run-1');
      return waiting && runs.enqueue(waiting, lease, 9 * minuteMs, minuteMs, 'U2');
    };
    failure = new Error('killed');
    await expect(approve()).rejects.toThrow('killed');
    expect([await isOpen(), (await runs.find('run-1'))?.status]).toEqual([true, 'waiting']);
    failure = undefined;
    expect(await approve()).toBe(true);
    expect([await isOpen(), (await runs.find('run-1'))?.status]).toEqual([false, 'queued']);
  });

  test('is adopted until its actor got a card or approvers were asked', async () => {
    const runs = createRunStore(database.db, testVault);
    for (const id of ['asked', 'unasked', 'shown']) await runs.claim({ ...run, id }, id, lease);
    await askAbout(runs, 'asked');
    await runs.markConfirmationDelivered('shown', lease.owner);
    const adopted = await runs.adopt({ owner: 'next', untilMs: 99 * minuteMs }, lease.untilMs + 1);
    expect(adopted.map(({ id }) => id)).toEqual(['unasked']);
    expect(await runs.listOwned('next')).toEqual([]);
  });

  test('is shown on expiry if its card was never delivered or approvers were asked', async () => {
    const shown: string[] = [];
    const runs = createRunStore(
      database.db,
      testVault,
      collectShown(({ id, status }) => {
        if (status === 'expired') shown.push(id);
      }),
    );
    for (const id of ['unseen', 'seen', 'asked']) await runs.claim({ ...run, id }, id, lease);
    await runs.markConfirmationDelivered('seen', lease.owner);
    await askAbout(runs, 'asked');
    expect(await runs.expireOverdue(expired, 8 * minuteMs)).toHaveLength(3);
    expect(shown.sort()).toEqual(['asked', 'unseen']);
  });

  test('is adopted by one of several replicas when its owner has ended', async () => {
    const runs = createRunStore(database.db, testVault);
    const queued = createRun({ ...run, status: 'queued', queuedMs: 1 });
    await runs.claim(queued, 'key-1', lease);
    const adopt = (owner: string, beforeMs: number) =>
      runs.adopt({ owner, untilMs: 99 * minuteMs }, beforeMs);
    expect(await adopt('another', lease.untilMs)).toEqual([]);
    await runs.extendLeases({ owner: lease.owner, untilMs: 20 * minuteMs }, 0);
    expect(await adopt('another', lease.untilMs + 1)).toEqual([]);
    const adopted = await Promise.all(['a', 'b', 'c'].map((owner) => adopt(owner, 20 * minuteMs + 1)));
    expect(adopted.flat()).toEqual([queued]);
  });
});
