import { RackhandError } from '../../errors.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { HostingError } from '../../hosting/hosting-error.ts';
import { requiredPermissions } from '../../operations/define/inspect-operation.ts';
import type { Operation } from '../../operations/define/operation.ts';
import type { Read } from '../../operations/define/read.ts';
import { withTimeout } from '../../with-timeout.ts';
import type { ClaimedRun } from './run-context.ts';
import { type Next, next } from './step.ts';

/** Maximum age of a cached permission list. If a permission is missing from it, the list is read again. */
const permissionsMaxAgeMs = 5 * 60_000;

/** Longest wait for this check. It isn't essential, since it only saves a call. */
const timeoutMs = 2_000;

/** Fails the run if the API key lacks a permission that the operation needs. */
export async function checkKeyPermissions(claimed: ClaimedRun): Promise<Next<ClaimedRun>> {
  await assertKeyPermissions(claimed.operation, claimed.operationContext.read);
  return next(claimed);
}

/** Throws `permission_missing` if the API key lacks a permission that the operation needs. */
async function assertKeyPermissions(operation: Operation, read: Read): Promise<void> {
  const required = requiredPermissions(operation);
  if (required.length === 0) return;
  let missing: (typeof required)[number] | undefined;
  for (const maxAgeMs of [permissionsMaxAgeMs, 0]) {
    const held = await readKeyPermissions(read, maxAgeMs);
    missing = held && required.find((permission) => !held.includes(permission));
    if (missing === undefined) return;
  }
  if (missing === undefined) return;
  throw new HostingError('permission_missing', `The API key lacks the permission ${missing}.`, {
    sendState: 'not-sent',
    permission: missing,
  });
}

/**
 * Reads the key's permissions. Returns undefined if the service doesn't answer in time. The call
 * itself then shows whether the key permits it.
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
