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
import type { ApprovalCards } from './approval/approval-card.ts';
import type { FindApprovalRoute } from './approval/approval-route.ts';
import type { OpenRunEnvironment } from './run-environment.ts';
import type { RunSettler } from './run-settler.ts';
import type { UnreadableRuns } from './unreadable-runs.ts';

/** Everything outside a run that its steps use. */
export interface RunServices extends RunSettler {
  readonly runs: RunStore;
  readonly catalogue: Catalogue;
  readonly openEnvironment: OpenRunEnvironment;
  readonly resolveAccess: ResolveAccess;
  readonly findApprovalRoute: FindApprovalRoute;
  readonly isReasonRequired: IsReasonRequired;
  readonly approvalCards: ApprovalCards;
  /** Throws while changes are refused because the hosting service doesn't answer. */
  readonly assertServiceAnswers: () => void;
  readonly secrets: SecretStore;
  readonly progressPoller: Pick<ProgressPoller, 'start'>;
  readonly activeRuns: ActiveRuns;
  /** Aborted when this process stops: no change of Rackhand's own data and no part of a batch begins after that. */
  readonly stopping: AbortSignal;
  readonly unreadableRuns: UnreadableRuns;
  readonly withRetry: WithRetry;
  /** How old a response of the service can be for a read to use it instead of a call. */
  readonly sharedReadMs: number;
  /** Identifies this process as the owner of runs. */
  readonly owner: string;
  readonly lease: () => Lease;
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly now: () => number;
}
