import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { RowReader } from '../db/row-reader.ts';
import type { JobQueue } from '../jobs/job-kind.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Catalogue, Operation } from '../operations/define/operation.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { LabelVpsFor } from '../runs/team-labels.ts';
import type { FindDisplayName } from './actor-names.ts';
import { createAuditStore } from './audit-store.ts';
import type { AuditChain } from './chain/audit-chain.ts';
import type { AuditStream } from './chain/audit-streams.ts';
import { createSealing, createStreaming } from './chain/sealing.ts';
import { createHistoryOperation, type DeliverExport } from './history/history-operation.ts';
import { createRetention, defaultRetentionDays } from './retention.ts';
import { type AuditPublisher, createAuditNotifier, notifierName } from './subscriptions/audit-notifier.ts';
import {
  type AuditSubscription,
  createAuditSubscriptionStore,
} from './subscriptions/audit-subscription-store.ts';

interface AuditLogDependencies {
  readonly db: Database;
  readonly rowReader: RowReader;
  readonly jobs: Pick<Jobs, 'clock' | 'define' | 'definePeriodic'>;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly publisher: AuditPublisher;
  readonly deliverExport: DeliverExport;
  readonly findDisplayName: FindDisplayName;
  readonly labelVpsFor: LabelVpsFor;
  readonly chain: AuditChain;
  readonly stream?: AuditStream | undefined;
  /** After how many days entries are deleted; 0 keeps them forever. */
  readonly retentionDays?: number | undefined;
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
}

/** The activity log: the `history` operation, channel subscriptions and retention. */
export interface AuditLog {
  readonly operations: readonly Operation[];
  /** Defines the job that posts to subscribed channels. `catalogue` holds all operations. */
  defineNotifier(catalogue: Catalogue): void;
}

export function createAuditLog(dependencies: AuditLogDependencies): AuditLog {
  const {
    db,
    rowReader,
    jobs,
    runs,
    publisher,
    deliverExport,
    findDisplayName,
    labelVpsFor,
    retentionDays = defaultRetentionDays,
    chain,
    stream,
    log,
  } = dependencies;
  const { clock } = jobs;
  const store = createAuditStore(db, rowReader);
  const subscriptions = createAuditSubscriptionStore(db);
  let notifierJob: JobQueue<object> | undefined;
  jobs.definePeriodic(createSealing(db, chain));
  jobs.definePeriodic(createStreaming(db, stream));
  jobs.definePeriodic(createRetention({ store, chain, days: retentionDays, log }));

  async function subscribe(subscription: AuditSubscription): Promise<void> {
    await subscriptions.save(subscription);
    await notifierJob?.ensure({ id: notifierName, payload: {} });
  }

  return {
    operations: [
      createHistoryOperation({
        store,
        subscriptions: { ...subscriptions, save: subscribe },
        publisher,
        deliverExport,
        findDisplayName,
        now: clock.now,
      }),
    ],
    defineNotifier(catalogue) {
      notifierJob = jobs.define(
        createAuditNotifier({
          subscriptions,
          runs,
          catalogue,
          publisher,
          findDisplayName,
          labelVpsFor,
          clock,
          log,
        }),
      );
    },
  };
}
