import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadFullCatalogue } from '../../scripts/load-full-catalogue.ts';
import { hasText, isUnsuccessful, toRunDurations } from '../../src/audit/audit-entry.ts';
import { type AuditCursor, createAuditStore } from '../../src/audit/audit-store.ts';
import { createVpsFilter } from '../../src/audit/audit-visibility.ts';
import { kindFilters, toLogKinds } from '../../src/audit/entry-kind.ts';
import { findAuditPage } from '../../src/audit/history/find-audit-page.ts';
import {
  type ActiveSubscription,
  createAuditSubscriptionStore,
} from '../../src/audit/subscriptions/audit-subscription-store.ts';
import { createRowReader } from '../../src/db/row-reader.ts';
import type { RunStatus } from '../../src/db/schema/schema.ts';
import { parseInput } from '../../src/operations/define/arguments/input.ts';
import type { Catalogue } from '../../src/operations/define/operation.ts';
import { toConfirmedState } from '../../src/runs/confirmed-state.ts';
import { findLogKind, type LogKind } from '../../src/runs/log-kind.ts';
import { expiredProblem } from '../../src/runs/problem.ts';
import { createProblemEnd } from '../../src/runs/run.ts';
import { createRunStore, type RunStore } from '../../src/runs/store/run-store.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { createRun } from '../runs/create-run.ts';
import { testVault } from '../runs/test-vault.ts';
import { insertRuns, listRunRows, type RunFixture } from './insert-runs.ts';

const vpsInputs = ['VPS-1', 'VPS-2'].map((vps) => ({ input: JSON.stringify({ vps }), target: vps }));

const changeInputs: readonly Input[] = ['Web-01', 'Büro "B"', 'db\\02'].map((name) => ({
  input: JSON.stringify({ vps: 'VPS-1', reason: 'Kernel 6.1,\nsee CHG-7' }),
  target: 'VPS-1',
  title: 'Reboot VPS-1',
  display_names: JSON.stringify({ vps: `${name} (VPS-1)` }),
}));

const withoutTarget = (input: string) => ({ input, target: null });

type Input = Pick<RunFixture, 'input' | 'target' | 'title' | 'display_names'>;

/** Operations, with inputs and targets that each can have. `installed` is an event. */
const inputs: Readonly<Record<string, readonly Input[]>> = {
  reboot: [...vpsInputs, ...changeInputs],
  show: vpsInputs,
  'lb create': [
    { input: '{"domain_name":"example.com","backends":["VPS-1:80"]}', target: 'example.com' },
    { input: '{"domain_name":"example.com","backends":["VPS-2:80"]}', target: 'example.com' },
  ],
  help: [withoutTarget('{}')],
  history: ['{}', '{"export":"csv"}', '{"to":"#C12345"}', '{"kind":"reads"}'].map(withoutTarget),
  connect: [{ input: '{}', target: 'API key' }],
  installed: [withoutTarget('{}')],
};

const decidedBy = (userId: string) => JSON.stringify({ kind: 'problem', problem: { decidedBy: userId } });

const run = fc.constantFrom(...Object.keys(inputs)).chain((operation) =>
  fc.record({
    operation: fc.constant(operation),
    filled: fc.constantFrom(...(inputs[operation] ?? [])),
    isIncomplete: fc.boolean(),
    user_id: fc.constantFrom('U1', 'U2'),
    status: fc.constantFrom('done' as const, 'refused' as const, 'failed' as const),
    error_code: fc.constantFrom(null, 'not_permitted', 'input_invalid', 'not_found', 'cancelled'),
    outcome: fc.constantFrom(null, decidedBy('U1'), decidedBy('U2')),
    sent_at: fc.constantFrom(null, 5),
    requested_at: fc.integer({ min: 1, max: 9 }),
  }),
);

/** Parts of names, titles and reasons, also some that cross the border between two of them. */
const texts = [
  'web-01',
  'EB-01 (vps-1',
  'büro "',
  'db\\0',
  'reboot web',
  '1). reason: kernel 6',
  ',\nsee chg',
  'reason',
  'lb create ex',
  'example.com',
  'api key',
  'nothing has this',
];

