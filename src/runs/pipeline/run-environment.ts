import { isStopped } from '../../errors.ts';
import type { HostingClient } from '../../hosting/client/hosting-client.ts';
import type { Lane, WaitReason } from '../../hosting/quota/rate-limiter.ts';
import type { ResolveAccess } from '../../operations/define/access/access.ts';
import type { Actor } from '../../operations/define/access/actor.ts';
import type { Catalogue, OperationContext } from '../../operations/define/operation.ts';
import type { Read } from '../../operations/define/read.ts';
import type { Run } from '../run.ts';
import type { ActiveRuns } from './active-runs.ts';

export type OnRunQueued = (waitMs: number, reason: WaitReason, runId: string) => void;

/** Called until the run's reply is ready. */
export interface RunListeners {
  /** Called once the run is stored. From then on, its end is reported even if this process ends. */
  readonly onTaken?: (() => void) | undefined;
  /** Called with an estimate in ms if a call has to wait for the quota. The run can then be cancelled. */
  readonly onQueued?: OnRunQueued | undefined;
  /** Called with a sentence about the run's progress. */
  readonly onProgress?: ((text: string) => void) | undefined;
}

/** Returns a team's own names for its VPS, by VPS name. */
export type ListVpsAliases = (teamId: string) => Promise<ReadonlyMap<string, string>>;

export interface RunEnvironment {
  readonly hosting: HostingClient;
  readonly operationContext: OperationContext;
  /**
   * Returns whether a read failed because this process is stopping. The operation may have continued without
   * its result.
   */
  readonly wasStopped: () => boolean;
}

interface RunEnvironmentDependencies {
  readonly catalogue: Catalogue;
  readonly hostingClientFor: (teamId: string) => HostingClient;
  readonly resolveAccess: ResolveAccess;
  readonly findTimeZone: (actor: Actor) => Promise<string>;
  readonly listVpsAliases: ListVpsAliases;
  readonly cancelSignal?: ActiveRuns['cancelSignal'];
}

export type OpenRunEnvironment = (
  run: Pick<Run, 'actor' | 'origin'> & Partial<Pick<Run, 'id'>>,
  listeners?: RunListeners,
  lane?: Lane,
) => RunEnvironment;

export function createRunEnvironments({
  resolveAccess,
  catalogue,
  hostingClientFor,
  findTimeZone,
  listVpsAliases,
  cancelSignal,
}: RunEnvironmentDependencies): OpenRunEnvironment {
  return ({ id: runId, actor, origin }, { onQueued, onProgress = () => {} } = {}, lane = 'people') => {
    const hosting = hostingClientFor(actor.teamId);
    let hasStopped = false;
    const read: Read = async (endpoint, input, options) => {
      const signal = runId === undefined ? undefined : cancelSignal?.(runId);
      const callOptions = {
        ...{ lane, caller: actor.userId, ...options },
        ...(signal && { signal }),
        ...(onQueued && {
          onQueued: (waitMs: number, reason: WaitReason) => onQueued(waitMs, reason, runId ?? ''),
        }),
      };
      try {
        return await hosting.call(endpoint, input, callOptions);
      } catch (error) {
        hasStopped ||= isStopped(error);
        throw error;
      }
    };
    const loadAccess = () => resolveAccess(actor, origin);
    const operationContext = {
      catalogue,
      read,
      quotaUsage: () => hosting.usage(actor.userId),
      reportProgress: onProgress,
      timeZone: () => findTimeZone(actor),
      loadAccess,
      workspace: {
        teamId: actor.teamId,
        listVpsAliases: () => listVpsAliases(actor.teamId),
        viewer: { actor, loadAccess },
      },
      actor,
      origin,
    };
    return { hosting, operationContext, wasStopped: () => hasStopped };
  };
}
