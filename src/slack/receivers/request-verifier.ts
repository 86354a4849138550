import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** Why a request that claims to come from Slack is rejected. */
export type RequestRejection =
  | 'unsigned'
  | 'stale'
  | 'future'
  | 'forged'
  | 'replayed'
  | 'unsupported_type'
  | 'too_large'
  | 'too_slow'
  | 'overloaded'
  | 'aborted';

export type VerificationResult =
  | {
      readonly kind: 'valid';
      readonly body: Buffer;
      /** Allows the same request again. Called if handling it failed. */
      forget(): void;
    }
  | { readonly kind: 'invalid'; readonly reason: RequestRejection };

/** Maximum size of a body. Slack's views have at most 250 kB. */
const maxBodyBytes = 1024 * 1024;

/**
 * Maximum total size of the bodies being read. Needed because a body's sender can't be verified until the
 * body is complete.
 */
const maxPendingBytes = 16 * maxBodyBytes;

/**
 * Maximum size of a small body. Most of Slack's request bodies are small. Larger ones have a shorter time limit (`largeBodyMs`).
 */
const smallBodyBytes = 64 * 1024;

/** Time limit for a large body. Slack sends it at once, and gives up after 3 s. */
const largeBodyMs = 2_000;

/**
 * Maximum age and maximum lead of a timestamp (docs.slack.dev, "Verifying requests from Slack").
 * Bolt itself rejects only old timestamps.
 */
const maxClockSkewMs = 5 * 60_000;

/** The content types that Slack sends. Bolt recognizes a form only by exactly this type. */
const contentTypes = /^(application\/x-www-form-urlencoded|application\/json(;.*)?)$/;

/** Maximum number of remembered signatures. If older ones are forgotten, request keys still prevent duplicate runs. */
const maxRememberedSignatures = 50_000;

/**
 * Returns a function that reads and verifies a request. Accepts a request only if Slack signed it
 * recently and its signature wasn't used before.
 */
export function createRequestVerifier(
  signingSecret: string,
  now: () => number = Date.now,
): (request: IncomingMessage) => Promise<VerificationResult> {
  const seen = new Map<string, number>();
  /** Rejects each body that is being read, oldest first. */
  const unfinished = new Set<(reason: RequestRejection) => void>();
  let pendingBytes = 0;

  function sign(timestamp: string, body: Buffer): Buffer {
    const digest = createHmac('sha256', signingSecret).update(`v0:${timestamp}:`).update(body).digest('hex');
    return Buffer.from(`v0=${digest}`);
  }

  /**
   * Returns whether a signature was used before. Signatures are remembered for twice the maximum skew,
   * because timestamps can be before or after the current time.
   */
  function isReplayed(signature: string): boolean {
    const nowMs = now();
    for (const [oldest, seenMs] of seen) {
      if (seen.size <= maxRememberedSignatures && nowMs - seenMs <= 2 * maxClockSkewMs) break;
      seen.delete(oldest);
    }
    if (seen.has(signature)) return true;
    seen.set(signature, nowMs);
    return false;
  }

  /** Returns the signature from the headers, or why to reject the request. Called before the body is read. */
  function readSignature({ headers }: IncomingMessage): Signature | RequestRejection {
    const { 'x-slack-signature': signature, 'x-slack-request-timestamp': timestamp } = headers;
    if (typeof signature !== 'string' || typeof timestamp !== 'string') return 'unsigned';
    const skewMs = Number(timestamp) * 1_000 - now();
    if (!Number.isFinite(skewMs)) return 'unsigned';
    if (skewMs < -maxClockSkewMs) return 'stale';
    if (skewMs > maxClockSkewMs) return 'future';
    if (!contentTypes.test(headers['content-type'] ?? '')) return 'unsupported_type';
    return Number(headers['content-length'] ?? 0) > maxBodyBytes ? 'too_large' : { signature, timestamp };
  }

  /**
   * Rejects the oldest unfinished bodies until the rest are within the total limit. Otherwise, bodies that
   * never finish could keep Slack's out.
   */
  function makeRoom(): void {
    for (const rejectOldest of unfinished) {
      if (pendingBytes <= maxPendingBytes) return;
      rejectOldest('overloaded');
    }
  }

  function readBody(request: IncomingMessage): Promise<Buffer | RequestRejection> {
    return new Promise((resolve) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      let deadline: NodeJS.Timeout | undefined;
      const finish = (result: Buffer | RequestRejection) => {
        if (!unfinished.delete(reject)) return;
        pendingBytes -= bytes;
        clearTimeout(deadline);
        resolve(result);
      };
      const reject = (reason: RequestRejection) => {
        request.pause();
        finish(reason);
      };
      unfinished.add(reject);
      // Listeners cost less per request than an async iterator.
      request.on('data', (part: Buffer) => {
        if (!unfinished.has(reject)) return;
        bytes += part.length;
        pendingBytes += part.length;
        parts.push(part);
        if (bytes > maxBodyBytes) return reject('too_large');
        if (bytes > smallBodyBytes) deadline ??= setTimeout(reject, largeBodyMs, 'too_slow');
        makeRoom();
      });
      request.once('end', () => finish(Buffer.concat(parts)));
      request.once('close', () => finish('aborted'));
    });
  }

  function findRejection({ signature, timestamp }: Signature, body: Buffer): RequestRejection | undefined {
    const [received, expected] = [Buffer.from(signature), sign(timestamp, body)];
    if (received.length !== expected.length || !timingSafeEqual(received, expected)) return 'forged';
    return isReplayed(signature) ? 'replayed' : undefined;
  }

  return async (request) => {
    const signature = readSignature(request);
    if (typeof signature === 'string') return { kind: 'invalid', reason: signature };
    const body = await readBody(request);
    if (typeof body === 'string') return { kind: 'invalid', reason: body };
    const reason = findRejection(signature, body);
    if (reason) return { kind: 'invalid', reason };
    return { kind: 'valid', body, forget: () => seen.delete(signature.signature) };
  };
}

interface Signature {
  readonly signature: string;
  readonly timestamp: string;
}
