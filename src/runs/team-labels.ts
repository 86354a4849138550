import { LRUCache } from 'lru-cache';
import { readVpsLabels } from '../operations/choices/sources/vps-labels.ts';
import type { Read } from '../operations/define/read.ts';
import { createVpsLabeler, type LabelVps, type VpsLabels } from '../operations/format/label-vps.ts';
import type { ListVpsAliases } from './pipeline/run-environment.ts';

interface TeamLabelsDependencies {
  readonly readFor: (teamId: string) => Read;
  readonly listVpsAliases: ListVpsAliases;
}

export type LabelVpsFor = (teamId: string) => Promise<LabelVps>;

const maxTeams = 500;

/**
 * Labels the VPS in messages that no one is waiting for. While the list can't be read, uses the most
 * recently read labels, so that the names in a message don't change.
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
