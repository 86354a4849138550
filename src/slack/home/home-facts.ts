import { RackhandError } from '../../errors.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { vpsChoices } from '../../operations/choices/sources/vps.ts';
import { type CheckAccess, canViewVps, type RequiredAccess } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Read } from '../../operations/define/read.ts';
import { readIfPermitted } from '../../operations/format/read-if-permitted.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import { findKeyRemedy, keyRequiredAccess } from '../../runs/problem.ts';
import type { HostingClientFor } from '../../workspaces/hosting-clients.ts';
import type { HomeKey, ServiceFacts } from './home-view.ts';

/** Maximum age of cached data on the App Home, which many people open often. */
const homeMaxAgeMs = 15_000;

export const homeRequiredAccess: RequiredAccess = { right: 'view', vps: [], isAnyVpsEnough: true };

interface HomeSources {
  readonly hosting: HostingClientFor;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusingChanges: () => boolean;
  readonly checkAccess: CheckAccess;
  readonly listVpsAliases: ListVpsAliases;
}

/**
 * Loads the hosting service's data for the App Home, limited to VPS that the person is allowed to view. A
 * part that can't be read is replaced by the reason; the others still load.
 */
export async function loadServiceFacts(
  actor: Actor,
  { hosting, isRefusingChanges, checkAccess, listVpsAliases }: HomeSources,
  isFresh: boolean,
): Promise<ServiceFacts> {
  const { teamId, userId } = actor;
  const maxAgeMs = isFresh ? 0 : homeMaxAgeMs;
  const client = hosting(teamId);
  const read: Read = (endpoint, input, more) =>
    client.call(endpoint, input, { lane: 'people', caller: userId, ...more });
  let isFleetPartial = false;
  const [key, fleet] = await Promise.all([
    loadKey(read, checkAccess, maxAgeMs),
    valueOrMessage(() =>
      readIfPermitted(async () => {
        const workspace = {
          teamId,
          listVpsAliases: () => listVpsAliases(teamId),
        };
        const { choices, isComplete } = await vpsChoices.load(read, {}, maxAgeMs, workspace);
        isFleetPartial = choices.length > 0 && !isComplete;
        return choices.filter(({ value }) => canViewVps(checkAccess, value));
      }),
    ),
  ]);
  // The quota usage is read last, so that it doesn't count the reads above as waiting.
  const usage = await client.usage(userId).catch(() => undefined);
  const isRefusing = isRefusingChanges();
  return { key, fleet, isFleetPartial, isRefusing, ...(usage && { usage }) };
}

/**
 * Returns the key's permissions, or why they can't be read. People who are allowed to fix the key also get a
 * button to do so.
 */
async function loadKey(read: Read, checkAccess: CheckAccess, maxAgeMs: number): Promise<HomeKey> {
  const refusal = checkAccess({ right: 'view', vps: [] });
  if (refusal) return { kind: 'unavailable', reason: refusal.message };
  try {
    const { service, permissions } = await read(getStatus, {}, { maxAgeMs });
    return { kind: 'available', service, permissions };
  } catch (error) {
    if (!(error instanceof RackhandError)) throw error;
    const remedyStep = findKeyRemedy(error.code)?.step;
    const canApplyRemedy = checkAccess(keyRequiredAccess) === undefined;
    return {
      kind: 'unavailable',
      reason: error.message,
      ...(remedyStep && canApplyRemedy && { remedyStep }),
    };
  }
}

async function valueOrMessage<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof RackhandError) return error.message;
    throw error;
  }
}
