import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { HostingClient } from '../hosting/client/hosting-client.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { ResolveAccess } from '../operations/define/access/access.ts';
import type { Actor } from '../operations/define/access/actor.ts';
import type { ParsedInput } from '../operations/define/arguments/input.ts';
import type { Catalogue, ChangeOperation } from '../operations/define/operation.ts';
import { createFormQueries, type FormQueries } from './form-queries.ts';
import { createActiveRuns } from './pipeline/active-runs.ts';
import type { Approvals, FindApprovalRoute } from './pipeline/approval/approvals.ts';
import { type FindDenial, findDenial } from './pipeline/authorize.ts';
import { findOwnRun } from './pipeline/confirmation/confirm.ts';
import { parseConfirmationToken } from './pipeline/confirmation/confirmation-card.ts';
import { labelUnresolvedProblem } from './pipeline/names/label-shown-vps.ts';
import { createRunEnvironments, type ListVpsAliases } from './pipeline/run-environment.ts';
import type { RunServices } from './pipeline/run-services.ts';
import { createRunSettler } from './pipeline/run-settler.ts';
import { cancelRun, stopRun } from './pipeline/stop-run.ts';
import { createUnreadableRuns, type UnreadableRun } from './pipeline/unreadable-runs.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { isOutcomeUnknown, type Problem } from './problem.ts';
import { createProgressPoller } from './progress-poller.ts';
import type { Run } from './run.ts';
import { createRunReaper, leaseMs, recoverRun } from './run-reaper.ts';
import type { RunReply, UnrecordedEnd } from './run-reply.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import type { IsReasonRequired } from './stated-reason.ts';
import type { RunStore } from './store/run-store.ts';
import { createRetrier, type Delay } from './with-retry.ts';

/** Interval between deletions of expired secrets. Long, because expired secrets can no longer be shown anyway. */
const secretPurgeMs = 60_000;

export interface RunnerDependencies {
  readonly runs: RunStore;
  readonly secrets: SecretStore;
  readonly catalogue: Catalogue;
  /** Returns the client for a workspace's API key. Calls throw `key_missing` if there is no key. */
  readonly hostingClientFor: (teamId: string) => HostingClient;
  /** Called before a run's input is resolved, at its confirmation and approval, and right before its call. */
  readonly resolveAccess: ResolveAccess;
  readonly findApprovalRoute: FindApprovalRoute;
  /** By default, no change needs a reason. */
  readonly isReasonRequired?: IsReasonRequired;
  readonly approvals: Approvals;
  /** Returns the actor's IANA time zone. */
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  readonly listVpsAliases: ListVpsAliases;
  /** Throws while changes are refused because the hosting service doesn't answer. */
  readonly assertServiceAnswers?: () => void;
  readonly jobs: Pick<Jobs, 'define' | 'definePeriodic' | 'clock'>;
  /**
   * Maximum age (ms) of a response from the service that a read can reuse instead of making a call.
   * Defaults to 3 s.
   */
  readonly sharedReadMs?: number | undefined;
  /** Whether other processes can work on the same runs. */
  readonly hasReplicas: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Waits before a retry. Defaults to a real delay. */
  readonly pause?: Delay;
  readonly now?: () => number;
}

/** Runs operations. The methods return hosting service errors and invalid input as problems instead of throwing. */
export interface Runner extends Pipeline {
  /**
   * Sends a reply and records its delivery. If that fails, the run reaper reports that the reply was lost.
   * Sends nothing for a read that another process has ended in the meantime.
   */
  deliver(reply: RunReply, send: () => Promise<unknown>): Promise<void>;
  /**
   * Handles the requester's click on Cancel. The token is either a confirmation's token or the ID of a run
   * that is waiting for the quota. Does nothing once the call is sent.
   */
  cancel(token: string, actor: Actor): Promise<void>;
  /** Returns whether the actor's team requires a reason that this input lacks. The card then asks for the reason. */
  lacksReason(actor: Actor, operation: ChangeOperation, parsed: ParsedInput): Promise<boolean>;
  /**
   * Cancels a change that waits for the quota, or stops a batch from starting its remaining changes. Returns why the
   * actor isn't allowed to, or undefined.
   */
  stopRun(runId: string, actor: Actor): Promise<Problem | undefined>;
  /** Returns why a person isn't allowed to run an operation, or undefined if they are. The input can be incomplete. */
  readonly findDenial: FindDenial;
  readonly formQueries: FormQueries;
  /** Returns a run, or undefined if it isn't the actor's. */
  findOwnRun(runId: string, actor: Actor): Promise<Run | undefined>;
  /** Lists the stored runs that this process couldn't read and has ended. */
  listUnreadableRuns(): readonly UnreadableRun[];
  /** Recovers runs whose process has ended, now and every 10 s. */
  start(): Promise<void>;
  /** Starts no more runs. Resolves when the current ones have ended. */
  stop(): Promise<void>;
  /**
   * Lets another process take over this process's runs at once. The other process executes queued changes,
   * reports sent changes as unknown, and asks everyone else to try again. Called last.
   */
  release(): Promise<void>;
}

