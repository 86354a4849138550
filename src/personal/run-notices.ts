import { z } from 'zod';
import { defaultLeaseMs, type JobContext, type JobResult } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import type { Run } from '../runs/run.ts';
import { isInProgress } from '../runs/run-status.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import { weekMs } from '../time/units.ts';
import type { PersonalSettings } from './personal-settings.ts';
import type { SettingsStore } from './settings-store.ts';

/** Sends the actor of a run a direct message about its end. */
export interface RunNoticePublisher {
  /**
   * Returns the ID of the direct messages, or undefined if the person can't get any. Throws if it is
   * unknown whether the message was posted.
   */
  send(run: Run): Promise<string | undefined>;
  /**
   * Returns whether the message was posted at about `sentMs`. Also returns true if that can't be
   * found out.
   */
  wasSent(run: Run, channel: string, sentMs: number): Promise<boolean>;
}

interface RunNoticesDependencies {
  readonly jobs: Pick<Jobs, 'define'>;
  readonly runs: Pick<RunStore, 'find' | 'findNoticeTime' | 'saveNoticeTime'>;
  readonly store: SettingsStore;
  readonly catalogue: () => Catalogue;
  readonly publisher: RunNoticePublisher;
}

/** How often a run is checked whose work continues after its call. */
const followMs = 5_000;

const maxRetryMs = 10 * 60_000;

/**
 * The message waits this long for a run's work to finish. Progress is polled for two hours, so this
 * is a little longer.
 */
const maxFollowMs = 2 * 60 * 60_000 + 5 * 60_000;

/**
 * Sends people a direct message about the results of their changes, according to their settings.
 */
export interface RunNotices {
  /** Plans the message about a settled run. Does nothing if the actor has turned messages off. */
  plan(run: Run): Promise<void>;
}

/** Each message is a job, so that a restart neither loses nor repeats it. */
export function createRunNotices({
  jobs,
  runs,
  store,
  catalogue,
  publisher,
}: RunNoticesDependencies): RunNotices {
  async function handle(id: string, { clock }: JobContext): Promise<JobResult<Record<string, never>>> {
    const run = await runs.find(id);
    const nowMs = clock.now();
    if (!run || run.settledMs === null || nowMs > run.settledMs + weekMs) return { kind: 'done' };
    const { actor, operation } = run;
    const { notify } = await store.find(actor);
    if (notify === 'off') return { kind: 'done' };
    if (isInProgress(run, catalogue().find(operation)) && nowMs < run.settledMs + maxFollowMs)
      return { kind: 'wait', atMs: nowMs + followMs };
    if (!concerns(run, notify)) return { kind: 'done' };
    if (await wasSent(run)) return { kind: 'done' };
    await runs.saveNoticeTime(id, nowMs);
    const channel = await publisher.send(run);
    if (channel !== undefined) await store.saveDirectChannel(actor, channel);
    return { kind: 'done' };
  }

  /** Returns whether an earlier attempt posted the message but was interrupted before it ended. */
  async function wasSent(run: Run): Promise<boolean> {
    const sentMs = await runs.findNoticeTime(run.id);
    const channel = sentMs === undefined ? undefined : await store.findDirectChannel(run.actor);
    return sentMs !== undefined && channel !== undefined && publisher.wasSent(run, channel, sentMs);
  }

  const queue = jobs.define<Record<string, never>>({
    name: 'run-notice',
    payload: z.object({}).strict(),
    leaseMs: defaultLeaseMs,
    retry: { firstMs: 15_000, maxMs: maxRetryMs },
    maxAheadMs: maxRetryMs,
    concurrency: { perProcess: 20, perWorkspace: 5 },
    handle: ({ id }, context) => handle(id, context),
  });

  return {
    async plan(run) {
      if (!isReported(run) || (await store.find(run.actor)).notify === 'off') return;
      await queue.ensure({ id: run.id, ...run.actor, payload: {} });
    },
  };
}

/**
 * Returns whether a run has a message of its own that its actor could miss. Schedules and batches
 * report their own runs, and people know which runs they have withdrawn.
 */
function isReported({ title, queuedMs, approval, origin, batchId, actor, result }: Run): boolean {
  const isWithdrawn = result?.kind === 'problem' && result.problem.decidedBy === actor.userId;
  const wasShown = queuedMs !== null || approval !== null;
  return title !== null && wasShown && !isWithdrawn && !origin.schedule && batchId === undefined;
}

/**
 * Returns whether to send a message about a run. A run whose own message is a direct message needs
 * no other.
 */
function concerns({ status, message }: Run, notify: PersonalSettings['notify']): boolean {
  if (notify === 'failed' && status === 'done') return false;
  // The app posts only in the actor's own direct messages, whose IDs begin with D.
  return message?.channel.startsWith('D') !== true;
}
