import { RackhandError } from '../../errors.ts';
import { getStatus } from '../../hosting/endpoints/system.ts';
import { vpsChoices } from '../../operations/choices/sources/vps.ts';
import { type CheckAccess, canViewVps, type RequiredAccess } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import { listVpsNames, parseInput } from '../../operations/define/arguments/input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { Read } from '../../operations/define/read.ts';
import { readIfPermitted } from '../../operations/format/read-if-permitted.ts';
import { findKeyRemedy, keyRequiredAccess } from '../../runs/key-remedies.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import { formatRunStatus } from '../../runs/run-status.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { HostingClientFor } from '../../workspaces/hosting-clients.ts';
import type { HomeFacts, HomeKey } from './home-view.ts';

/** Maximum age of cached data on the App Home, which many people open often. */
const homeMaxAgeMs = 15_000;

const maxRecentRuns = 8;

/** The access that people need to see anything on the App Home. */
export const homeRequiredAccess: RequiredAccess = { right: 'view', vps: [], isAnyVpsEnough: true };

interface HomeSources {
  readonly hosting: HostingClientFor;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly isRefusingChanges: () => boolean;
  readonly runs: Pick<RunStore, 'listRecent'>;
  readonly catalogue: Catalogue;
  readonly checkAccess: CheckAccess;
  readonly listVpsAliases: ListVpsAliases;
  readonly now: () => number;
}

/**
 * Loads the App Home for a person, limited to what they are allowed to view. If a part can't be
 * read, the reason is shown instead; the other parts are still loaded.
 */
export async function loadHomeFacts(
  { teamId, userId }: Actor,
  { hosting, isRefusingChanges, runs, catalogue, checkAccess, listVpsAliases, now }: HomeSources,
  isFresh: boolean,
): Promise<HomeFacts> {
  const maxAgeMs = isFresh ? 0 : homeMaxAgeMs;
  const client = hosting(teamId);
  const read: Read = (endpoint, input, more) =>
    client.call(endpoint, input, { lane: 'people', line: userId, ...more });
  let isFleetPartial = false;
  const [key, fleet, recent] = await Promise.all([
    loadKey(read, checkAccess, maxAgeMs),
    valueOrMessage(() =>
      readIfPermitted(async () => {
        const workspace = { teamId, listVpsAliases: () => listVpsAliases(teamId) };
        const { choices, isComplete } = await vpsChoices.load(read, {}, maxAgeMs, workspace);
        isFleetPartial = choices.length > 0 && !isComplete;
        return choices.filter(({ value }) => canViewVps(checkAccess, value));
      }),
    ),
    listRecentChanges(teamId, { runs, catalogue, checkAccess }),
  ]);
  // Read last, so that the reads above don't count as waiting.
  const usage = await client.usage(userId).catch(() => undefined);
  const isRefusing = isRefusingChanges();
  return { key, fleet, isFleetPartial, isRefusing, recent, nowMs: now(), ...(usage && { usage }) };
}

/**
 * Returns the key's permissions, or why they can't be read. People who are allowed to fix that also
 * get the remedy.
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

async function listRecentChanges(
  teamId: string,
  { runs, catalogue, checkAccess }: Pick<HomeSources, 'runs' | 'catalogue' | 'checkAccess'>,
): Promise<HomeFacts['recent']> {
  const recent = await runs.listRecent(teamId, maxRecentRuns * 5);
  const changes = recent.filter(({ operation: name, input }) => {
    const operation = catalogue.find(name);
    if (operation?.kind !== 'change') return false;
    return !checkAccess({
      right: 'view',
      vps: listVpsNames(operation.arguments, parseInput(operation, input).validFields),
    });
  });
  return changes
    .slice(0, maxRecentRuns)
    .map((run) => ({ run, statusText: formatRunStatus(run, catalogue.find(run.operation)) }));
}
