import { expect, test } from 'vitest';
import { createRunStore } from '../../../src/operations/runs/run-store.ts';
import { openDatabase } from '../../../src/storage/database.ts';
import { createFollowerStore } from '../../../src/workspaces/record/follower-store.ts';
import { createRecord } from '../../../src/workspaces/record/record.ts';
import { catalogue } from './recorded.ts';

test('a workspace that the app has left is told nothing any more, and others are', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  const followers = createFollowerStore(db);
  const of = (teamId: string) => ({ teamId, channel: 'C1', setBy: 'U1', setMs: 1 });
  for (const teamId of ['T1', 'T2']) await followers.set(of(teamId));
  const record = createRecord({
    db,
    runs: createRunStore(db),
    voice: {
      tellChannel: async () => 'told',
      greet: async () => 'told',
      tellPerson: async () => undefined,
    },
    handOver: async () => undefined,
    nameOf: async (_, id) => id,
    log: { error: fail, warn: fail, info: () => undefined },
  });
  record.start(catalogue);
  await record.departed('T1');
  await record.departed('T1');
  expect(await followers.find('T1')).toBeUndefined();
  expect(await followers.find('T2')).toEqual(of('T2'));
  await record.stop();
  await close();
});

function fail(...logged: unknown[]): void {
  throw new Error(`nothing should go wrong: ${JSON.stringify(logged)}`);
}
