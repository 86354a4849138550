import { RackhandError } from '../../errors.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import { requiredPermissions } from '../../operations/define/inspect-operation.ts';
import type { Read } from '../../operations/define/read.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { ClaimedRun } from './run-context.ts';
import { type Next, next } from './step.ts';

/** Maximum age of a cached permission list. If a permission is missing, the list is read again. */
const permissionsMaxAgeMs = 5 * 60_000;

/** Time limit for this check. The check only serves to save a call. */
const timeoutMs = 2_000;

/** Fails the run if the API key lacks a permission that the operation needs. */
export async function checkKeyPermissions(claimed: ClaimedRun): Promise<Next<ClaimedRun>> {
  const required = requiredPermissions(claimed.operation);
  const findMissing = async (maxAgeMs: number) => {
    const held = await readKeyPermissions(claimed.operationContext.read, maxAgeMs);
    return held && required.find((permission) => !held.includes(permission));
  };
  if (required.length === 0 || !(await findMissing(permissionsMaxAgeMs))) return next(claimed);
  const missing = await findMissing(0);
  if (!missing) return next(claimed);
  throw new HostingError('permission_missing', `The API key lacks the permission ${missing}.`, {
    sendState: 'not-sent',
    permission: missing,
  });
}

/**
 * Reads the key's permissions. Returns undefined if they can't be read in time; the service then checks them at the
 * call.
 */
async function readKeyPermissions(read: Read, maxAgeMs: number): Promise<readonly string[] | undefined> {
  try {
    return (await withTimeout(read(getStatus, {}, { maxAgeMs }), timeoutMs)).permissions;
  } catch (error) {
    const isAboutKey = error instanceof RackhandError && ['key_missing', 'key_rejected'].includes(error.code);
    if (isAboutKey) throw error;
    return undefined;
  }
}
