import { RackhandError } from '../../error.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import { type Operation, permissionsOf, type Read } from '../operation.ts';
import { unlessLate } from './unless-late.ts';

/** How old a list of the key's permissions may be, in ms. One that lacks a permission is read anew. */
const permissionsAgeMs = 5 * 60_000;

/** Longest that a person waits for what only saves a call. */
const withinMs = 2_000;

/** Throws `permission_missing`, before anything else is called, where the key does not hold what an operation needs. */
export async function requirePermissions(operation: Operation, read: Read): Promise<void> {
  const needed = permissionsOf(operation);
  if (needed.length === 0) return;
  let missing: (typeof needed)[number] | undefined;
  for (const maxAgeMs of [permissionsAgeMs, 0]) {
    const held = await heldPermissions(read, maxAgeMs);
    missing = held && needed.find((permission) => !held.includes(permission));
    if (missing === undefined) return;
  }
  if (missing === undefined) return;
  throw new HostingError('permission_missing', `The API key lacks the permission ${missing}.`, {
    fate: 'never-left',
    permission: missing,
  });
}

/** Reads what the key holds; nothing where the service cannot tell just now: the call itself will show. */
async function heldPermissions(read: Read, maxAgeMs: number): Promise<readonly string[] | undefined> {
  try {
    return (await unlessLate(read(getStatus, {}, { maxAgeMs }), withinMs)).permissions;
  } catch (error) {
    const isAboutKey = error instanceof RackhandError && ['key_missing', 'key_rejected'].includes(error.code);
    if (isAboutKey) throw error;
    return undefined;
  }
}
