import type { Clock } from '../clock.ts';
import type { Mint } from '../mint.ts';

/** How often and how long a `response_url` can be used: docs.slack.dev/interactivity/handling-user-interaction. */
const responseUrlLimits = { uses: 5, lifeMs: 30 * 60_000 } as const;

/** Where the messages go that a `response_url` posts. */
export interface ResponseTarget {
  readonly team: string;
  readonly channel: string;
  readonly user: string;
  /** The message that was clicked, which the URL can replace or delete; that of a slash command has none. */
  readonly original?: { readonly ts: string; readonly isEphemeral: boolean };
}

export interface ResponseUrls {
  create(target: ResponseTarget): string;
  /** Uses a URL once, by the secret part of its path. */
  use(secret: string): ResponseTarget | 'unknown_url' | 'used_url' | 'expired_url';
  clear(): void;
}

export function createResponseUrls(clock: Clock, mint: Mint, baseUrl: () => string): ResponseUrls {
  const known = new Map<string, { target: ResponseTarget; expiresMs: number; usesLeft: number }>();
  return {
    create(target) {
      const secret = mint.secret();
      known.set(secret, {
        target,
        expiresMs: clock.now() + responseUrlLimits.lifeMs,
        usesLeft: responseUrlLimits.uses,
      });
      const family = target.original ? 'actions' : 'commands';
      return `${baseUrl()}/${family}/${target.team}/${mint.id('')}/${secret}`;
    },
    use(secret) {
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
