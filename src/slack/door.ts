import { notPermitted, type Problem } from '../operations/runs/problem.ts';
import type { Asker } from '../operations/runs/run.ts';
import { belongs, type Directory } from '../workspaces/rights/directory.ts';
import { outside } from '../workspaces/rights/refusal.ts';

/** Tells why somebody does not come in at all, if so: who is not of the workspace, and who nobody knows. */
export type Door = (asker: Asker) => Promise<Problem | undefined>;

/** Creates the door that everything asked in Slack comes through, whatever right it needs. */
export function createDoor(directory: Pick<Directory, 'standingOf'>): Door {
  return async (asker) => {
    const standing = await directory.standingOf(asker);
    return belongs(standing) ? undefined : notPermitted(outside(standing));
  };
}
