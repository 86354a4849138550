import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request in Slack's name is refused. */
export type Forgery = 'unsigned' | 'stale' | 'future' | 'forged' | 'replayed' | 'too_large';

export type SignedRequest =
  | {
      readonly ok: true;
      readonly body: Buffer /** Lets the same be delivered again: it was not taken. */;
      release(): void;
    }
  | { readonly ok: false; readonly why: Forgery };

/** Largest body that is read: Slack's views have at most 250 kB. */
const maxBodyBytes = 1024 * 1024;

/** How far a timestamp may be off: docs.slack.dev, "Verifying requests from Slack". Bolt looks into the past alone. */
const mostOffMs = 5 * 60_000;

/** Signatures that are remembered; a flood beyond that is left to the keys of the runs, which nothing passes twice. */
const mostRemembered = 50_000;

/** Creates what reads requests and tells those that Slack signed, now and for the first time, from all others. */
export function createSignedRequests(
  signingSecret: string,
  now: () => number = Date.now,
): (request: IncomingMessage) => Promise<SignedRequest> {
  const seen = new Map<string, number>();

  function signatureOf(timestamp: string, body: Buffer): Buffer {
    const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex');
    return Buffer.from(`v0=${digest}`);
  }

  /** A timestamp is good for as long before now as after, so a signature is good for twice that. */
  function isReplayed(signature: string): boolean {
    const nowMs = now();
    for (const [oldest, seenMs] of seen) {
      if (seen.size <= mostRemembered && nowMs - seenMs <= 2 * mostOffMs) break;
      seen.delete(oldest);
    }
    if (seen.has(signature)) return true;
    seen.set(signature, nowMs);
    return false;
  }

  function forgeryOf({ headers }: IncomingMessage, body: Buffer): Forgery | undefined {
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
    if (typeof signature !== 'string' || typeof timestamp !== 'string') return 'unsigned';
    const aheadMs = Number(timestamp) * 1_000 - now();
    if (!Number.isFinite(aheadMs)) return 'unsigned';
    if (aheadMs < -mostOffMs) return 'stale';
    if (aheadMs > mostOffMs) return 'future';
    const [given, ours] = [Buffer.from(signature), signatureOf(timestamp, body)];
    if (given.length !== ours.length || !timingSafeEqual(given, ours)) return 'forged';
    return isReplayed(signature) ? 'replayed' : undefined;
  }

  return async (request) => {
    const body = await readBody(request);
    const why = body ? forgeryOf(request, body) : 'too_large';
    if (!body || why) return { ok: false, why: why ?? 'too_large' };
    return { ok: true, body, release: () => seen.delete(String(request.headers['x-slack-signature'])) };
  };
}

/** Reads a body; nothing where it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > maxBodyBytes) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
