import { setTimeout as delay } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ApiError } from './api-error.ts';
import type { CallLogEntry } from './call-log.ts';
import type { Middleware, Service } from './service.ts';

function parseLoggedBody(text: string): unknown {
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Logs every call when it arrives, and again when it is answered. */
export function logCalls({ calls, options }: Service): Middleware {
  return async (context, next) => {
    const url = new URL(context.req.url);
    const call: CallLogEntry = calls.begin({
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

export function logBody(): Middleware {
  return async (context, next) => {
    context.get('call').body = parseLoggedBody(context.get('bodyText'));
    await next();
  };
}

export function authenticate({ keyring }: Service): Middleware {
  return async (context, next) => {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '') ?? [];
    const key = keyring.find(bearer ?? context.req.header('x-api-key') ?? '');
    if (!key) {
      throw new ApiError(401, 'unauthorized', 'The API key is missing or unknown.', {
        headers: { 'www-authenticate': 'Bearer' },
      });
    }
    context.get('call').key = key.key;
    context.set('key', key);
    await next();
  };
}

/** Rejects calls that exceed the key's quota. Tells the client when to retry. */
export function enforceQuota({ keyring }: Service): Middleware {
  return async (context, next) => {
    const key = context.get('key');
    const waitMs = keyring.admit(key, context.get('call').at);
    if (waitMs > 0) {
      context.get('call').isOverQuota = true;
      const waitSeconds = Math.ceil(waitMs / 1000);
      const windowSeconds = keyring.windowMs / 1000;
      throw new ApiError(
        429,
        'quota_exceeded',
        `This key's quota of ${key.quota} calls in ${windowSeconds} s is used up. Try again in ${waitSeconds} s.`,
        { headers: { 'retry-after': String(waitSeconds) } },
      );
    }
    await next();
  };
}

/** Delays every call by the configured latency. */
export function delayResponse({ options: { latencyMs } }: Service): Middleware {
  return async (_context, next) => {
    if (latencyMs > 0) await delay(latencyMs, undefined, { ref: false });
    await next();
  };
}
