/** The user scopes that a person has granted to the app, with their token. */
export interface UserGrant {
  readonly userId: string;
  readonly scopes: ReadonlySet<string>;
  readonly token: string;
  /** `Infinity` for a token that doesn't rotate. */
  readonly expiresMs: number;
  /** Set if tokens rotate. Can be used once. */
  readonly refreshToken: string | undefined;
  readonly isRevoked: boolean;
}

/** Returns the grant to which a user token belongs. */
export function findUserGrant(
  { userGrants }: { readonly userGrants: ReadonlyMap<string, UserGrant> },
  token: string | undefined,
): UserGrant | undefined {
  return [...userGrants.values()].find((grant) => grant.token === token);
}

/** The user scope that includes each of these bot scopes. */
const impliedScopes: Readonly<Record<string, string>> = {
  'channels:join': 'channels:write',
  'channels:manage': 'channels:write',
  'channels:write.invites': 'channels:write',
  'channels:write.topic': 'channels:write',
};

/** The scopes of a user token, including implied ones. */
export class UserScopes extends Set<string> {
  override has(scope: string): boolean {
    return super.has(scope) || super.has(impliedScopes[scope] ?? '');
  }
}
