import type { Clock } from '../clock.ts';
import type { Mint } from '../mint.ts';

/** How long a code can be exchanged: docs.slack.dev/authentication/installing-with-oauth, "Exchanging a temporary authorization code". */
const codeLifeMs = 10 * 60_000;

/** What somebody has consented to. */
export interface Grant {
  /** A workspace, or an organisation with all of its workspaces. */
  readonly place: string;
  readonly user: string;
  readonly scopes: readonly string[];
  /** As the app passed it, where it did. */
  readonly redirectUri: string | undefined;
}

/** The codes that the app exchanges for tokens, each once. */
export interface Grants {
  create(grant: Grant): string;
  /** Gives the grant of a code and uses the code up; nothing where it is unknown, used or expired. */
  take(code: string): Grant | undefined;
  clear(): void;
}

export function createGrants(clock: Clock, mint: Mint): Grants {
  const waiting = new Map<string, Grant & { readonly expiresMs: number }>();
  return {
    create(grant) {
      const code = mint.secret();
      waiting.set(code, { ...grant, expiresMs: clock.now() + codeLifeMs });
      return code;
    },
    take(code) {
      const grant = waiting.get(code);
      waiting.delete(code);
      return grant && grant.expiresMs > clock.now() ? grant : undefined;
    },
    clear: () => waiting.clear(),
  };
}
