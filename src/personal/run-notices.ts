import type { Database } from '../db/engines/database.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import { maxPollMs } from '../runs/progress-poller.ts';
import type { Run } from '../runs/run.ts';
import { toRunMessageKey } from '../runs/run-messages.ts';
import { isInProgress } from '../runs/run-status.ts';
import type { SettingsStore } from './settings-store.ts';

export const runNoticeKind = 'run-notice';

/** How long the message waits for a run's work to finish. Slightly longer than progress is polled. */
const maxFollowMs = maxPollMs + 5 * 60_000;

interface RunNoticesDependencies {
  readonly outbox: Pick<Outbox, 'put' | 'find'>;
  readonly store: Pick<SettingsStore, 'find'>;
  readonly catalogue: () => Catalogue;
}

export interface RunNotices {
  /** Queues the message about a settled run, unless the actor has turned messages off. */
  plan(run: Run, transaction: Database): Promise<void>;
  /** Returns whether the person still wants the message and hasn't already seen the result in a DM. */
  isWanted(run: Run): Promise<boolean>;
}

export function createRunNotices({ outbox, store, catalogue }: RunNoticesDependencies): RunNotices {
  return {
    async plan(run, transaction) {
      const { id, actor, title, operation, settledMs } = run;
      if (!isReported(run) || (await store.find(actor, transaction)).notify === 'off') return;
      const isWaiting = isInProgress(run, catalogue().find(operation));
      await outbox.put(
        `${runNoticeKind}:${id}`,
        { teamId: actor.teamId, channel: actor.userId },
        {
          kind: runNoticeKind,
          content: { runId: id },
          about: title ?? operation,
          dueMs: isWaiting ? (settledMs ?? 0) + maxFollowMs : undefined,
        },
        transaction,
      );
    },

    async isWanted({ id, actor, status }) {
      const { notify } = await store.find(actor);
      if (notify === 'off' || (notify === 'failed' && status === 'done')) return false;
      // A run that is already shown in a direct message needs no second message.
      const own = await outbox.find(actor.teamId, toRunMessageKey(id));
      const channel = own?.ref?.channel ?? own?.channel ?? '';
      return !/^[DUW]/.test(channel);
    },
  };
}

/**
 * Returns whether the actor could miss a run's result. Schedules and batches report their own runs, and people know
 * which runs they withdrew.
 */
function isReported({ title, queuedMs, approval, origin, batchId, actor, result }: Run): boolean {
  const isWithdrawn = result?.kind === 'problem' && result.problem.decidedBy === actor.userId;
  const wasShown = queuedMs !== null || approval !== null;
  return title !== null && wasShown && !isWithdrawn && !origin.schedule && batchId === undefined;
}
