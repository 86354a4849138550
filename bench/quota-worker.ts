import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';
import { request } from 'undici';
import { createQuota, type Lane } from '../src/hosting/rate-limit/quota.ts';

/** The argument of a worker, as JSON. */
export interface WorkerSettings {
  readonly kind: 'rackhand' | 'reservoir';
  /** The URL that each call reads. */
  readonly url: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly redisUrl?: string;
}

/**
 * How many background reads to send at once, and how often to send calls of people (0 for never)
 * until the worker is killed.
 */
export interface WorkOrder {
  readonly reads: number;
  readonly personEveryMs: number;
}

/** A worker's message about a call, sent when the call leaves. */
export interface SentCall {
  readonly lane: Lane;
  readonly queuedMs: number;
}

type Schedule = (lane: Lane, call: () => Promise<unknown>) => Promise<unknown>;

const fingerprint = 'bench';

async function createScheduler({ kind, limit, windowMs, redisUrl }: WorkerSettings): Promise<Schedule> {
  if (kind === 'rackhand') {
    const timing = { windowMs, marginMs: windowMs / 240, callTimeoutMs: 1_000, startTimeoutMs: 500 };
    const quota = await createQuota({ ...timing, ...(redisUrl && { redisUrl }) });
    return (lane, call) => quota.schedule({ fingerprint, limit, lane }, call);
  }
  const limiter = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
    ...(redisUrl && {
      id: fingerprint,
      connection: new Bottleneck.IORedisConnection({ client: new Redis(redisUrl) }),
    }),
  });
  await limiter.ready();
  return (lane, call) => limiter.schedule({ priority: lane === 'people' ? 1 : 5 }, call);
}

async function runWorker(settings: WorkerSettings) {
  const schedule = await createScheduler(settings);

  function call(lane: Lane) {
    const requestedAtMs = performance.now();
    return schedule(lane, async () => {
      process.send?.({ lane, queuedMs: performance.now() - requestedAtMs } satisfies SentCall);
      const { body } = await request(settings.url, { headers: { authorization: 'Bearer sandbox-key-full' } });
      await body.dump();
    });
  }

  process.on('message', ({ reads, personEveryMs }: WorkOrder) => {
    for (let i = 0; i < reads; i += 1) void call('background');
    if (personEveryMs > 0) setInterval(() => void call('people'), personEveryMs);
  });
  // With an empty Redis, the first call waits for as long as unknown earlier calls could hold
  // slots.
  await call('people');
  process.send?.('ready');
}

await runWorker(JSON.parse(process.argv[2] ?? '{}'));
