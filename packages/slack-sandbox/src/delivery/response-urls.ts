import type { Clock } from '../clock.ts';
import type { IdGenerator } from '../id-generator.ts';

/**
 * How often and for how long a `response_url` works
 * (docs.slack.dev/interactivity/handling-user-interaction).
 */
const responseUrlLimits = { uses: 5, lifeMs: 30 * 60_000 } as const;

/** The conversation and message to which a `response_url` belongs. */
export interface ResponseTarget {
  readonly team: string;
  readonly channel: string;
  readonly user: string;
  /** The clicked message, which the URL can replace or delete. A slash command has none. */
  readonly original?: { readonly ts: string; readonly isEphemeral: boolean };
}

export interface ResponseUrls {
  create(target: ResponseTarget): string;
  /** Returns whether a URL with this `secret` was created. */
  has(secret: string): boolean;
  /** Counts one use of a URL, which `secret` (from its path) identifies. */
  consume(secret: string): ResponseTarget | 'unknown_url' | 'used_url' | 'expired_url';
  clear(): void;
}

export function createResponseUrls(clock: Clock, ids: IdGenerator, baseUrl: () => string): ResponseUrls {
  const known = new Map<string, { target: ResponseTarget; expiresMs: number; usesLeft: number }>();
  return {
    create(target) {
      const secret = ids.secret();
      known.set(secret, {
        target,
        expiresMs: clock.now() + responseUrlLimits.lifeMs,
        usesLeft: responseUrlLimits.uses,
      });
      const family = target.original ? 'actions' : 'commands';
      return `${baseUrl()}/${family}/${target.team}/${ids.id('')}/${secret}`;
    },
    has: (secret) => known.has(secret),
    consume(secret) {
      const found = known.get(secret);
      if (!found) return 'unknown_url';
      if (found.expiresMs <= clock.now()) return 'expired_url';
      if (found.usesLeft === 0) return 'used_url';
      found.usesLeft -= 1;
      return found.target;
    },
    clear: () => known.clear(),
  };
}
