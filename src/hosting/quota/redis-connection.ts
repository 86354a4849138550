import Bottleneck from 'bottleneck';
import { Redis } from 'ioredis';

type ScriptReply = (error: Error | null, answer: unknown) => void;

interface Subscriber {
  readonly id: string;
  channel(): string;
  channel_client(): string;
}

/** Parts of Bottleneck 2.19.5's connection that its types leave out. */
interface ConnectionParts {
  readonly client: Redis;
  readonly subscriber: Redis;
  /** By channel. */
  readonly limiters: Record<string, Subscriber>;
  __scriptArgs__(name: string, id: string, args: unknown[], reply: ScriptReply): unknown[];
  __addLimiter__(limiter: Subscriber): Promise<unknown>;
  __removeLimiter__(limiter: Subscriber): void;
}

const IORedisConnection = Bottleneck.IORedisConnection as unknown as new (options: {
  client: Redis;
}) => Bottleneck.IORedisConnection & ConnectionParts;

/** How every script of Bottleneck reads the time: from its caller. */
const callersClock = 'local now = tonumber(ARGV[1])';

const redisClock = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)`;

/** What scripts do before they begin. KEYS are the keys of the limiter, its settings first. */
const preludes: Readonly<Record<string, string>> = {
  // Jobs that outlived their settings would be taken off a count in which they are not.
  init: `
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('DEL', unpack(KEYS)) end
`,
  // KEYS[2] are the jobs with a slot and ARGV[3] is this one: it asks again when a connection broke before the answer.
  register: `
if redis.call('HEXISTS', KEYS[2], ARGV[3]) == 1 then return {true, 0} end
`,
};

/**
 * Runs Bottleneck's scripts by the clock of Redis: by its own, a replica that is ahead would let the slots of all others
 * expire even while it sends nothing.
 */
class ScriptingRedis extends Redis {
  override defineCommand(name: string, definition: Parameters<Redis['defineCommand']>[1]) {
    if (!definition.lua.includes(callersClock)) throw new Error(`Bottleneck's script ${name} reads no clock`);
    const lua = definition.lua.replace(callersClock, redisClock);
    super.defineCommand(name, { ...definition, lua: (preludes[name] ?? '') + lua });
  }
}

/** Bottleneck's connection to Redis, mended where Redis 7 or a lost connection would break it. */
export class QuotaConnection extends IORedisConnection {
  /** When each limiter last asked for a slot, by the limiter's id. */
  readonly #askedAtMs = new Map<string, number>();
  readonly #onLostState: () => void;

  constructor(url: string, { silenceMs, onLostState }: { silenceMs: number; onLostState: () => void }) {
    const client = new ScriptingRedis(url, {
      // What was asked is asked again when Redis is back: an answer that never comes would stop its limiter.
      maxRetriesPerRequest: null,
      socketTimeout: silenceMs,
      retryStrategy: (attempt) => Math.min(attempt * 50, 1_000),
    });
    super({ client });
    this.#onLostState = onLostState;
  }

  lastAskedAtMs(id: string): number {
    return this.#askedAtMs.get(id) ?? Number.NEGATIVE_INFINITY;
  }

  override __scriptArgs__(name: string, id: string, args: unknown[], reply: ScriptReply): unknown[] {
    if (name === 'register') this.#askedAtMs.set(id, Number(args[0]));
    return super.__scriptArgs__(name, id, args, (error, answer) => {
      if (!error) return reply(null, answer);
      // Redis 7 puts its own code before the errors of scripts, which Bottleneck knows by their whole text.
      error.message = error.message.replace(/^ERR /, '');
      if (error.message === 'SETTINGS_KEY_NOT_FOUND') {
        this.#onLostState();
        // Bottleneck shrugs when a heartbeat finds nothing; as an unknown client it sets everything up again.
        if (name === 'heartbeat') error.message = 'UNKNOWN_CLIENT';
      }
      reply(error, answer);
    });
  }

  /** Fails where Bottleneck's own would pass, and leave a limiter deaf. */
  override async __addLimiter__(limiter: Subscriber): Promise<void> {
    const channels = [limiter.channel(), limiter.channel_client()];
    await this.subscriber.subscribe(...channels);
    for (const channel of channels) this.limiters[channel] = limiter;
  }

  /** Lets no failure of what nobody waits for reach the process. */
  override __removeLimiter__(limiter: Subscriber): void {
    this.#askedAtMs.delete(limiter.id);
    for (const channel of [limiter.channel(), limiter.channel_client()]) {
      delete this.limiters[channel];
      this.subscriber.unsubscribe(channel).catch(() => undefined);
    }
  }
}
