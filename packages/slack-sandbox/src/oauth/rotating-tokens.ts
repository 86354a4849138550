import type { Core } from '../core.ts';
import type { TokenRotation } from '../workspace/token-rotation.ts';
import type { Workspace } from '../workspace/workspace.ts';

/** How long a rotating token is valid (docs.slack.dev/authentication/using-token-rotation). */
export const tokenLifeSeconds = 43_200;

/** The fields of a response that contains rotating tokens. */
export interface RotatingTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

/** Gives the workspaces of one installation a new pair of tokens. A long-lived token ends at once. */
export function rotateToken({ ids, clock }: Core, workspaces: readonly Workspace[]): RotatingTokens {
  const [first] = workspaces;
  const secret = ids.secret();
  const tokens = {
    access_token: `xoxe.xoxb-1-sandbox-${secret}`,
    refresh_token: `xoxe-1-sandbox-${secret}`,
    expires_in: tokenLifeSeconds,
  };
  const formerTokens = new Map(first?.rotation?.formerTokens);
  if (first?.rotation) formerTokens.set(first.token, first.rotation.expiresMs);
  const rotation: TokenRotation = {
    refreshToken: tokens.refresh_token,
    expiresMs: clock.now() + tokenLifeSeconds * 1_000,
    formerTokens,
  };
  for (const workspace of workspaces) {
    workspace.token = tokens.access_token;
    workspace.rotation = rotation;
  }
  return tokens;
}
