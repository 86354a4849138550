import { expect, test } from 'vitest';
import type { Actor } from '../../../src/operations/define/access/actor.ts';
import { deniedProblem, expiredProblem } from '../../../src/runs/problem.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { startSqlite, useTestDatabase } from '../../db/test-database.ts';
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
