import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';

type ScriptCallback = (error: Error | null, result: unknown) => void;

interface Subscriber {
  readonly id: string;
  channel(): string;
  channel_client(): string;
}

/** Members of Bottleneck 2.19.5's connection that are missing from its types. */
interface ConnectionInternals {
  readonly client: Redis;
  readonly subscriber: Redis;
  /** Limiters by channel. */
  readonly limiters: Record<string, Subscriber>;
  __scriptArgs__(name: string, id: string, args: unknown[], reply: ScriptCallback): unknown[];
  __addLimiter__(limiter: Subscriber): Promise<unknown>;
  __removeLimiter__(limiter: Subscriber): void;
}

const IORedisConnection = Bottleneck.IORedisConnection as unknown as new (options: {
  client: Redis;
}) => Bottleneck.IORedisConnection & ConnectionInternals;

/** The line with which Bottleneck's scripts take the time from their caller. */
const callerClockScript = 'local now = tonumber(ARGV[1])';

const redisClockScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** Code that runs before Bottleneck's scripts. KEYS are the limiter's keys, beginning with its settings. */
const scriptPreludes: Readonly<Record<string, string>> = {
  // Deletes jobs that outlived their settings. Otherwise they would be subtracted from a new count
  // that doesn't include them.
  init: `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', unpack(KEYS)) end
`,
  // A job that already has its slot is accepted again. It requests again if its connection broke.
  // KEYS[2] holds the jobs with a slot; ARGV[3] is this job.
  register: `
if redis.call('HEXISTS', KEYS[2], ARGV[3]) == 1 then return {true, 0} end
`,
};

/**
 * Makes Bottleneck's scripts use the clock of Redis. Otherwise a replica with a fast clock would
 * expire the slots of all replicas, even without making calls itself.
 */
class RedisClockClient extends Redis {
  override defineCommand(name: string, definition: Parameters<Redis['defineCommand']>[1]) {
    if (!definition.lua.includes(callerClockScript))
      throw new Error(`Bottleneck's script ${name} doesn't read the clock as expected`);
    const lua = definition.lua.replace(callerClockScript, redisClockScript);
    super.defineCommand(name, { ...definition, lua: (scriptPreludes[name] ?? '') + lua });
  }
}

/** Bottleneck's connection to Redis, with fixes for Redis 7 and for lost connections. */
export class QuotaConnection extends IORedisConnection {
  /** When each limiter last requested a slot, by limiter ID. */
  readonly #requestedAtMs = new Map<string, number>();
  readonly #onLostState: () => void;

  constructor(url: string, { silenceMs, onLostState }: { silenceMs: number; onLostState: () => void }) {
    const client = new RedisClockClient(url, {
      // Repeats commands when Redis is back, because a missing reply would block its limiter
      // forever.
      maxRetriesPerRequest: null,
      socketTimeout: silenceMs,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    });
    super({ client });
    this.#onLostState = onLostState;
  }

  lastRequestedAtMs(id: string): number {
    return this.#requestedAtMs.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  override __scriptArgs__(name: string, id: string, args: unknown[], reply: ScriptCallback): unknown[] {
    if (name === 'register') this.#requestedAtMs.set(id, Number(args[0]));
    return super.__scriptArgs__(name, id, args, (error, result) => {
      if (!error) return reply(null, result);
      // Redis 7 adds a prefix to script errors, but Bottleneck compares their full text.
      error.message = error.message.replace(/^ERR /, '');
      if (error.message === 'SETTINGS_KEY_NOT_FOUND') {
        this.#onLostState();
        // In a heartbeat, Bottleneck ignores lost settings. It restores them for an unknown client.
        if (name === 'heartbeat') error.message = 'UNKNOWN_CLIENT';
      }
      reply(error, result);
    });
  }

  /**
   * Throws if the subscription fails. Bottleneck's own method would continue with a limiter that
   * receives no messages.
   */
  override async __addLimiter__(limiter: Subscriber): Promise<void> {
    const channels = [limiter.channel(), limiter.channel_client()];
    await this.subscriber.subscribe(...channels);
    for (const channel of channels) this.limiters[channel] = limiter;
  }

  /** Ignores failures to unsubscribe. They would otherwise be unhandled rejections. */
  override __removeLimiter__(limiter: Subscriber): void {
    this.#requestedAtMs.delete(limiter.id);
    for (const channel of [limiter.channel(), limiter.channel_client()]) {
      delete this.limiters[channel];
      this.subscriber.unsubscribe(channel).catch(() => undefined);
    }
  }
}
