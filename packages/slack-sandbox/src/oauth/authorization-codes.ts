import type { Clock } from '../clock.ts';
import type { IdGenerator } from '../id-generator.ts';

/**
 * How long a code is valid (docs.slack.dev/authentication/installing-with-oauth, "Exchanging a
 * temporary authorization code").
 */
const codeLifeMs = 10 * 60_000;

/** A person's consent to install the app. */
export interface Consent {
  /** ID of a workspace, or of an organization with all its workspaces. */
  readonly targetId: string;
  readonly userId: string;
  readonly scopes: readonly string[];
  /** The user scopes that the person grants. */
  readonly userScopes: readonly string[];
  /** The `redirect_uri` that the app passed, if any. */
  readonly redirectUri: string | undefined;
}

/** The codes that the app exchanges for tokens. Each can be used once. */
export interface AuthorizationCodes {
  create(consent: Consent): string;
  /** Uses up a code and returns its consent. Returns undefined if the code is unknown, used or expired. */
  redeem(code: string): Consent | undefined;
  clear(): void;
}

export function createAuthorizationCodes(clock: Clock, ids: IdGenerator): AuthorizationCodes {
  const waiting = new Map<string, Consent & { readonly expiresMs: number }>();
  return {
    create(consent) {
      const code = ids.secret();
      waiting.set(code, { ...consent, expiresMs: clock.now() + codeLifeMs });
      return code;
    },
    redeem(code) {
      const consent = waiting.get(code);
      waiting.delete(code);
      return consent && consent.expiresMs > clock.now() ? consent : undefined;
    },
    clear: () => waiting.clear(),
  };
}
