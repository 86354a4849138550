import { appendFileSync } from 'node:fs';
import { openDatabase } from '../../../src/db/engines/database.ts';
import {
  createRateLimiter,
  type Lane,
  type RateLimiterOptions,
} from '../../../src/hosting/quota/rate-limiter.ts';
import { createPostgresClock } from '../../../src/jobs/database-clock.ts';

/** A message from the parent to a replica. */
export type ReplicaCommand =
  | {
      readonly kind: 'call';
      readonly lane: Lane;
      readonly count: number;
      readonly latencyMs: number;
      readonly slot: QuotaKey;
      /**
       * Freezes the process with SIGSTOP when the first call has its slot, or when it was sent and the
       * next one has requested its slot. A signal from another process could arrive between the last
       * look at the clock and the call, which no process can notice.
       */
      readonly freezeWhen?: 'in slot' | 'sent';
    }
  | { readonly kind: 'pause'; readonly fingerprint: string; readonly forMs: number }
  | { readonly kind: 'close' };

type CallCommand = Extract<ReplicaCommand, { kind: 'call' }>;

interface QuotaKey {
  readonly fingerprint: string;
  readonly limit: number;
}

/** The argument of a replica process, as JSON. */
export interface ReplicaSettings {
  readonly name: string;
  readonly options: Omit<RateLimiterOptions, 'table'>;
  /** The PostgreSQL that all replicas share. */
  readonly databaseUrl: string;
  /** Log file that all replicas share. */
  readonly logFile: string;
  readonly aheadMs?: number;
}

/** A line in the log. */
export interface ReplicaLogEntry {
  readonly call: string;
  readonly event: 'sent' | 'answered' | 'rejected' | 'warned';
  /** By the system clock. */
  readonly atMs: number;
  readonly detail?: string;
}

const systemNow = Date.now;

async function runReplica({ name, options, databaseUrl, logFile, aheadMs = 0 }: ReplicaSettings) {
  let callCount = 0;
  Date.now = () => systemNow() + aheadMs;
  // Writes synchronously, so that no entry is lost if the process is killed.
  function log(line: Omit<ReplicaLogEntry, 'atMs'>) {
    appendFileSync(logFile, `${JSON.stringify({ ...line, atMs: systemNow() })}\n`);
  }
  const { db, close } = await openDatabase(databaseUrl);
  const limiter = createRateLimiter({
    ...options,
    // The clock of a process that is wrong by more would stop its calls.
    table: { db, sharedClock: createPostgresClock(systemNow) },
    logger: {
      warn: (fields: object) => log({ call: name, event: 'warned', detail: JSON.stringify(fields) }),
    },
  });

  function call({ lane, latencyMs, slot }: CallCommand, freezeWhen: CallCommand['freezeWhen']) {
    callCount += 1;
    const id = `${name} ${slot.fingerprint} ${callCount}`;
    let hasSlot = false;
    const beforeSend = async () => {
      if (freezeWhen === 'in slot' && !hasSlot) process.kill(process.pid, 'SIGSTOP');
      // It needs another slot after it was frozen.
      hasSlot = true;
    };
    limiter
      .schedule({ ...slot, lane, beforeSend }, async () => {
        log({ call: id, event: 'sent' });
        if (freezeWhen === 'sent') setImmediate(() => process.kill(process.pid, 'SIGSTOP'));
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        log({ call: id, event: 'answered' });
      })
      .catch((error: unknown) => log({ call: id, event: 'rejected', detail: String(error) }));
  }

  process.on('message', async (command: ReplicaCommand) => {
    if (command.kind === 'call') {
      for (let i = 0; i < command.count; i += 1) call(command, i === 0 ? command.freezeWhen : undefined);
    } else if (command.kind === 'pause') await limiter.pause(command.fingerprint, command.forMs);
    else {
      await limiter.close();
      await close();
      process.disconnect();
    }
  });
  process.send?.('ready');
}

await runReplica(JSON.parse(process.argv[2] ?? '{}'));
