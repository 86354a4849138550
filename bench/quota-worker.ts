import { request } from 'undici';
import { openDatabase } from '../src/db/engines/database.ts';
import { createRateLimiter, type Lane } from '../src/hosting/quota/rate-limiter.ts';
import { createPostgresClock } from '../src/jobs/database-clock.ts';

/** The argument of a worker, as JSON. */
export interface WorkerSettings {
  /** The URL that each call reads. */
  readonly url: string;
  readonly databaseUrl: string;
  readonly limit: number;
  readonly windowMs: number;
}

/** Calls that a worker requests at once. */
export interface WorkOrder {
  readonly lane: Lane;
  readonly caller: string;
  readonly apiKey: string;
  readonly count: number;
}

/** A worker's message about a call: when it is sent after `queuedMs`, and when it is answered. */
export type CallReport = Pick<WorkOrder, 'lane' | 'caller'> &
  (
    | { readonly kind: 'sent'; readonly queuedMs: number }
    | { readonly kind: 'answered'; readonly durationMs: number }
  );

const { url, databaseUrl, limit, windowMs }: WorkerSettings = JSON.parse(process.argv[2] ?? '{}');
const { db, hasReplicas } = await openDatabase(databaseUrl);
const limiter = createRateLimiter({
  windowMs,
  callTimeoutMs: 30_000,
  table: { db, sharedClock: hasReplicas ? createPostgresClock() : undefined },
});

async function call({ lane, caller, apiKey }: WorkOrder): Promise<void> {
  const requestedAtMs = performance.now();
  const report = (more: object) => process.send?.({ lane, caller, ...more });
  await limiter.schedule({ fingerprint: apiKey, limit, lane, caller }, async () => {
    const sentAtMs = performance.now();
    report({ kind: 'sent', queuedMs: sentAtMs - requestedAtMs });
    const { body } = await request(url, { headers: { authorization: `Bearer ${apiKey}` } });
    await body.dump();
    report({ kind: 'answered', durationMs: performance.now() - sentAtMs });
  });
}

process.on('message', (order: WorkOrder) => {
  for (let i = 0; i < order.count; i += 1) void call(order);
});
process.send?.('ready');
