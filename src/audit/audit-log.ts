import type { Logger } from 'pino';
import type { Database } from '../db/database.ts';
import type { Catalogue, Operation } from '../operations/define/operation.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { FindDisplayName } from './actor-names.ts';
import { createAuditStore } from './audit-store.ts';
import { createHistoryOperation, type DeliverExport } from './history/history-operation.ts';
import { createRetention, defaultRetentionDays } from './retention.ts';
import { type AuditPublisher, createAuditNotifier } from './subscriptions/audit-notifier.ts';
import { createAuditSubscriptionStore } from './subscriptions/audit-subscription-store.ts';

interface AuditLogDependencies {
  readonly db: Database;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly publisher: AuditPublisher;
  readonly deliverExport: DeliverExport;
  readonly findDisplayName: FindDisplayName;
  /** After how many days entries are deleted; 0 keeps them forever. */
  readonly retentionDays?: number | undefined;
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly now?: () => number;
}

/** The activity log: the `history` operation, channel subscriptions and retention. */
export interface AuditLog {
  readonly operations: readonly Operation[];
  /** Starts posting to subscribed channels and deleting old entries. `catalogue` holds all operations. */
  start(catalogue: Catalogue): void;
  stop(): Promise<void>;
  /** Ends the subscription of a workspace that has removed the app. */
  handleUninstalled(teamId: string): Promise<void>;
}

export function createAuditLog(dependencies: AuditLogDependencies): AuditLog {
  const {
    db,
    runs,
    publisher,
    deliverExport,
    findDisplayName,
    retentionDays = defaultRetentionDays,
    log,
  } = dependencies;
  const { now = Date.now } = dependencies;
  const store = createAuditStore(db);
  const subscriptions = createAuditSubscriptionStore(db);
  const retention = createRetention({ store, days: retentionDays, log, now });
  const stops: (() => Promise<void>)[] = [];

  return {
    operations: [
      createHistoryOperation({ store, subscriptions, publisher, deliverExport, findDisplayName, now }),
    ],
    start(catalogue) {
      const notifier = createAuditNotifier({
        subscriptions,
        runs,
        catalogue,
        publisher,
        findDisplayName,
        log,
        now,
      });
      notifier.start();
      retention.start();
      stops.push(notifier.stop, retention.stop);
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
    async handleUninstalled(teamId) {
      const subscription = await subscriptions.find(teamId);
      if (subscription) await subscriptions.remove(subscription);
    },
  };
}
