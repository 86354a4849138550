import { describe, expect, test } from 'vitest';
import { createAuditStore } from '../../../src/audit/audit-store.ts';
import { createAuditChain } from '../../../src/audit/chain/audit-chain.ts';
import { streamEntries } from '../../../src/audit/chain/audit-streams.ts';
import { verifyChain } from '../../../src/audit/chain/verify-chain.ts';
import { createRunStore } from '../../../src/runs/store/run-store.ts';
import { forgetPerson } from '../../../src/workspaces/erasure/forget.ts';
import { databases, useTestDatabase } from '../../db/test-database.ts';
import { testVault } from '../../runs/test-vault.ts';
import { insertRuns } from '../insert-runs.ts';

const hourMs = 60 * 60_000;

describe.each(databases)('the hash chain of the activity log in $name', ({ start }) => {
  const database = useTestDatabase(start);
  const chain = createAuditChain('the key');
  const verify = () => verifyChain(database.db, chain);

  async function sealThree(): Promise<void> {
    const runs = [1, 2, 3].map((index) => ({ id: `run ${index}`, requested_at: index * hourMs }));
    for (const run of runs) {
      await insertRuns(database.db, [{ ...run, user_id: 'U0BOB' }]);
      await chain.seal(database.db, run.requested_at + 60_000);
    }
    await insertRuns(database.db, [{ id: 'other', team_id: 'T2', user_id: 'U0GWEN' }]);
    await chain.seal(database.db, 4 * hourMs);
  }

  test('an untouched log has no problem, and each workspace has a chain of its own', async () => {
    await sealThree();
    expect(await verify()).toMatchObject({
      heads: [
        { teamId: 'T1', seq: 3, erased: 0 },
        { teamId: 'T2', seq: 1, erased: 0 },
      ],
      problems: [],
      unsealed: 0,
    });
  });

  test.each([
    ['user_id', { user_id: 'U0MALLORY' }],
    ['operation', { operation: 'show' }],
    ['input', { input: '{"vps":"VPS-10002"}' }],
    ['title', { title: 'Delete everything' }],
    ['display_names', { display_names: '{"VPS-10001":"innocent"}' }],
    ['ask_id', { ask_id: 'ask-1' }],
    ['target', { target: null }],
    ['status', { status: 'failed' as const }],
    ['approved_by', { approved_by: 'U0ALICE' }],
    ['settled_at', { settled_at: 1 }],
    ['outcome', { outcome: '{"kind":"outcome","outcome":{"title":"Nothing happened"}}' }],
  ])('a changed %s is found', async (_, change) => {
    await sealThree();
    await database.db.updateTable('run').set(change).where('id', '=', 'run 2').execute();
    expect((await verify()).problems).toEqual([{ teamId: 'T1', seq: 2, runId: 'run 2', kind: 'changed' }]);
  });

  test('another person who declined is found', async () => {
    const declinedBy = (decidedBy: string) =>
      JSON.stringify({ kind: 'problem', problem: { code: 'declined', message: 'Declined.', decidedBy } });
    await insertRuns(database.db, [{ id: 'run 1', outcome: declinedBy('U0BOB') }]);
    await chain.seal(database.db, hourMs);
    expect((await verify()).problems).toEqual([]);
    await database.db
      .updateTable('run')
      .set({ outcome: declinedBy('U0ALICE') })
      .execute();
    expect((await verify()).problems).toMatchObject([{ runId: 'run 1', kind: 'changed' }]);
  });

  test('damaged entries are sealed and streamed like others, and a later change of them is found', async () => {
    await insertRuns(database.db, [
      { id: 'damaged', requested_at: hourMs, origin: '{', outcome: '{"kind"' },
      { id: 'whole', requested_at: 2 * hourMs },
    ]);
    await chain.seal(database.db, 3 * hourMs);
    expect(await verify()).toMatchObject({ problems: [], unsealed: 0, heads: [{ seq: 2 }] });
    const received: string[] = [];
    await streamEntries(database.db, async (lines) => void received.push(...lines), 1);
    expect(received.map((line) => JSON.parse(line))).toMatchObject([
      { seq: 1, operation: 'reboot', isUnreadable: true },
      { seq: 2, input: { vps: 'VPS-10001' } },
    ]);
    await database.db.updateTable('run').set({ origin: '{}' }).where('id', '=', 'damaged').execute();
    expect((await verify()).problems).toMatchObject([{ runId: 'damaged', kind: 'changed' }]);
  });

  test('a deleted entry is found, and a deleted link too', async () => {
    await sealThree();
    await database.db.deleteFrom('run').where('id', '=', 'run 2').execute();
    expect((await verify()).problems).toMatchObject([{ seq: 2, kind: 'missing' }]);
    await database.db.deleteFrom('audit_chain').where('run_id', '=', 'run 2').execute();
    expect((await verify()).problems).toMatchObject([{ seq: 3, kind: 'broken chain' }]);
  });

  test('an inserted entry is found, whether or not it claims to be sealed', async () => {
    await sealThree();
    await insertRuns(database.db, [{ id: 'forged', requested_at: hourMs, sealed_at: hourMs }]);
    expect((await verify()).problems).toMatchObject([{ runId: 'forged', kind: 'inserted' }]);
    await insertRuns(database.db, [{ id: 'backdated', requested_at: hourMs }]);
    await chain.seal(database.db, 5 * hourMs);
    expect((await verify()).problems).toMatchObject([
      { seq: 4, runId: 'backdated', kind: 'inserted' },
      { runId: 'forged', kind: 'inserted' },
    ]);
  });

  test('hashes that were computed with another key are found', async () => {
    await insertRuns(database.db, [{ id: 'run' }]);
    await createAuditChain('a guessed key').seal(database.db, 1);
    expect((await verify()).problems).toMatchObject([{ kind: 'broken chain' }]);
  });

  test('a late response that settles an unknown run adds a second link', async () => {
    const runs = createRunStore(database.db, testVault);
    await insertRuns(database.db, [{ id: 'late', status: 'unknown', settled_at: 1 }]);
    await chain.seal(database.db, 2);
    const result = { kind: 'outcome', outcome: { title: 'Rebooted' } } as const;
    await runs.settle({
      id: 'late',
      from: ['unknown'],
      owner: 'a process',
      status: 'done',
      result,
      nowMs: 3,
    });
    expect((await verify()).unsealed).toBe(1);
    await chain.seal(database.db, 4);
    expect(await verify()).toMatchObject({ heads: [{ seq: 2 }], problems: [], unsealed: 0 });
  });

  test('retention and erasure leave tombstones, which cannot be forged', async () => {
    await sealThree();
    const { db } = database;
    const recordErasure: Parameters<ReturnType<typeof createAuditStore>['deleteBefore']>[2] = (on, ids) =>
      chain.recordErasure(on, ids, 'retention', 5 * hourMs);
    expect(await createAuditStore(db).deleteBefore(1.5 * hourMs, 10, recordErasure)).toBe(2);
    await insertRuns(db, [
      { id: 'mention', user_id: 'U0ALICE', approved_by: 'U0BOB', requested_at: 4 * hourMs },
    ]);
    await chain.seal(db, 4 * hourMs);
    await forgetPerson(db, chain, 'U0BOB');
    expect(await verify()).toMatchObject({ heads: [{ seq: 4, erased: 4 }, { seq: 1 }], problems: [] });

    await db.updateTable('run').set({ target: null }).where('id', '=', 'mention').execute();
    expect((await verify()).problems).toMatchObject([{ runId: 'mention', kind: 'changed' }]);
    await insertRuns(db, [{ id: 'later', requested_at: 6 * hourMs }]);
    await chain.seal(db, 6 * hourMs);
    const forged = { reason: 'retention', erasedMs: 1, digest: null, mac: 'guessed' };
    await db.deleteFrom('run').where('id', '=', 'later').execute();
    await db
      .updateTable('audit_chain')
      .set({ tombstone: JSON.stringify(forged) })
      .where('run_id', '=', 'later')
      .execute();
    expect((await verify()).problems).toContainEqual(
      expect.objectContaining({ runId: 'later', kind: 'forged tombstone' }),
    );
  });

  test('entries are streamed once, in order, and again after a failure', async () => {
    await sealThree();
    const received: string[] = [];
    let isBroken = true;
    const stream = async (lines: readonly string[]) => {
      if (isBroken) throw new Error('the disk is full');
      received.push(...lines);
    };
    await expect(streamEntries(database.db, stream, 1)).rejects.toThrow('the disk is full');
    isBroken = false;
    await streamEntries(database.db, stream, 1);
    await streamEntries(database.db, stream, 1);
    expect(received.map((line) => JSON.parse(line))).toMatchObject([
      { workspace: 'T1', seq: 1, user: 'U0BOB', operation: 'reboot', status: 'done' },
      { workspace: 'T1', seq: 2 },
      { workspace: 'T1', seq: 3 },
      { workspace: 'T2', seq: 1, user: 'U0GWEN' },
    ]);
  });
});
