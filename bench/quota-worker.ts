import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';
import { request } from 'undici';
import type * as rateLimit from '../src/hosting/rate-limit/rate-limiter.ts';
import type { Lane } from '../src/hosting/rate-limit/rate-limiter.ts';

/** The argument of a worker, as JSON. */
export interface WorkerSettings {
  /** URL of the module of the rate limiter, or a plain Bottleneck reservoir. */
  readonly limiter: string | 'reservoir';
  /** The URL that each call reads. */
  readonly url: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly redisUrl?: string;
}

/** Calls to make until the worker is killed. */
export interface WorkOrder {
  /** Calls to request at once, in this order. */
  readonly batches: readonly { readonly lane: Lane; readonly line?: string; readonly count: number }[];
  /** How often to make a call of a person. 0 for never. */
  readonly personEveryMs: number;
}

/** A worker's message about a call, when the call leaves and when it is answered. */
export type CallReport =
  | { readonly kind: 'sent'; readonly lane: Lane; readonly line?: string; readonly queuedMs: number }
  | { readonly kind: 'answered'; readonly durationMs: number };

type Schedule = (lane: Lane, line: string | undefined, call: () => Promise<unknown>) => Promise<unknown>;

const fingerprint = 'bench';

async function createScheduler({
  limiter: module,
  limit,
  windowMs,
  redisUrl,
}: WorkerSettings): Promise<Schedule> {
  if (module !== 'reservoir') {
    const { createRateLimiter }: typeof rateLimit = await import(module);
    const timing = { windowMs, marginMs: windowMs / 240, callTimeoutMs: 1_000, startTimeoutMs: 500 };
    const limiter = await createRateLimiter({ ...timing, ...(redisUrl && { redisUrl }) });
    return (lane, line, call) => limiter.schedule({ fingerprint, limit, lane, ...(line && { line }) }, call);
  }
  const reservoir = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
    ...(redisUrl && {
      id: fingerprint,
      connection: new Bottleneck.IORedisConnection({ client: new Redis(redisUrl) }),
    }),
  });
  await reservoir.ready();
  return (lane, _line, call) => reservoir.schedule({ priority: lane === 'people' ? 1 : 5 }, call);
}

async function runWorker(settings: WorkerSettings) {
  const schedule = await createScheduler(settings);

  function call(lane: Lane, line?: string) {
    const requestedAtMs = performance.now();
    return schedule(lane, line, async () => {
      const sentAtMs = performance.now();
      const report = { lane, ...(line && { line }), queuedMs: sentAtMs - requestedAtMs };
      process.send?.({ ...report, kind: 'sent' } satisfies CallReport);
      const { body } = await request(settings.url, { headers: { authorization: 'Bearer sandbox-key-full' } });
      await body.dump();
      const durationMs = performance.now() - sentAtMs;
      process.send?.({ kind: 'answered', durationMs } satisfies CallReport);
    }).catch((error: unknown) => console.error(String(error)));
  }

  process.on('message', ({ batches, personEveryMs }: WorkOrder) => {
    for (const { lane, line, count } of batches) for (let i = 0; i < count; i += 1) void call(lane, line);
    if (personEveryMs > 0) setInterval(() => void call('people'), personEveryMs);
  });
  // With an empty Redis, the first call waits for as long as unknown earlier calls could hold
  // slots.
  await call('people');
  process.send?.('ready');
}

await runWorker(JSON.parse(process.argv[2] ?? '{}'));
