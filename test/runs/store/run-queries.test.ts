import { expect, test } from 'vitest';
import type { Actor } from '../../../src/operations/define/access/actor.ts';
import { deniedProblem, expiredProblem } from '../../../src/runs/problem.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
import { createRun, type RunFields } from '../create-run.ts';
import { testVault } from '../test-vault.ts';

const database = useTestDatabase(startSqlite);

const bob = { teamId: 'T1', userId: 'U0BOB' };
const denied = deniedProblem({ message: 'No.', advice: 'Ask.' });

test('only what was denied to this person in this workspace since a time is listed, newest first', async () => {
  const runs = createRunStore(database.db, testVault);
  const add = (actor: Actor, nowMs: number, problem = denied) =>
    runs.addAuditEntry({
      actor,
      origin: {},
      operation: 'reboot',
      target: `${actor.teamId} ${actor.userId} ${nowMs}`,
      status: 'refused',
      problem,
      nowMs,
    });
  for (const nowMs of [999, 1_000, 1_001, 1_002]) await add(bob, nowMs);
  await add({ ...bob, teamId: 'T2' }, 1_001);
  await add({ ...bob, userId: 'U0CAROL' }, 1_001);
  await add(bob, 1_003, expiredProblem());
  const list = async (limit: number) =>
    (await runs.listDenied(bob, 1_000, limit)).map(({ target }) => target);
  expect(await list(10)).toEqual(['T1 U0BOB 1002', 'T1 U0BOB 1001', 'T1 U0BOB 1000']);
  expect(await list(2)).toEqual(['T1 U0BOB 1002', 'T1 U0BOB 1001']);
});

test('the recent runs of a workspace are those that were queued, without the parts of a batch', async () => {
  const runs = createRunStore(database.db, testVault);
  const lease = { owner: 'one', untilMs: 1_000 };
  const add = (id: string, fields: Partial<RunFields>) =>
    runs.claim(createRun({ id, status: 'queued', settledMs: null, ...fields }), id, lease);
  await add('first', { requestedMs: 1 });
  await add('second', { requestedMs: 2 });
  await add('checked', { requestedMs: 3, status: 'waiting', queuedMs: null });
  await add('part', { requestedMs: 4, batchId: 'second' });
  await add('elsewhere', { requestedMs: 5, actor: { teamId: 'T0GLOBEX', userId: 'U0ALICE' } });
  const list = async (limit: number) => (await runs.listRecent('T0ACME', limit)).map(({ id }) => id);
  expect(await list(10)).toEqual(['second', 'first']);
  expect(await list(1)).toEqual(['second']);
});
