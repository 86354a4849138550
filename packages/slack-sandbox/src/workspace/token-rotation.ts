/** The state of an installation whose tokens rotate. */
export interface TokenRotation {
  /** Can be used once. */
  readonly refreshToken: string;
  readonly expiresMs: number;
  /** Earlier tokens, which stay valid until they expire. */
  readonly formerTokens: ReadonlyMap<string, number>;
}

/** Returns when a workspace's token expires: `Infinity` for a long-lived one, undefined for another token. */
export function findTokenExpiry(
  { token, rotation }: { readonly token: string; readonly rotation: TokenRotation | null },
  searched: string | undefined,
): number | undefined {
  if (searched === undefined) return undefined;
  if (searched === token) return rotation?.expiresMs ?? Number.POSITIVE_INFINITY;
  return rotation?.formerTokens.get(searched);
}
