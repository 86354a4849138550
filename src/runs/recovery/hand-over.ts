import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Vault } from '../../db/encryption/vault.ts';
import type { JobResult } from '../../jobs/job-kind.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { findRunOfCard, ownConfirmation } from '../pipeline/confirmation/own-confirmation.ts';
import type { Run } from '../run.ts';
import type { Lease } from '../store/run-leases.ts';
import type { RunStore } from '../store/run-store.ts';

const actorSchema = z.object({ teamId: z.string(), userId: z.string() });

/** The target of the reply. It isn't in the run's origin, because only an unfinished request needs it. */
const replyRouteSchema = z.object({
  isPublic: z.boolean(),
  /** The modal that waits for the reply. */
  viewId: z.string().optional(),
  /** The response URL of a clicked button. */
  clickedUrl: z.string().optional(),
  /** The response URL of the request. */
  responseUrl: z.string().optional(),
});

export type ReplyRoute = z.infer<typeof replyRouteSchema>;

const workSchema = z.discriminatedUnion('kind', [
  /** A read, or a change whose checks haven't ended. */
  z.object({
    kind: z.literal('request'),
    isUncertain: z.boolean(),
    undoneState: z.string().optional(),
    route: replyRouteSchema.optional(),
  }),
  /** A click on a confirmation card. */
  z.object({
    kind: z.literal('confirm'),
    token: z.string(),
    actor: actorSchema,
    typed: z.string().optional(),
    atATime: z.number().optional(),
    snapshotFirst: z.literal(true).optional(),
    reason: z.string().optional(),
    route: replyRouteSchema.optional(),
    clickedMs: z.number().optional(),
  }),
  /** A queued change. */
  z.object({ kind: z.literal('send'), owner: z.string() }),
]);

/** Work that a stopping process hands to another one. None of its calls were sent. */
export type UnfinishedWork = z.infer<typeof workSchema>;

type HandedOverRequest = Extract<UnfinishedWork, { kind: 'request' }>;

/** Work that this process has taken over, and that needs a reply. */
export type ContinuedWork =
  | (HandedOverRequest & { readonly run: Run })
  | Extract<UnfinishedWork, { kind: 'confirm' }>;

/** Continues work that another process has handed over. */
export type HandOverEvents = EventEmitter<{ continued: [work: ContinuedWork] }>;

/** Hands the unfinished work of a stopping process to another one. */
export interface HandOver {
  /** Hands work over. Another process continues it within seconds, or the next one when it starts. */
  give(run: Pick<Run, 'id' | 'actor'>, work: UnfinishedWork): Promise<void>;
  readonly events: HandOverEvents;
}

interface HandOverDependencies {
  readonly jobs: Pick<Jobs, 'define' | 'clock'>;
  readonly vault: Vault;
  readonly runs: Pick<
    RunStore,
    'giveUp' | 'takeOver' | 'find' | 'ownConfirmation' | 'markConfirmationDelivered'
  >;
  readonly lease: () => Lease;
  /** Starts to finish a run that this process has taken over: executes a queued change, or ends the run. */
  readonly recover: (run: Run) => void;
  readonly log: Pick<Logger, 'error'>;
}

/** How long to wait before the work is offered again, if this process can't continue it. */
const retry = { firstMs: 1_000, maxMs: 30_000 };

export function createHandOver(dependencies: HandOverDependencies): HandOver {
  const { jobs, vault, runs, lease, recover, log } = dependencies;
  const events: HandOverEvents = new EventEmitter();
  // Encrypted, because anyone who has a response URL can post as the app for 30 minutes.
  const contextOf = (runId: string) => ({ purpose: 'handed-over-run', owner: runId }) as const;

  async function decrypt(runId: string, jwe: string): Promise<UnfinishedWork | undefined> {
    try {
      return workSchema.parse(JSON.parse(await vault.decrypt(jwe, contextOf(runId))));
    } catch (error) {
      log.error({ err: error, runId }, 'the work that another process has handed over is unreadable');
      return undefined;
    }
  }

  async function resumeRequest(runId: string, work: HandedOverRequest): Promise<boolean> {
    if (events.listenerCount('continued') === 0) return false;
    const taken = await runs.takeOver(runId, null, lease());
    if (taken) return events.emit('continued', { ...work, run: taken });
    const run = await runs.find(runId);
    // The run expired before a process claimed it. Its actor doesn't know yet. A run whose process was
    // killed while handing it over has another problem, and was reported.
    if (run?.status === 'expired' && run.result?.problem.code === 'deadline_passed')
      return events.emit('continued', { ...work, run });
    // The process that hands the run over has created this job, and is about to give up the run.
    return run?.status !== 'waiting' && run?.status !== 'queued';
  }

  /** Ends a run whose work is unreadable, so that its actor is notified. Returns whether that was possible. */
  async function abandon(runId: string): Promise<boolean> {
    const run = await runs.find(runId);
    if (run?.status !== 'waiting' && run?.status !== 'queued') return true;
    // The approver can click again.
    if (run.approval) return true;
    const taken = await runs.takeOver(runId, null, lease());
    if (taken) recover(taken);
    // The process that hands the run over is about to give it up, or the run is a queued change, which is
    // executed without this job.
    return taken !== undefined;
  }

  /** Returns whether someone continues the work. */
  async function resume(runId: string, work: UnfinishedWork): Promise<boolean> {
    switch (work.kind) {
      case 'send': {
        const run = await runs.takeOver(runId, work.owner, lease());
        if (run) recover(run);
        return true;
      }
      case 'request':
        return resumeRequest(runId, work);
      case 'confirm':
        // The card can have lost its buttons.
        if (events.listenerCount('continued') > 0) await ownConfirmation(work.token, runs, lease());
        return events.emit('continued', work);
    }
  }

  const queue = jobs.define({
    name: 'handed-over-run',
    payload: z.object({ jwe: z.string() }),
    retry,
    concurrency: 10,
    async handle({ id, payload }): Promise<JobResult<{ jwe: string }>> {
      const work = await decrypt(id, payload.jwe);
      const isDone = work ? await resume(id, work) : await abandon(id);
      if (isDone) return { kind: 'done' };
      return { kind: 'wait', atMs: jobs.clock.now() + retry.firstMs };
    },
  });

  return {
    events,
    async give({ id, actor }, work) {
      // A click on an earlier card must not replace the work of a click on the current one.
      if (work.kind === 'confirm' && !(await findRunOfCard(work.token, runs))) return;
      const { teamId, userId }: Actor = actor;
      const jwe = await vault.encrypt(JSON.stringify(work), contextOf(id));
      await queue.schedule({ id, teamId, userId, payload: { jwe } });
      // Without an owner, a request isn't reported as interrupted. A queued change keeps its owner,
      // so that it is executed even if the job is lost.
      if (work.kind === 'request') await runs.giveUp(id);
      if (work.kind === 'confirm') await runs.markConfirmationDelivered(id, lease().owner);
    },
  };
}
