import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { RunStatus } from '../../src/db/schema/schema.ts';
import { toConfirmedState } from '../../src/runs/confirmed-state.ts';
import { expiredProblem } from '../../src/runs/problem.ts';
import { createProblemEnd } from '../../src/runs/run.ts';
import { createRunStore, type RunStore } from '../../src/runs/store/run-store.ts';
import type { TestDatabase } from '../db/test-database.ts';
import { createRun } from '../runs/create-run.ts';
import { testVault } from '../runs/test-vault.ts';
import { insertRuns, listRunRows } from './insert-runs.ts';

/** Tests that an entry of the activity log never changes. */
export function describeSettledRuns(database: TestDatabase): void {
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
}
