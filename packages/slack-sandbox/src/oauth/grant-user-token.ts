import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { UserGrant } from '../workspace/user-grants.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { tokenLifeSeconds } from './rotating-tokens.ts';

/** Stores what a person allows the app to do in their name, with a new token. */
export function grantUserToken(
  { manifest, ids, clock }: Core,
  workspace: Workspace,
  { userId, scopes }: Pick<UserGrant, 'userId' | 'scopes'>,
): UserGrant {
  const secret = ids.secret();
  const grant: UserGrant = {
    userId,
    scopes,
    isRevoked: false,
    ...(manifest.rotatesTokens
      ? {
          token: `xoxe.xoxp-1-sandbox-${secret}`,
          refreshToken: `xoxe-1-sandbox-user-${secret}`,
          expiresMs: clock.now() + tokenLifeSeconds * 1_000,
        }
      : { token: `xoxp-sandbox-${secret}`, refreshToken: undefined, expiresMs: Number.POSITIVE_INFINITY }),
  };
  workspace.userGrants.set(userId, grant);
  return grant;
}

/** Returns the fields of a response that contains a user token. */
export function toUserTokenFields({ token, scopes, refreshToken }: UserGrant): JsonObject {
  return {
    access_token: token,
    scope: [...scopes].join(','),
    token_type: 'user',
    ...(refreshToken !== undefined && { refresh_token: refreshToken, expires_in: tokenLifeSeconds }),
  };
}
