import { RackhandError } from '../../errors.ts';
import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList } from '../../hosting/payloads/vps.ts';
import { maxChoicesAgeMs } from '../../operations/define/arguments/choice-source.ts';
import type { Read } from '../../operations/define/read.ts';
import type { ListVpsAliases } from '../../runs/pipeline/run-environment.ts';
import { withTimeout } from '../../with-timeout.ts';
import { isSingleReadError } from '../shared/fleet-reads.ts';
import type { LoadSilence } from '../shared/silence.ts';
import { isVpsSelected, type SelectableVps, withOwnAliases } from '../shared/vps-selection.ts';
import { formatThreshold, measureName } from './condition.ts';
import { isConditionMet } from './evaluation/evaluate-condition.ts';
import type { Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

interface WatchedFleetDependencies {
  readonly store: Pick<WatchStore, 'list'>;
  readonly readFor: (teamId: string) => Read;
  readonly listVpsAliases: ListVpsAliases;
  readonly loadSilence: LoadSilence;
  readonly now: () => number;
}

/** How long a reply to a person waits for the VPS list. */
const listTimeoutMs = 2_000;

/** Creates lookups that combine the VPS list, including aliases, with the watches' alert states. */
export function createWatchedFleet(dependencies: WatchedFleetDependencies) {
  const { store, readFor, listVpsAliases, loadSilence, now } = dependencies;

  /** Lists the VPS with the team's aliases. Returns undefined if the VPS can't be listed. */
  async function listFleet(teamId: string): Promise<readonly SelectableVps[] | undefined> {
    try {
      const list = await readFor(teamId)(listVps, {}, { maxAgeMs: maxChoicesAgeMs });
      return withOwnAliases(readVpsList(list).vps, await listVpsAliases(teamId));
    } catch (error) {
      if (isSingleReadError(error)) return undefined;
      throw error;
    }
  }

  async function listFleetIfPossible(teamId: string) {
    try {
      return await withTimeout(listFleet(teamId), listTimeoutMs);
    } catch (error) {
      if (error instanceof RackhandError && error.code !== 'stopped') return undefined;
      throw error;
    }
  }

  return {
    /**
     * Lists the VPS with the problems that active watches find. Returns undefined if the VPS can't be listed or no
     * watch is active.
     */
    async list(teamId: string) {
      const watches = (await store.list(teamId)).filter(({ state }) => state.kind === 'active');
      const fleet = watches.length === 0 ? undefined : await listFleet(teamId);
      return fleet?.map((vps) => ({
        ...vps,
        problems: watches.flatMap((watch) => findProblem(watch, vps.name)),
      }));
    },

    /**
     * Lists the channels of active watches that cover any VPS in a selection. If the VPS can't be listed, lists the
     * channels of all active watches.
     */
    async listChannels(teamId: string, vps: string): Promise<readonly string[]> {
      const watches = (await store.list(teamId)).filter(({ state }) => state.kind === 'active');
      const fleet = watches.length === 0 ? undefined : await listFleetIfPossible(teamId);
      const selected = fleet?.filter((one) => isVpsSelected(vps, one));
      const concerned = watches.filter(
        (watch) => !selected || selected.some((one) => isVpsSelected(watch.vps, one)),
      );
      return [...new Set(concerned.map(({ channel }) => channel))];
    },

    /** Returns whether watches are silent about all of these VPS. */
    async isSilentAbout(teamId: string, names: readonly string[]): Promise<boolean> {
      const silence = await loadSilence(teamId, now());
      const fleet = await listFleet(teamId);
      return names.every((name) => {
        const vps = fleet?.find((one) => one.name === name) ?? { name };
        return silence.untilMs(vps) !== undefined;
      });
    },
  };
}

/** Returns a VPS's problem at its last reading, if it has lasted for the condition's duration. */
function findProblem({ condition, alertState }: Watch, vps: string) {
  const state = alertState.vpsStates[vps];
  if (!state || state.sinceMs === null || state.readMs === null || state.unreadMs !== null) return [];
  const hasLasted = state.isAlerting || state.readMs - state.sinceMs >= condition.forMs;
  if (!hasLasted || !isConditionMet(condition, state)) return [];
  return [{ what: `${measureName(condition)} ${formatThreshold(condition)}`, sinceMs: state.sinceMs }];
}
