/** Reads about the API key itself. No change to the fleet affects them. */
const keyPaths: ReadonlySet<string> = new Set(['/v1', '/v1/me']);

/**
 * Returns whether a change can have affected the result of a read. A change below a VPS affects
 * this VPS and the list of VPS. A change to a VLAN affects the VLANs of all VPS. Any other change
 * can affect everything. Both paths begin with `/v1`.
 */
export function canAffect(changedPath: string, readPath: string): boolean {
  if (keyPaths.has(readPath)) return false;
  const vps = /^\/v1\/vps\/[^/]+(?=\/)/.exec(changedPath)?.[0];
  if (vps === undefined) return true;
  const isVlanChange = changedPath.startsWith(`${vps}/vlan`);
  return (
    readPath === '/v1/vps' ||
    readPath === vps ||
    readPath.startsWith(`${vps}/`) ||
    (isVlanChange && /^\/v1\/vps\/[^/]+\/vlan$/.test(readPath))
  );
}
