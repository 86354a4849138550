import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { HostingClient } from '../hosting/client/hosting-client.ts';
import type { ResolveAccess } from '../operations/define/access.ts';
import type { Actor } from '../operations/define/actor.ts';
import type { Catalogue } from '../operations/define/operation.ts';
import { createFormQueries, type FormQueries } from './form-queries.ts';
import { type ApprovalCards, type ApprovalStep, createApproval } from './pipeline/approval.ts';
import { type ConfirmationStep, createConfirmation } from './pipeline/confirmation.ts';
import { parseConfirmationToken } from './pipeline/confirmation-token.ts';
import { createRunContextFactory, type ListVpsAliases } from './pipeline/create-run-context.ts';
import { createExecution } from './pipeline/execution.ts';
import type { FindApprovalRule } from './pipeline/find-approval-rule.ts';
import { createRequestHandler, type RequestHandler } from './pipeline/request-handler.ts';
import { createRunSettler } from './pipeline/run-settler.ts';
import { createRunSteps, type RunSteps } from './pipeline/run-steps.ts';
import { createSendGuard } from './pipeline/send-guard.ts';
import type { ProgressPollStore } from './progress/progress-poll-store.ts';
import { createProgressPoller } from './progress/progress-poller.ts';
import { createActiveRuns } from './recovery/active-runs.ts';
import { createRecoverRun } from './recovery/recover-run.ts';
import { createRunReaper, leaseMs } from './recovery/run-reaper.ts';
import type { Announce, Run } from './run.ts';
import type { RunReply } from './run-reply.ts';
import type { SecretStore } from './secrets/secret-store.ts';
import type { RunStore } from './store/run-store.ts';
import { createWithRetry, type Delay } from './with-retry.ts';

export interface RunnerDependencies {
  readonly runs: RunStore;
  readonly progressPolls: ProgressPollStore;
  readonly secrets: SecretStore;
  readonly catalogue: Catalogue;
  /** Returns the client for a workspace's API key. Its calls throw `key_missing` if there is no key. */
  readonly hostingClientFor: (teamId: string) => HostingClient;
  /** Called before a run's input is resolved, at its confirmation and approval, and right before its call. */
  readonly resolveAccess: ResolveAccess;
  readonly findApprovalRule: FindApprovalRule;
  readonly approvalCards: ApprovalCards;
  /** Returns the actor's IANA time zone. */
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  readonly listVpsAliases: ListVpsAliases;
  readonly announce: Announce;
  /** Whether other processes can work on the same runs. */
  readonly hasReplicas: boolean;
  readonly log: Pick<Logger, 'info' | 'error'>;
  /** Waits before a retry. Defaults to a real delay. */
  readonly pause?: Delay;
  readonly now?: () => number;
}

/**
 * Runs operations. The methods return errors of the hosting service and invalid input as a problem,
 * instead of throwing.
 */
export interface Runner {
  readonly request: RequestHandler;
  /**
   * Records that the actor got a reply. Without this, the next process reports that the reply was
   * lost.
   */
  markDelivered(reply: RunReply): Promise<void>;
  /** Handles a click on a confirmation's button. */
  readonly confirm: ConfirmationStep['confirm'];
  /** Handles a click on a confirmation's Cancel button. */
  readonly cancel: ConfirmationStep['cancel'];
  /** Handles a click on an approval card's button. */
  readonly approve: ApprovalStep['approve'];
  readonly decline: ApprovalStep['decline'];
  /** Returns why a person isn't allowed to run an operation, or undefined. The input can be incomplete. */
  readonly findDenial: RunSteps['findDenial'];
  readonly formQueries: FormQueries;
  /** Returns the run if the actor owns it. */
  readonly findOwnRun: ConfirmationStep['findOwnRun'];
  /** Recovers runs whose process has ended, now and every 10 s. */
  start(): Promise<void>;
  /** Resolves when the current runs have ended. */
  stop(): Promise<void>;
}

export function createRunner(dependencies: RunnerDependencies): Runner {
  const {
    runs,
    secrets,
    catalogue,
    resolveAccess,
    announce,
    hasReplicas,
    log,
    pause,
    now = Date.now,
  } = dependencies;
  const owner = randomUUID();
  const activeRuns = createActiveRuns(log);
  const lease = () => ({ owner, untilMs: now() + leaseMs });
  const withRetry = createWithRetry(log, pause);
  const { settle, settleAndAnnounce } = createRunSettler({ runs, announce, lease, withRetry, now });

  const createRunContext = createRunContextFactory(dependencies);
  const createContext = (run: Run) => createRunContext(run, undefined, 'background').operationContext;
  const pollerParts = {
    store: dependencies.progressPolls,
    runs,
    catalogue,
    createContext,
    announce,
    owner,
    now,
    log,
  };
  const progressPoller = createProgressPoller(pollerParts);
  const execute = createExecution({
    runs,
    settleAndAnnounce,
    announce,
    progressPoller,
    secrets,
    assertSendable: createSendGuard(dependencies),
    owner,
    withRetry,
    log,
    now,
  });
  const recover = createRecoverRun({ catalogue, createRunContext, execute, settleAndAnnounce });
  const reaperParts = {
    runs,
    activeRuns,
    recover,
    announce,
    progressPoller,
    secrets,
    owner,
    hasReplicas,
    now,
    log,
  };
  const reaper = createRunReaper(reaperParts);

  const stepParts = {
    runs,
    resolveAccess,
    createRunContext,
    activeRuns,
    execute,
    settle,
    announce,
    lease,
    log,
    now,
  };
  const steps = createRunSteps(stepParts);
  const approval = createApproval({
    runs,
    catalogue,
    steps,
    findRule: dependencies.findApprovalRule,
    cards: dependencies.approvalCards,
    announce,
    settleAndAnnounce,
    lease,
    withRetry,
    now,
  });
  const confirmation = createConfirmation({
    runs,
    catalogue,
    steps,
    approval,
    settleAndAnnounce,
    lease,
    now,
  });
  const requestHandlerParts = { runs, steps, confirmation, approval, secrets, settle, lease, now };

  return {
    request: createRequestHandler(requestHandlerParts),
    async markDelivered(reply) {
      try {
        if (reply.kind === 'confirmation')
          await runs.markConfirmationDelivered(parseConfirmationToken(reply.confirmation.token).runId);
        else if (reply.kind === 'outcome' || reply.kind === 'problem') {
          if (reply.runId !== undefined) await runs.markDelivered(reply.runId);
        }
      } catch (error) {
        log.error({ err: error }, "could not record a reply's delivery");
      }
    },
    confirm: confirmation.confirm,
    cancel: confirmation.cancel,
    approve: approval.approve,
    decline: approval.decline,
    findDenial: steps.findDenial,
    formQueries: createFormQueries({ createRunContext, findDenial: steps.findDenial }),
    findOwnRun: confirmation.findOwnRun,
    start: reaper.start,

    async stop() {
      reaper.stop();
      await activeRuns.drained();
    },
  };
}
