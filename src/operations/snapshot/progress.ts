import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots, type Snapshot } from '../../hosting/payloads/snapshots.ts';
import type { Read } from '../define/read.ts';
import type { Progress } from '../define/target-state.ts';
import { formatUnknownEnd } from '../vps/progress.ts';
import { isEndState, isTransitional } from '../vps/state-words.ts';
import { isBroken, isComplete } from './snapshot-state.ts';

/** Maximum clock difference. The service's clock can be wrong, and its times can lack a time zone. */
const maxClockDifferenceMs = 24 * 3_600_000;

/** Reads the progress of a snapshot, which is finished when its state is no longer transitional. */
export async function readSnapshotProgress(
  read: Read,
  { vps, name, startedMs }: { readonly vps: string; readonly name: string; readonly startedMs: number },
): Promise<Progress> {
  const { snapshots } = readSnapshots(await read(listSnapshots, { params: { vps_name: vps } }), vps);
  const named = snapshots.filter((snapshot) => snapshot.name === name);
  const isNew = ({ createdAtMs = startedMs }: Snapshot) => createdAtMs >= startedMs - maxClockDifferenceMs;
  const [found, ...others] = named.filter(isNew);
  // Some services list a snapshot only once it is complete.
  if (!found) {
    const older = named.length > 0 ? ' An older snapshot has the same name.' : '';
    return { isFinished: false, text: `Snapshot ${name} of ${vps} isn't in the service's list yet.${older}` };
  }
  if (others.length > 0) {
    const underWay = [found, ...others].find(({ state }) => state !== undefined && isTransitional(state));
    const text = `${others.length + 1} snapshots of ${vps} are called ${name}`;
    if (underWay) return { isFinished: false, text: `${text}. One of them is ${underWay.state}.` };
    return {
      isFinished: true,
      isEndUnknown: true,
      text: `${text}, so Rackhand doesn't know which one is new.`,
    };
  }
  if (found.state === undefined)
    return {
      isFinished: true,
      isEndUnknown: true,
      text: `Snapshot ${name} of ${vps} is in the service's list, but the service doesn't show its state.`,
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