export function createRunner(dependencies: RunnerDependencies): Runner {
  const { runs, jobs, secrets, catalogue, resolveAccess, hasReplicas, log } = dependencies;
  const {
    findApprovalRoute,
    isReasonRequired = async () => false,
    approvals,
    pause,
    now = Date.now,
    sharedReadMs = 3_000,
    assertServiceAnswers = () => {},
  } = dependencies;
  const owner = randomUUID();
  const lease = () => ({ owner, untilMs: now() + leaseMs });
  const activeRuns = createActiveRuns(log);
  const { withRetry, stop: stopRetries } = createRetrier(log, pause);
  const openEnvironment = createRunEnvironments({ ...dependencies, cancelSignal: activeRuns.cancelSignal });
  const unreadableRuns = createUnreadableRuns(log);
  const progressPoller = createProgressPoller({
    jobs,
    runs,
    catalogue,
    createContext: (run) => openEnvironment(run, undefined, 'background').operationContext,
    unreadableRuns,
    withRetry,
    log,
  });
  const stopping = new AbortController();
  const services: RunServices = {
    stopping: stopping.signal,
    sharedReadMs,
    ...createRunSettler({ runs, lease, withRetry, now }),
    runs,
    catalogue,
    openEnvironment,
    resolveAccess,
    findApprovalRoute,
    isReasonRequired,
    approvals,
    assertServiceAnswers,
    secrets,
    progressPoller,
    activeRuns,
    unreadableRuns,
    withRetry,
    owner,
    lease,
    log,
    now,
  };
  const reaper = createRunReaper({
    runs,
    activeRuns,
    recover: (run) => recoverRun(run, services),
    owner,
    hasReplicas,
    now,
    log,
  });
  jobs.definePeriodic({
    name: 'one-time-secret-purge',
    intervalMs: secretPurgeMs,
    run: () => secrets.deleteExpired(),
  });
  const findDenialOf: FindDenial = async (by, operation, parsed) => {
    const denial = await findDenial(resolveAccess, by, operation, parsed);
    return denial && labelUnresolvedProblem(denial, openEnvironment(by).operationContext);
  };

  async function markEndDelivered(reply: Extract<RunReply, { kind: 'outcome' | 'problem' }>): Promise<void> {
    const { runId } = reply;
    if (runId === undefined) return;
    if (reply.kind === 'outcome' || !isOutcomeUnknown(reply.problem)) return runs.markDelivered(runId);
    // The run may have succeeded in the meantime, without the actor knowing.
    const run = await runs.find(runId);
    if (run && run.settledMs !== null && run.status !== 'done')
      await runs.markDelivered(runId, run.settledMs);
  }

  async function markDelivered(reply: RunReply): Promise<void> {
    if (reply.kind === 'confirmation') {
      const { runId } = parseConfirmationToken(reply.confirmation.token);
      await runs.markConfirmationDelivered(runId, owner);
    } else if (reply.kind === 'outcome' || reply.kind === 'problem') await markEndDelivered(reply);
  }

  /** Sends the reply to a read, then records its end. */
  async function deliverRead({ run, end }: UnrecordedEnd, send: () => Promise<unknown>): Promise<void> {
    if (!(await runs.isQueuedFor(run.id, owner))) return;
    await send();
    await services
      .settleReported(run, end, run)
      .catch((error) => log.error({ err: error, runId: run.id }, 'could not record the end of a read'));
  }

  return {
    ...createPipeline(services),
    cancel: (token, actor) => cancelRun(token, actor, services),
    lacksReason: async ({ teamId }, operation, { raw, validFields }) =>
      raw.reason === undefined && isReasonRequired(teamId, operation, validFields),
    stopRun: (runId, actor) => stopRun(runId, actor, services),
    async deliver(reply, send) {
      const read = 'unrecorded' in reply ? reply.unrecorded : undefined;
      // A read counts as active until its reply is sent and recorded.
      if (read) return activeRuns.during(read.run.id, deliverRead(read, send));
      await send();
      await markDelivered(reply).catch((error) =>
        log.error({ err: error }, "could not record a reply's delivery"),
      );
    },
    findDenial: findDenialOf,
    formQueries: createFormQueries({ openEnvironment, findDenial: findDenialOf }),
    findOwnRun: (runId, actor) => findOwnRun(runId, actor, services),
    listUnreadableRuns: unreadableRuns.list,
    start: reaper.start,

    async stop() {
      reaper.stop();
      stopping.abort();
      await activeRuns.drained();
    },
    release() {
      stopping.abort();
      stopRetries();
      return reaper.release();
    },
  };
}
