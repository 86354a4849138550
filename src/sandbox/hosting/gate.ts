import { setTimeout as delay } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Call } from './call-log.ts';
import { Refusal } from './refusal.ts';
import type { Service, Step } from './service.ts';

function readableBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Writes every call into the log: at its arrival, and again when its answer is known. */
export function recordCalls({ calls, options }: Service): Step {
  return async (context, next) => {
    const url = new URL(context.req.url);
    const call: Call = calls.begin({
      at: options.now(),
      method: context.req.method,
      path: url.pathname,
      query: Object.fromEntries(url.searchParams),
    });
    context.set('call', call);
    await next();
    const { res } = context;
    const isAnswered = res !== RESPONSE_ALREADY_SENT;
    const answer = isAnswered ? await res.clone().text() : null;
    calls.settle(call, { status: isAnswered ? res.status : 0, tookMs: options.now() - call.at, answer });
  };
}

/** Adds a call's body to the log. */
export function recordBody(): Step {
  return async (context, next) => {
    context.get('call').body = readableBody(context.get('bodyText'));
    await next();
  };
}

/** Lets only calls with a known key pass. */
export function authenticate({ keyring }: Service): Step {
  return async (context, next) => {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
    const key = keyring.find(bearer ?? context.req.header('x-api-key') ?? '');
    if (!key) {
      throw new Refusal(401, 'unauthorized', 'The API key is missing or not known.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    context.get('call').key = key.key;
    context.set('key', key);
    await next();
  };
}

/** Lets only as many calls pass as the key's quota allows; others hear when to try again. */
export function holdToQuota({ keyring }: Service): Step {
  return async (context, next) => {
    const key = context.get('key');
    const waitMs = keyring.admit(key, context.get('call').at);
    if (waitMs > 0) {
      context.get('call').isOverQuota = true;
      const waitSeconds = Math.ceil(waitMs / 1000);
      const windowSeconds = keyring.windowMs / 1000;
      throw new Refusal(
        429,
        'quota_exceeded',
        `This key's quota of ${key.quota} calls in ${windowSeconds} s is used up. Try again in ${waitSeconds} s.`,
        { headers: { 'retry-after': String(waitSeconds) } },
      );
    }
    await next();
  };
}

/** Makes every call take its time. */
export function takeTime({ options: { latencyMs } }: Service): Step {
  return async (_context, next) => {
    if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
    await next();
  };
}
