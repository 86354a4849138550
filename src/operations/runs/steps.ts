import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { HostingClient } from '../../hosting/client.ts';
import type { Lane } from '../../hosting/quota/quota.ts';
import type { RunStatus } from '../../storage/schema.ts';
import type { Catalogue } from '../catalogue.ts';
import type { Bench, Operation, Read } from '../operation.ts';
import type { RawInput } from '../outcome.ts';
import { type Access, needOf } from './access.ts';
import type { Activity } from './activity.ts';
import type { Answer } from './answer.ts';
import type { Execute, QueuedChange } from './execution.ts';
import { keyNeed, keyRemedyOf, withRemedyFor } from './key-problem.ts';
import { explain, isDoubtful, lapsed, notPermitted, type Problem } from './problem.ts';
import type { Announce, Asker, Run, SettledStatus } from './run.ts';
import type { Lease } from './run-leases.ts';
import type { RunStore } from './run-store.ts';
import type { Settle } from './settling.ts';
import { unlessLate } from './unless-late.ts';

/** How long after its confirmation a run may still be sent: a reboot must not come hours later. */
const sendWithinMs = 5 * 60_000;

/** Told before a wait for the quota: an estimate in ms. */
export type OnQueued = (waitMs: number) => void;

/** What is told of a run for as long as it has no answer. */
export interface Meanwhile {
  readonly onQueued?: OnQueued;
  /** How far it has come: a sentence. */
  readonly onProgress?: (words: string) => void;
}

interface BenchParts {
  readonly catalogue: Catalogue;
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly access: Access;
  readonly timeZoneOf: (asker: Asker) => Promise<string>;
}

/** Gives a run what it works with. */
export type BenchFor = (run: Pick<Run, 'asker' | 'origin'>, meanwhile?: Meanwhile, lane?: Lane) => Bench;

/** Creates what gives runs what they work with. */
export function createBenches({ access, catalogue, hostingFor, timeZoneOf }: BenchParts): BenchFor {
  return ({ asker, origin }, { onQueued, onProgress = () => {} } = {}, lane = 'people') => {
    const hosting = hostingFor(asker.teamId);
    const read: Read = (endpoint, input, options) =>
      hosting.call(endpoint, input, { lane, ...options, ...(onQueued && { onQueued }) });
    const context = {
      catalogue,
      read,
      usage: hosting.usage,
      progress: onProgress,
      timeZone: () => timeZoneOf(asker),
      reach: () => access(asker, origin),
      asker,
      origin,
    };
    return { hosting, context };
  };
}

export interface StepParts {
  readonly runs: RunStore;
  readonly access: Access;
  readonly benchFor: BenchFor;
  readonly activity: Activity;
  readonly execute: Execute;
  readonly settle: Settle;
  readonly announce: Announce;
  readonly lease: () => Lease;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now: () => number;
}

/** The steps that a run's way is made of. */
export type Steps = ReturnType<typeof createSteps>;

/** Creates the steps that a run's way is made of. */
export function createSteps(parts: StepParts) {
  const { runs, access, activity, execute, settle, announce, lease, log, now } = parts;

  /** Ends a run of which only its asker knows; nothing is to be said where somebody else has moved it on. */
  async function end(run: Run, status: SettledStatus, problem: Problem): Promise<Answer> {
    const from: readonly RunStatus[] = [run.status];
    const isEnded = await settle(run, from, { status, result: { kind: 'problem', problem } });
    return isEnded ? { kind: 'problem', problem, runId: run.id } : { kind: 'duplicate' };
  }

  /** Ends a run that an error has stopped. */
  async function fail(run: Run, error: unknown, changing = false): Promise<Answer> {
    const isOurs = error instanceof RackhandError;
    if (isOurs) log.info({ runId: run.id, reason: error.label }, 'a run did not go through');
    else log.error({ err: error, runId: run.id }, 'a run failed unexpectedly');
    const problem = await forAsker(run, explain(error, { changing }));
    return end(run, isDoubtful(problem) ? 'unknown' : 'failed', problem);
  }

  /** What is wrong with the key is put right by a button, for those who may. */
  async function forAsker({ asker, origin }: Run, problem: Problem): Promise<Problem> {
    if (!keyRemedyOf(problem.code)) return problem;
    try {
      return withRemedyFor(problem, (await access(asker, origin))(keyNeed) === undefined);
    } catch {
      // Who may what is not known just now; what is wrong is told all the same.
      return problem;
    }
  }

  /** What came first, or was too late: a run that could not be moved on from `waiting`. */
  async function endOverdue(run: Run): Promise<Answer> {
    if (!isOverdue(run)) return { kind: 'duplicate' };
    // What waits for a second person is ended by the caretaker, and told to everybody.
    return run.approval ? { kind: 'problem', problem: lapsed() } : end(run, 'expired', lapsed());
  }

  function isOverdue({ notAfterMs }: Run): boolean {
    return (notAfterMs ?? 0) <= now();
  }

  return {
    benchFor: parts.benchFor,
    end,
    fail,
    endOverdue,
    isOverdue,

    /** Tells why a person may not do this at that place, if so; `raw` may be unfinished. */
    async refusalOf(
      { asker, origin }: Pick<Run, 'asker' | 'origin'>,
      operation: Operation,
      raw: RawInput,
    ): Promise<Problem | undefined> {
      const need = needOf(operation, raw);
      const refusal = need && (await access(asker, origin))(need);
      return refusal && notPermitted(refusal);
    },

    /** Queues what has been checked, and confirmed and approved as far as it must be, and lets it go its way. */
    async launch(change: QueuedChange, approverId?: string): Promise<Answer> {
      const queuedMs = now();
      const notAfterMs = queuedMs + sendWithinMs;
      const { id, shown } = change.run;
      const approved = approverId === undefined ? undefined : { by: approverId, shown };
      if (!(await runs.queue(id, lease(), notAfterMs, queuedMs, approved))) return endOverdue(change.run);
      const approval = change.run.approval && { ...change.run.approval, approverId: approverId ?? null };
      const run: Run = { ...change.run, status: 'queued', approval, notAfterMs, queuedMs };
      announce(run);
      activity.begin(run.id, () => execute({ ...change, run }));
      return { kind: 'started' };
    },

    /**
     * Answers by `work`, whatever happens in it, and at the latest when the run lapses. `isChanging`: whether the work has begun to change
     * something of Rackhand's own.
     */
    answer(run: Run, work: () => Promise<Answer>, isChanging = () => false): Promise<Answer> {
      const withinMs = (run.notAfterMs ?? now()) - now();
      const answer = unlessLate(work(), withinMs).catch((error) => fail(run, error, isChanging()));
      return activity.during(run.id, answer);
    },
  };
}