/** Returns the kind that a run of the operation would have. */
function toLogKind(
  catalogue: Catalogue,
  { operation: name, error_code: code }: { readonly operation: string; readonly error_code: string | null },
  input = '{}',
): LogKind {
  const operation = catalogue.find(name);
  if (!operation) return 'settings';
  const kind = findLogKind(operation, parseInput(operation, JSON.parse(input)));
  return kind === 'reads' && code === 'not_permitted' ? 'denied' : kind;
}

const filters = fc.record({
  kind: fc.constantFrom(...kindFilters, undefined),
  userId: fc.constantFrom('U1', undefined),
  vps: fc.constantFrom('VPS-1', undefined),
  isFailedOnly: fc.boolean(),
  text: fc.constantFrom(...texts, undefined),
});

describe.each(databases)('the activity log in $name', ({ start }) => {
  const database = useTestDatabase(start);

  const insert = (...runs: Parameters<typeof insertRuns>[1]) => insertRuns(database.db, runs);
  const listIds = (runs: readonly { readonly id: string }[]) => runs.map(({ id }) => id);

  describe('read in batches', () => {
    test('returns every run once, in either direction, even if several share a time', async () => {
      const store = createAuditStore(database.db);
      const run = fc.record({ requested_at: fc.integer({ min: 1, max: 5 }) });
      await fc.assert(
        fc.asyncProperty(
          fc.array(run, { maxLength: 30 }),
          fc.integer({ min: 1, max: 7 }),
          fc.constantFrom('older' as const, 'newer' as const),
          async (runs, limit, direction) => {
            await database.db.deleteFrom('run').execute();
            await insert(...runs.map((run, index) => ({ ...run, id: `run-${index}` })));
            const read: string[] = [];
            let from: AuditCursor | undefined;
            for (;;) {
              const { entries, next } = await store.read({ teamId: 'T1' }, { direction, from, limit });
              read.push(...listIds(entries));
              if (!next) break;
              from = next;
            }
            expect(read.toSorted()).toEqual(runs.map((_, index) => `run-${index}`).sort());
            const times = read.map((id) => runs[Number(id.slice(4))]?.requested_at ?? 0);
            expect(times).toEqual(times.toSorted((a, b) => (direction === 'older' ? b - a : a - b)));
          },
        ),
        { numRuns: 25 },
      );
    });

    test('filters by workspace, person and time', async () => {
      const store = createAuditStore(database.db);
      await insert(
        { id: 'a', requested_at: 1 },
        { id: 'b', requested_at: 2, user_id: 'U2' },
        { id: 'c', requested_at: 3 },
        { id: 'd', requested_at: 2, team_id: 'T2' },
      );
      const read = async (query: object) =>
        listIds((await store.read({ teamId: 'T1', ...query }, { direction: 'older', limit: 9 })).entries);
      expect(await read({})).toEqual(['c', 'b', 'a']);
      expect(await read({ userId: 'U1' })).toEqual(['c', 'a']);
      expect(await read({ sinceMs: 2 })).toEqual(['c', 'b']);
      expect(await read({ untilMs: 2 })).toEqual(['b', 'a']);
      expect(await read({ teamId: 'T3' })).toEqual([]);
    });

    test('measures a reboot until its end was seen, and not until its request was answered', async () => {
      const rebooted = { isFinished: true, endedMs: 6_000, text: 'VPS-10001 is running.' };
      await insert(
        { id: 'a', queued_at: 1_000, settled_at: 1_053, progress: JSON.stringify(rebooted) },
        {
          id: 'b',
          queued_at: 1_000,
          settled_at: 1_053,
          progress: JSON.stringify({ ...rebooted, isEndUnknown: true, endedMs: undefined }),
        },
      );
      const store = createAuditStore(database.db);
      const { entries } = await store.read({ teamId: 'T1' }, { direction: 'older', limit: 9 });
      const tookMs = entries.map((entry) => [entry.id, toRunDurations(entry).workMs]);
      expect(Object.fromEntries(tookMs)).toEqual({ a: 5_000, b: null });
    });

    test('keeps what can be read of damaged runs, and names them once in the log', async () => {
      await insert(
        { id: 'a', requested_at: 1, input: '{"vps":' },
        { id: 'b', requested_at: 2, origin: 'nowhere' },
        { id: 'c', requested_at: 3, outcome: '{"kind":"of a later version"}' },
        { id: 'd', requested_at: 4, display_names: '' },
        { id: 'e', requested_at: 5 },
      );
      const errors: unknown[] = [];
      const rowReader = createRowReader({ error: (row: unknown) => errors.push(row) });
      const store = createAuditStore(database.db, rowReader);
      for (let time = 0; time < 2; time += 1) {
        const { entries } = await store.read({ teamId: 'T1' }, { direction: 'newer', limit: 9 });
        expect(listIds(entries)).toEqual(['a', 'b', 'c', 'd', 'e']);
        expect(entries.map(({ isUnreadable = false }) => isUnreadable)).toEqual([
          true,
          true,
          true,
          true,
          false,
        ]);
        expect(entries[0]).toMatchObject({
          operation: 'reboot',
          status: 'done',
          input: {},
          requestedMs: 1,
        });
      }
      expect(errors).toMatchObject(['a', 'b', 'c', 'd'].map((id) => ({ table: 'run', id })));
    });
  });

  describe("with a channel's subscription", () => {
    const subscription = { teamId: 'T1', channel: 'C1', createdBy: 'U1', createdMs: 1_000 };

    async function subscribe() {
      const subscriptions = createAuditSubscriptionStore(database.db);
      await subscriptions.save(subscription);
      const findActive = async (): Promise<ActiveSubscription> => {
        const [first] = await subscriptions.listActive();
        if (!first) throw new Error('there is no subscription');
        return first;
      };
      return { subscriptions, findActive };
    }

    test('delivers runs that settled since the subscription, once, oldest first', async () => {
      const { subscriptions, findActive } = await subscribe();
      await insert(
        { id: 'before', settled_at: 999 },
        { id: 'c', settled_at: 1_300 },
        { id: 'a', settled_at: 1_000 },
        { id: 'b', settled_at: 1_200 },
        { id: 'waiting', status: 'waiting', settled_at: null },
        { id: 'elsewhere', team_id: 'T2', settled_at: 1_200 },
      );
      const first = await subscriptions.listUndelivered(await findActive(), 2);
      expect(listIds(first)).toEqual(['a', 'b']);
      await subscriptions.markDelivered(await findActive(), first, database.db);
      const second = await subscriptions.listUndelivered(await findActive(), 2);
      expect(listIds(second)).toEqual(['c']);
      await subscriptions.markDelivered(await findActive(), second, database.db);
      expect(await subscriptions.listUndelivered(await findActive(), 2)).toEqual([]);
    });

    test('delivers an entry once, even if a process was frozen while it delivered it', async () => {
      const { subscriptions, findActive } = await subscribe();
      await insert({ id: 'a', settled_at: 1_000 });
      const seen = await findActive();
      const first = await subscriptions.listUndelivered(seen, 2);
      const results = await Promise.all(
        [0, 1].map(() => subscriptions.markDelivered(seen, first, database.db)),
      );
      expect(results.filter(Boolean)).toHaveLength(1);
      await insert({ id: 'late', settled_at: 1_000 });
      const next = await findActive();
      const delivered = await subscriptions.markDelivered(
        next,
        await subscriptions.listUndelivered(next, 2),
        database.db,
      );
      // The time names the message, so it is never used again.
      expect(delivered?.deliveredUntilMs).toBeGreaterThan(next.deliveredUntilMs);
    });

    test('delivers late entries, and runs that settle again', async () => {
      const { subscriptions, findActive } = await subscribe();
      await insert({ id: 'b', status: 'unknown', settled_at: 60_000 });
      await subscriptions.markDelivered(
        await findActive(),
        await subscriptions.listUndelivered(await findActive(), 9),
        database.db,
      );
      await insert({ id: 'late', settled_at: 50_000 });
      await database.db
        .updateTable('run')
        .set({ status: 'done', settled_at: 61_000 })
        .where('id', '=', 'b')
        .execute();
      expect(listIds(await subscriptions.listUndelivered(await findActive(), 9))).toEqual(['late', 'b']);
    });

    test('deletes delivery marks once no late entry can come', async () => {
      const { subscriptions, findActive } = await subscribe();
      const hourMs = 3_600_000;
      for (const [id, settled_at] of [
        ['a', 2_000],
        ['b', hourMs],
      ] as const) {
        await insert({ id, settled_at });
        await subscriptions.markDelivered(
          await findActive(),
          await subscriptions.listUndelivered(await findActive(), 9),
          database.db,
        );
      }
      const marks = await database.db.selectFrom('audit_delivery').select('run_id').execute();
      expect(marks).toEqual([{ run_id: 'b' }]);
      expect(await subscriptions.listUndelivered(await findActive(), 9)).toEqual([]);
    });

    test('is replaced by another channel, and removed once', async () => {
      const { subscriptions, findActive } = await subscribe();
      const old = await findActive();
      const next = { ...subscription, channel: 'C2', createdMs: 3_000 };
      await subscriptions.save(next);
      expect(await subscriptions.remove(old)).toBe(false);
      expect(await subscriptions.find('T1')).toEqual(next);
      const removals = await Promise.all([subscriptions.remove(next), subscriptions.remove(next)]);
      expect(removals.filter(Boolean)).toHaveLength(1);
      expect(await subscriptions.find('T1')).toBeUndefined();
    });
  });

  describe('a filtered page', () => {
    test('has every run that matches, whatever the filters', async () => {
      const catalogue = await loadFullCatalogue();
      const store = createAuditStore(database.db);
      await fc.assert(
        fc.asyncProperty(
          fc.array(run, { maxLength: 24 }),
          fc.array(filters, { minLength: 5, maxLength: 5 }),
          async (runs, tried) => {
            await database.db.deleteFrom('run').execute();
            await insertRuns(
              database.db,
              runs.map(({ filled, isIncomplete, ...row }, index) => ({
                ...row,
                id: `run-${index}`,
                ...filled,
                log_kind: toLogKind(catalogue, row, filled.input),
                // A run with incomplete input doesn't go on.
                ...(isIncomplete && row.status !== 'done' && { target: null }),
              })),
            );
            for (const { kind, userId, vps, isFailedOnly, text } of tried) {
              const kinds = toLogKinds(kind);
              const isAboutVps = vps === undefined ? () => true : createVpsFilter(vps, catalogue);
              const matches: Parameters<typeof findAuditPage>[2] = (entry) =>
                (userId === undefined || entry.actor.userId === userId) &&
                (!isFailedOnly || isUnsuccessful(entry)) &&
                (text === undefined || hasText(entry, text)) &&
                kinds.includes(entry.logKind) &&
                isAboutVps(entry);
              const query = {
                teamId: 'T1',
                kinds,
                isUnsuccessful: isFailedOnly,
                ...(userId !== undefined && { userId }),
                ...(vps !== undefined && { vps }),
              };
              const found = await findAuditPage(store, query, matches);
              expect(found).toEqual(await findAuditPage(store, { teamId: 'T1' }, matches));
            }
          },
        ),
        { numRuns: 20 },
      );
    });
  });

  describe('a settled run', () => {
    const lease = { owner: 'me', untilMs: Number.MAX_SAFE_INTEGER };
    const expired = { kind: 'problem', problem: expiredProblem() } as const;
    const end = createProblemEnd('failed', expired.problem);
    const resolved = { input: { vps: 'VPS-9' }, target: 'VPS-9', title: 'Reboot VPS-9' };
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

    /** Calls each method of RunStore in a way that would change an unsettled run. */
    const attempts: Record<keyof RunStore, (runs: RunStore, id: string) => Promise<unknown>> = {
      claim: async (runs, id) => {
        const run = await runs.find(id);
        return run && runs.claim({ ...run, operation: 'another' }, `test:${id}`, lease);
      },
      addAuditEntry: (runs) =>
        runs.addAuditEntry({
          actor: { teamId: 'T9', userId: 'U9' },
          operation: 'connect',
          target: null,
          status: 'done',
          outcome: { title: 'beside it' },
          nowMs: 9,
        }),
      changes: async () => undefined,
      find: (runs, id) => runs.find(id),
      findByRequestKey: (runs, id) => runs.findByRequestKey(`test:${id}`),
      findResponseUrl: (runs, id) => runs.findResponseUrl(id),
      listDenied: (runs) => runs.listDenied({ teamId: 'T1', userId: 'U1' }, 0, 9),
      listBatch: (runs, id) => runs.listBatch(id),
      stop: (runs, id) => runs.stop(id, 'U9'),
      listRecent: (runs) => runs.listRecent('T1', 9),
      saveConfirmation: (runs, id) =>
        runs.saveConfirmation(
          { id, ...resolved, confirmedState: toConfirmedState({ fingerprint: 'as it was' }) },
          toConfirmedState({ fingerprint: 'another state' }),
          9,
          lease.owner,
        ),
      saveResolvedInput: (runs, id) => runs.saveResolvedInput(id, resolved, lease.owner),
      awaitApproval: (runs, id) =>
        runs.awaitApproval(
          { id, ...resolved, confirmedState: toConfirmedState({ fingerprint: 'as it was' }) },
          {
            confirmedState: toConfirmedState({ fingerprint: 'another' }),
            expiresMs: 9,
            askId: 'ask-1',
            isShown: true,
          },
          async () => undefined,
          0,
        ),
      renewApproval: (runs, id) =>
        runs.renewApproval(
          { id, confirmedState: toConfirmedState({ fingerprint: 'as it was' }), approval: null },
          { confirmedState: toConfirmedState({ fingerprint: 'another' }), expiresMs: 9 },
          0,
          async () => undefined,
        ),
      enqueue: (runs, id) =>
        runs.enqueue(
          { id, ...resolved, confirmedState: toConfirmedState({ fingerprint: 'as it was' }), approval: null },
          lease,
          9,
          0,
        ),
      markConfirmationDelivered: (runs, id) => runs.markConfirmationDelivered(id, lease.owner),
      takeClick: (runs, id) =>
        runs.takeClick({ id, confirmedState: toConfirmedState({ fingerprint: 'as it was' }) }, lease, 0),
      markSent: (runs, id) => runs.markSent(id, 'queued', lease.owner, 0),
      settle: (runs, id) => runs.settle({ id, from: everyStatus, owner: lease.owner, ...end, nowMs: 9 }),
      expireUnsent: (runs) => runs.expireUnsent('T1', expired, 9),
      expireOverdue: (runs) => runs.expireOverdue(expired, Number.MAX_SAFE_INTEGER),
      listOwned: (runs) => runs.listOwned(lease.owner),
      saveProgress: (runs, id) => runs.saveProgress(id, { isFinished: true, text: 'Running again.' }),
      showView: (runs, id) => runs.showView(createRun({ id }), {}),
      extendLeases: (runs) => runs.extendLeases(lease, 0),
      adopt: (runs) => runs.adopt(lease, Number.MAX_SAFE_INTEGER),
      isQueuedFor: (runs, id) => runs.isQueuedFor(id, lease.owner),
      markDelivered: (runs, id) => runs.markDelivered(id, 9),
      endLeases: (runs) => runs.endLeases(lease.owner, 0),
      showUndelivered: (runs) => runs.showUndelivered(lease.owner, Number.MAX_SAFE_INTEGER, 0),
    };

    test.each(['refused', 'done', 'failed', 'expired'] as const)(
      'that is %s is changed by no method of the store, in any order',
      async (status) => {
        const runs = createRunStore(database.db, testVault);
        const methods = Object.values(attempts);
        await insertRuns(database.db, [{ id: 'settled', status, shown_state: 'as it was', not_after: 5 }]);
        const [before] = await listRunRows(database.db);
        await fc.assert(
          fc.asyncProperty(fc.shuffledSubarray(methods, { minLength: methods.length }), async (order) => {
            for (const attempt of order) await attempt(runs, 'settled');
          }),
          { numRuns: 10 },
        );
        const after = (await listRunRows(database.db)).find(({ id }) => id === 'settled');
        // Later progress isn't part of the activity log.
        expect({ ...after, progress: null }).toEqual(before);
      },
    );
  });
});
