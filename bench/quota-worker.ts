import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';
import { request } from 'undici';
import { createQuota, type Lane } from '../src/hosting/quota/quota.ts';

/** What a worker of the quota's benchmark is forked with, as JSON. */
export interface WorkerSettings {
  readonly kind: 'rackhand' | 'reservoir';
  /** A URL to read with each call. */
  readonly url: string;
  readonly limit: number;
  readonly windowMs: number;
  readonly redisUrl?: string;
}

/** Work that a worker is told to do: `reads` at once in the background, a person's call every so often until it is killed. */
export interface Work {
  readonly reads: number;
  readonly personEveryMs: number;
}

/** What a worker tells of each call when it leaves. */
export interface Left {
  readonly lane: Lane;
  readonly waitedMs: number;
}

type Run = (lane: Lane, call: () => Promise<unknown>) => Promise<unknown>;

const key = 'bench';

async function createRun({ kind, limit, windowMs, redisUrl }: WorkerSettings): Promise<Run> {
  if (kind === 'rackhand') {
    const timing = { windowMs, marginMs: windowMs / 240, callTimeoutMs: 1_000, startTimeoutMs: 500 };
    const quota = await createQuota({ ...timing, ...(redisUrl && { redisUrl }) });
    return (lane, call) => quota.run({ key, limit, lane }, call);
  }
  const limiter = new Bottleneck({
    reservoir: limit,
    reservoirRefreshAmount: limit,
    reservoirRefreshInterval: windowMs,
    ...(redisUrl && {
      id: key,
      connection: new Bottleneck.IORedisConnection({ client: new Redis(redisUrl) }),
    }),
  });
  await limiter.ready();
  return (lane, call) => limiter.schedule({ priority: lane === 'people' ? 1 : 5 }, call);
}

async function serve(settings: WorkerSettings) {
  const run = await createRun(settings);

  function call(lane: Lane) {
    const askedAtMs = performance.now();
    return run(lane, async () => {
      process.send?.({ lane, waitedMs: performance.now() - askedAtMs } satisfies Left);
      const { body } = await request(settings.url, { headers: { authorization: 'Bearer sandbox-key-full' } });
      await body.dump();
    });
  }

  process.on('message', ({ reads, personEveryMs }: Work) => {
    for (let i = 0; i < reads; i += 1) void call('background');
    if (personEveryMs > 0) setInterval(() => void call('people'), personEveryMs);
  });
  // The first call waits until a Redis without memory lets calls leave.
  await call('people');
  process.send?.('ready');
}

await serve(JSON.parse(process.argv[2] ?? '{}'));
