import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRunStore, type RunStore } from '../../../src/operations/runs/run-store.ts';
import type { RunStatus } from '../../../src/storage/schema.ts';
import { createFollowerStore, type Taken } from '../../../src/workspaces/record/follower-store.ts';
import { createRecordStore, type Position } from '../../../src/workspaces/record/record-store.ts';
import { type StartDatabase, stageDatabase } from '../../storage/stage-database.ts';
import { keepRuns, rowsOf } from './kept-runs.ts';

/** What every database must do alike with the record. */
export function describeRecord(name: string, start: StartDatabase): void {
  describe(`the record in ${name}`, () => {
    const database = stageDatabase(start);

    const keep = (...runs: Parameters<typeof keepRuns>[1]) => keepRuns(database.db, runs);
    const ids = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id);

    describe('read piece by piece', () => {
      test('gives every run once, in either direction, also those of one moment', async () => {
        const store = createRecordStore(database.db);
        const run = fc.record({ requested_at: fc.integer({ min: 1, max: 5 }) });
        await fc.assert(
          fc.asyncProperty(
            fc.array(run, { maxLength: 30 }),
            fc.integer({ min: 1, max: 7 }),
            fc.constantFrom('older' as const, 'newer' as const),
            async (runs, most, direction) => {
              await database.db.deleteFrom('run').execute();
              await keep(...runs.map((one, index) => ({ ...one, id: `run-${index}` })));
              const read: string[] = [];
              let from: Position | undefined;
              for (;;) {
                const piece = await store.read({ teamId: 'T1' }, { direction, from, most });
                read.push(...ids(piece));
                const last = piece.at(-1);
                if (!last) break;
                from = { requestedMs: last.requestedMs, id: last.id };
              }
              expect(read.toSorted()).toEqual(runs.map((_, index) => `run-${index}`).sort());
              const times = read.map((id) => runs[Number(id.slice(4))]?.requested_at ?? 0);
              expect(times).toEqual(times.toSorted((a, b) => (direction === 'older' ? b - a : a - b)));
            },
          ),
          { numRuns: 25 },
        );
      });

      test('gives the runs of one workspace, of one person, of a while', async () => {
        const store = createRecordStore(database.db);
        await keep(
          { id: 'a', requested_at: 1 },
          { id: 'b', requested_at: 2, user_id: 'U2' },
          { id: 'c', requested_at: 3 },
          { id: 'd', requested_at: 2, team_id: 'T2' },
        );
        const read = async (extent: object) =>
          ids(await store.read({ teamId: 'T1', ...extent }, { direction: 'older', most: 9 }));
        expect(await read({})).toEqual(['c', 'b', 'a']);
        expect(await read({ userId: 'U1' })).toEqual(['c', 'a']);
        expect(await read({ sinceMs: 2 })).toEqual(['c', 'b']);
        expect(await read({ untilMs: 2 })).toEqual(['b', 'a']);
        expect(await read({ teamId: 'T3' })).toEqual([]);
      });

      test('tells who, what, where, how it ended and when', async () => {
        await keep({ id: 'a', requested_at: 7, approved_by: 'U2', error_code: 'refused' });
        const [run] = await createRecordStore(database.db).read(
          { teamId: 'T1' },
          { direction: 'older', most: 1 },
        );
        expect(run).toEqual({
          id: 'a',
          asker: { teamId: 'T1', userId: 'U1' },
          operation: 'reboot',
          input: { vps: 'VPS-10001' },
          target: 'VPS-10001',
          origin: { channel: 'C1' },
          status: 'done',
          wantedApproval: false,
          approvedBy: 'U2',
          declinedBy: null,
          errorCode: 'refused',
          said: 'Rebooted',
          requestedMs: 7,
          queuedMs: 17,
          sentMs: 27,
          settledMs: 57,
        });
      });
    });

    describe('kept for a while', () => {
      test('forgets what ended before that, so many at once, and nothing that has not ended', async () => {
        const store = createRecordStore(database.db);
        await keep(
          ...['a', 'b', 'c'].map((id) => ({ id, settled_at: 100 })),
          { id: 'later', settled_at: 101 },
          { id: 'waiting', status: 'waiting' as const, requested_at: 1, settled_at: null },
        );
        expect(await store.forgetBefore(101, 2)).toBe(2);
        expect(await store.forgetBefore(101, 2)).toBe(1);
        expect(await store.forgetBefore(101, 2)).toBe(0);
        expect(ids(await rowsOf(database.db))).toEqual(['later', 'waiting']);
      });

      test('is looked through by one of many replicas, once in a while', async () => {
        const store = createRecordStore(database.db);
        const claim = (beforeMs: number, nowMs: number) =>
          Promise.all([1, 2, 3, 4].map(() => store.claimUpkeep('retention', beforeMs, nowMs)));
        expect((await claim(0, 1_000)).filter(Boolean)).toHaveLength(1);
        expect((await claim(999, 1_500)).filter(Boolean)).toHaveLength(0);
        expect((await claim(1_000, 2_000)).filter(Boolean)).toHaveLength(1);
        expect(await store.claimUpkeep('another', 0, 2_000)).toBe(true);
      });
    });

    describe('followed by a channel', () => {
      const follower = { teamId: 'T1', channel: 'C1', setBy: 'U1', setMs: 1_000 };

      async function following() {
        const followers = createFollowerStore(database.db);
        await followers.set(follower);
        const take = (owner: string, nowMs: number) => followers.take({ owner, untilMs: nowMs + 100 }, nowMs);
        const taken = async (): Promise<Taken> => {
          const [first] = await take('me', 2_000);
          if (!first) throw new Error('there is no follower');
          return first;
        };
        return { followers, take, taken };
      }

      test('is told by one of many replicas, and by another when that is gone or has stopped', async () => {
        const { followers, take } = await following();
        const owners = ['a', 'b', 'c'];
        const first = await Promise.all(owners.map((owner) => take(owner, 2_000)));
        expect(first.flat()).toEqual([{ ...follower, toldUntilMs: 1_000 }]);
        const owner = owners[first.findIndex((taken) => taken.length > 0)] ?? '';
        expect(await take(owner, 2_050)).toHaveLength(1);
        expect(await take('d', 2_149)).toEqual([]);
        expect(await take('d', 2_150)).toHaveLength(1);
        await followers.release('d');
        expect(await take('e', 2_151)).toHaveLength(1);
      });

      test('is told what ended since then, once, and oldest first', async () => {
        const { followers, taken } = await following();
        await keep(
          { id: 'before', settled_at: 999 },
          { id: 'c', settled_at: 1_300 },
          { id: 'a', settled_at: 1_000 },
          { id: 'b', settled_at: 1_200 },
          { id: 'waiting', status: 'waiting', settled_at: null },
          { id: 'elsewhere', team_id: 'T2', settled_at: 1_200 },
        );
        const first = await followers.untold(await taken(), 2);
        expect(ids(first)).toEqual(['a', 'b']);
        await followers.keepTold(await taken(), first);
        const second = await followers.untold(await taken(), 2);
        expect(ids(second)).toEqual(['c']);
        await followers.keepTold(await taken(), second);
        expect(await followers.untold(await taken(), 2)).toEqual([]);
      });

      test('is told what comes onto the record late, and what ends once more', async () => {
        const { followers, taken } = await following();
        await keep({ id: 'b', status: 'unknown', settled_at: 60_000 });
        await followers.keepTold(await taken(), await followers.untold(await taken(), 9));
        await keep({ id: 'late', settled_at: 50_000 });
        await database.db
          .updateTable('run')
          .set({ status: 'done', settled_at: 61_000 })
          .where('id', '=', 'b')
          .execute();
        expect(ids(await followers.untold(await taken(), 9))).toEqual(['late', 'b']);
      });

      test('forgets what it has been told once that cannot come again', async () => {
        const { followers, taken } = await following();
        const hourMs = 3_600_000;
        for (const [id, settled_at] of [
          ['a', 2_000],
          ['b', hourMs],
        ] as const) {
          await keep({ id, settled_at });
          await followers.keepTold(await taken(), await followers.untold(await taken(), 9));
        }
        const told = await database.db.selectFrom('record_told').select('run_id').execute();
        expect(told).toEqual([{ run_id: 'b' }]);
        expect(await followers.untold(await taken(), 9)).toEqual([]);
      });

      test('gives way to another channel, which begins anew, and ends once', async () => {
        const { followers, taken } = await following();
        const old = await taken();
        const next = { ...follower, channel: 'C2', setMs: 3_000 };
        await followers.set(next);
        expect(await followers.remove(old)).toBe(false);
        expect(await followers.find('T1')).toEqual(next);
        const removed = await Promise.all([followers.remove(next), followers.remove(next)]);
        expect(removed.filter(Boolean)).toHaveLength(1);
        expect(await followers.find('T1')).toBeUndefined();
      });
    });

    describe('a settled run', () => {
      const lease = { owner: 'me', untilMs: Number.MAX_SAFE_INTEGER };
      const result = { kind: 'outcome', outcome: { title: 'another end' } } as const;
      const everyStatus: readonly RunStatus[] = [
        'refused',
        'waiting',
        'queued',
        'sent',
        'done',
        'failed',
        'unknown',
        'expired',
      ];

      /** Every method of the store of runs, with what would change the run if anything did; a new one does not compile until it stands here. */
      const attempts: Record<keyof RunStore, (runs: RunStore, id: string) => Promise<unknown>> = {
        claim: async (runs, id) => {
          const run = await runs.find(id);
          return run && runs.claim({ ...run, operation: 'another' }, `test:${id}`, lease);
        },
        record: (runs) =>
          runs.record({
            asker: { teamId: 'T9', userId: 'U9' },
            operation: 'connect',
            target: null,
            status: 'done',
            outcome: { title: 'beside it' },
            nowMs: 9,
          }),
        find: (runs, id) => runs.find(id),
        refusedTo: (runs) => runs.refusedTo({ teamId: 'T1', userId: 'U1' }, 0, 9),
        recent: (runs) => runs.recent('T1', 9),
        show: (runs, id) => runs.show(id, 'another state', { notAfterMs: 9, askedAgainMs: 9 }, lease),
        refine: (runs, id) => runs.refine(id, { raw: { vps: 'VPS-9' }, target: 'VPS-9' }),
        awaitApproval: (runs, id) =>
          runs.awaitApproval({ id, shown: 'as it was' }, { shown: 'another', notAfterMs: 9 }, lease, 0),
        keepCards: (runs, id) => runs.keepCards(id, [{ channel: 'C1', ts: '1.2' }]),
        askAnew: (runs, id) =>
          runs.askAnew({ id, shown: 'as it was' }, { shown: 'another', notAfterMs: 9 }, 0),
        queue: (runs, id) => runs.queue(id, lease, 9, 0),
        cardTold: (runs, id) => runs.cardTold(id),
        send: (runs, id) => runs.send(id, lease.owner, 0),
        settle: (runs, id) =>
          runs.settle({ id, from: everyStatus, owner: lease.owner, status: 'failed', result, nowMs: 9 }),
        abandon: (runs) => runs.abandon('T1', result, 9),
        lapse: (runs) => runs.lapse(result, lease, Number.MAX_SAFE_INTEGER),
        ownedBy: (runs) => runs.ownedBy(lease.owner),
        keepProgress: (runs, id) => runs.keepProgress(id, { isOver: true, words: 'Running again.' }),
        keepMessage: (runs, id) => runs.keepMessage(id, { channel: 'C1', ts: '1.2' }),
        extendLeases: (runs) => runs.extendLeases(lease, 0),
        adopt: (runs) => runs.adopt(lease, Number.MAX_SAFE_INTEGER),
        told: (runs, id) => runs.told(id, 9),
        adoptUntold: (runs) => runs.adoptUntold(lease, Number.MAX_SAFE_INTEGER, 0),
      };

      test.each(['refused', 'done', 'failed', 'expired'] as const)(
        'that is %s never changes, whatever the store is asked to do, and in whatever order',
        async (status) => {
          const runs = createRunStore(database.db);
          const methods = Object.values(attempts);
          await keep({ id: 'settled', status, asked_again_at: 3, shown: 'as it was', not_after: 5 });
          const [before] = await rowsOf(database.db);
          await fc.assert(
            fc.asyncProperty(fc.shuffledSubarray(methods, { minLength: methods.length }), async (order) => {
              for (const attempt of order) await attempt(runs, 'settled');
            }),
            { numRuns: 10 },
          );
          const after = (await rowsOf(database.db)).find(({ id }) => id === 'settled');
          // How far the work is that goes on after the call, and where it is told, is not what the record says of the run.
          expect({ ...after, progress: null, message_channel: null, message_ts: null }).toEqual(before);
        },
      );
    });
  });
}
