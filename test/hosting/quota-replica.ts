import { appendFileSync } from 'node:fs';
import { createQuota, type Lane, type QuotaOptions } from '../../src/hosting/quota/quota.ts';

/** What the parent tells a replica that it has forked. */
export type Order =
  | {
      readonly do: 'call';
      readonly lane: Lane;
      readonly count: number;
      readonly latencyMs: number;
      readonly slot: Slot;
    }
  | { readonly do: 'pause'; readonly key: string; readonly untilMs: number }
  /** Sets this process's clock ahead of the machine's. */
  | { readonly do: 'skew'; readonly aheadMs: number }
  | { readonly do: 'close' };

interface Slot {
  readonly key: string;
  readonly limit: number;
}

/** What it is forked with, as JSON. */
export interface ReplicaSettings {
  readonly name: string;
  readonly options: QuotaOptions;
  /** File to which every replica appends what it does. */
  readonly logFile: string;
  readonly aheadMs?: number;
}

/** A line of the log. */
export interface LogLine {
  readonly call: string;
  readonly event: 'left' | 'answered' | 'refused' | 'warned';
  /** By the machine's clock. */
  readonly atMs: number;
  readonly detail?: string;
}

const machinesNow = Date.now;

async function serve({ name, options, logFile, aheadMs: firstAheadMs = 0 }: ReplicaSettings) {
  let aheadMs = firstAheadMs;
  let made = 0;
  Date.now = () => machinesNow() + aheadMs;
  // Lines are written at once, so that those of a killed process are not lost.
  function note(line: Omit<LogLine, 'atMs'>) {
    appendFileSync(logFile, `${JSON.stringify({ ...line, atMs: machinesNow() })}\n`);
  }
  const quota = await createQuota({
    ...options,
    log: { warn: (fields) => note({ call: name, event: 'warned', detail: JSON.stringify(fields) }) },
  });

  function call(lane: Lane, latencyMs: number, slot: Slot) {
    made += 1;
    const id = `${name} ${lane} ${made}`;
    quota
      .run({ ...slot, lane }, async () => {
        note({ call: id, event: 'left' });
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        note({ call: id, event: 'answered' });
      })
      .catch((error: unknown) => note({ call: id, event: 'refused', detail: String(error) }));
  }

  process.on('message', async (order: Order) => {
    if (order.do === 'call') {
      for (let i = 0; i < order.count; i += 1) call(order.lane, order.latencyMs, order.slot);
    } else if (order.do === 'pause') await quota.pause(order.key, order.untilMs);
    else if (order.do === 'skew') aheadMs = order.aheadMs;
    else {
      await quota.close();
      process.disconnect();
    }
  });
  process.send?.('ready');
}

await serve(JSON.parse(process.argv[2] ?? '{}'));
