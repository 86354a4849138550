import type { Logger } from 'pino';
import type { Database } from '../db/engines/database.ts';
import type { RowReader } from '../db/row-reader.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { Catalogue, Operation } from '../operations/define/operation.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { LabelVpsFor } from '../runs/team-labels.ts';
import type { FindDisplayName } from './actor-names.ts';
import { isUnlabelled } from './audit-entry.ts';
import { createAuditStore } from './audit-store.ts';
import type { AuditChain } from './chain/audit-chain.ts';
import type { AuditStream } from './chain/audit-streams.ts';
import { createSealing, createStreaming } from './chain/sealing.ts';
import { createHistoryOperation, type DeliverExport, type PostIntro } from './history/history-operation.ts';
import { createRetention, defaultRetentionDays } from './retention.ts';
import { type AuditNotification, toAuditNotification } from './subscriptions/audit-notification.ts';
import { createAuditNotifier, notifierName } from './subscriptions/audit-notifier.ts';
import {
  type AuditSubscription,
  createAuditSubscriptionStore,
} from './subscriptions/audit-subscription-store.ts';

interface AuditLogDependencies {
  readonly db: Database;
  readonly rowReader: RowReader;
  readonly jobs: Pick<Jobs, 'clock' | 'define' | 'definePeriodic'>;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly outbox: Pick<Outbox, 'put' | 'transact' | 'find' | 'onGivenUp'>;
  readonly postIntro: PostIntro;
  readonly deliverExport: DeliverExport;
  readonly findDisplayName: FindDisplayName;
  readonly labelVpsFor: LabelVpsFor;
  readonly chain: AuditChain;
  readonly stream?: AuditStream | undefined;
  /** How many days entries are kept. With 0, they are kept forever. */
  readonly retentionDays?: number | undefined;
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
}

/** The activity log: the `history` operation, subscriptions of channels, and retention. */
export interface AuditLog {
  readonly operations: readonly Operation[];
  /** Loads entries in the form in which a subscribed channel shows them. `catalogue` contains all operations. */
  loadNotifications(
    teamId: string,
    runIds: readonly string[],
    catalogue: Catalogue,
  ): Promise<readonly AuditNotification[]>;
}

export function createAuditLog(dependencies: AuditLogDependencies): AuditLog {
  const {
    db,
    rowReader,
    jobs,
    runs,
    outbox,
    postIntro,
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
  const notifierJob = jobs.define(createAuditNotifier({ subscriptions, runs, outbox, clock, log }));
  jobs.definePeriodic(createSealing(db, chain));
  jobs.definePeriodic(createStreaming(db, stream));
  jobs.definePeriodic(createRetention({ store, chain, days: retentionDays, log }));

  async function subscribe(subscription: AuditSubscription): Promise<void> {
    await subscriptions.save(subscription);
    await notifierJob.ensure({ id: notifierName, payload: {} });
  }

  return {
    operations: [
      createHistoryOperation({
        store,
        subscriptions: { ...subscriptions, save: subscribe },
        postIntro,
        deliverExport,
        findDisplayName,
        now: clock.now,
      }),
    ],
    async loadNotifications(teamId, runIds, catalogue) {
      const entries = await subscriptions.listByIds(teamId, runIds);
      const labelVps = entries.some(isUnlabelled) ? await labelVpsFor(teamId) : undefined;
      return Promise.all(
        entries.map((entry) => toAuditNotification(entry, catalogue, findDisplayName, labelVps)),
      );
    },
  };
}
