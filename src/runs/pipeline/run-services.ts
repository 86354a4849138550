import type { Logger } from 'pino';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { ProgressPoller } from '../progress-poller.ts';
import type { SecretStore } from '../secrets/secret-store.ts';
import type { IsReasonRequired } from '../stated-reason.ts';
import type { Lease } from '../store/run-leases.ts';
import type { RunStore } from '../store/run-store.ts';
import type { WithRetry } from '../with-retry.ts';
import type { ActiveRuns } from './active-runs.ts';
import type { Approvals, FindApprovalRoute } from './approval/approvals.ts';
import type { OpenRunEnvironment } from './run-environment.ts';
import type { RunSettler } from './run-settler.ts';
import type { UnreadableRuns } from './unreadable-runs.ts';

export interface RunRecords extends RunSettler {
  readonly runs: RunStore;
  /** Identifies this process as the owner of runs. */
  readonly owner: string;
  readonly lease: () => Lease;
  readonly withRetry: WithRetry;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now: () => number;
}

/** Decides whether a run is allowed: before a card is shown, at each click, and right before the call. */
export interface RunRules {
  readonly resolveAccess: ResolveAccess;
  readonly findApprovalRoute: FindApprovalRoute;
  readonly isReasonRequired: IsReasonRequired;
  /** Throws while changes are refused because the hosting service doesn't answer. */
  readonly assertServiceAnswers: () => void;
}

export interface StoredRuns {
  readonly catalogue: Catalogue;
  readonly openEnvironment: OpenRunEnvironment;
  readonly unreadableRuns: UnreadableRuns;
}

/** Executes a run: a read, a change to Rackhand's own data, or a call. */
export interface RunExecution {
  readonly activeRuns: ActiveRuns;
  readonly secrets: SecretStore;
  readonly progressPoller: Pick<ProgressPoller, 'start'>;
  /** Aborts when this process stops. After that, no change to Rackhand's own data and no part of a batch begins. */
  readonly stopping: AbortSignal;
  /** Maximum age (ms) of a response from the service that a read can reuse instead of making a call. */
  readonly sharedReadMs: number;
}

/** Everything that a run's steps use besides the run itself. Each step declares only the services it needs. */
export interface RunServices extends RunRecords, RunRules, StoredRuns, RunExecution {
  readonly approvals: Approvals;
}
