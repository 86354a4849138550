import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots } from '../../hosting/profile/resources/vps/snapshots.ts';
import type { Read } from '../define/read.ts';
import type { Progress } from '../define/target-state.ts';
import { formatUnknownEnd } from '../vps/progress.ts';
import { isEndState, isTransitional } from '../vps/state-words.ts';
import { isBroken, isComplete } from './snapshot-state.ts';

/** Reads the progress of a snapshot. It is finished when its state is no longer transitional. */
export async function readSnapshotProgress(
  read: Read,
  { vps, name }: { readonly vps: string; readonly name: string },
): Promise<Progress> {
  const { snapshots } = readSnapshots(await read(listSnapshots, { params: { vps_name: vps } }));
  const found = snapshots.find((snapshot) => snapshot.name === name);
  // Some services list a snapshot only once it is complete.
  if (!found) return { isFinished: false, text: `Snapshot ${name} isn't in the list of ${vps} yet.` };
  if (found.state === undefined)
    return {
      isFinished: true,
      isEndUnknown: true,
      text: `Snapshot ${name} is in the list of ${vps}. The service doesn't show its state.`,
    };
  const isFinished = !isTransitional(found.state);
  if (isFinished && !isEndState(found.state) && !isComplete(found.state) && !isBroken(found.state))
    return {
      isFinished,
      isEndUnknown: true,
      state: found.state,
      text: formatUnknownEnd(`Snapshot ${name} of ${vps}`, found.state),
    };
  return {
    isFinished,
    state: found.state,
    text: `Snapshot ${name} of ${vps} is ${found.state}${isFinished ? ' now' : ''}.`,
  };
}
