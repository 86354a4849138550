import { LRUCache } from 'lru-cache';
import { readVpsLabels } from '../operations/choices/sources/vps-labels.ts';
import type { Read } from '../operations/define/read.ts';
import { createVpsLabeler, type LabelVps, type VpsLabels } from '../operations/format/label-vps.ts';
import type { ListVpsAliases } from './pipeline/run-environment.ts';

interface TeamLabelsDependencies {
  readonly readFor: (teamId: string) => Read;
  readonly listVpsAliases: ListVpsAliases;
}

/** Returns the function that labels the VPS of a workspace. */
export type LabelVpsFor = (teamId: string) => Promise<LabelVps>;

/** How many workspaces' labels are remembered. */
const maxTeams = 500;

/**
 * Labels the VPS in messages that nobody waits for. While the VPS can't be listed, the labels that
 * were last read are used, so that a message doesn't change its names.
 */
export function createTeamLabels({ readFor, listVpsAliases }: TeamLabelsDependencies): LabelVpsFor {
  const lastRead = new LRUCache<string, VpsLabels>({ max: maxTeams });
  return async (teamId) => {
    const labels = await readVpsLabels(readFor(teamId), await listVpsAliases(teamId));
    const shown = new Map([...(lastRead.get(teamId) ?? []), ...labels]);
    lastRead.set(teamId, shown);
    return createVpsLabeler(shown);
  };
}
