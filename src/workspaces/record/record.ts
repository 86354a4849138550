import type { Logger } from 'pino';
import type { Catalogue } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RunStore } from '../../operations/runs/run-store.ts';
import type { Database } from '../../storage/database.ts';
import { createFollowerStore } from './follower-store.ts';
import { createRecordFollowing, type RecordVoice } from './following.ts';
import { createHistory, type HandOver } from './history.ts';
import type { NameOf } from './names.ts';
import { createRecordStore } from './record-store.ts';
import { createRetention, defaultRetentionDays } from './retention.ts';

interface RecordParts {
  readonly db: Database;
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: RecordVoice;
  readonly handOver: HandOver;
  readonly nameOf: NameOf;
  /** Days that the record is kept; 0 keeps it for ever. */
  readonly retentionDays?: number | undefined;
  readonly log: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly now?: () => number;
}

/** The record of a workspace: what shows it, tells of it, and forgets what is too old. */
export interface WorkRecord {
  readonly operations: readonly Operation[];
  /** Begins to tell channels that follow along, and to forget; `catalogue` is everything that a person can do. */
  start(catalogue: Catalogue): void;
  stop(): Promise<void>;
  /** The app is not in a workspace any more: no channel of it is told anything. */
  departed(teamId: string): Promise<void>;
}

/** Creates what keeps and shows the record. */
export function createRecord(parts: RecordParts): WorkRecord {
  const { db, runs, voice, handOver, nameOf, retentionDays = defaultRetentionDays, log } = parts;
  const { now = Date.now } = parts;
  const store = createRecordStore(db);
  const followers = createFollowerStore(db);
  const retention = createRetention({ store, days: retentionDays, log, now });
  const stops: (() => Promise<void>)[] = [];

  return {
    operations: [createHistory({ store, followers, voice, handOver, nameOf, now })],
    start(catalogue) {
      const following = createRecordFollowing({ followers, runs, catalogue, voice, nameOf, log, now });
      following.start();
      retention.start();
      stops.push(following.stop, retention.stop);
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
    async departed(teamId) {
      const follower = await followers.find(teamId);
      if (follower) await followers.remove(follower);
    },
  };
}
