import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/profile/resources/vps/vps.ts';
import type { Read } from '../define/read.ts';
import type { Progress } from '../define/target-state.ts';

/**
 * Matches words for a transitional state. `running` and `existing` are excluded, because they
 * aren't transitional.
 */
const transitionalStates = /(?<!runn|exist)ing\b|pending|queued|progress|busy|locked|wait|schedul/i;

/** Returns whether a state is transitional. */
export function isTransitional(state: string): boolean {
  return transitionalStates.test(state);
}

/**
 * Reads the progress of a change to a VPS. It is finished when the VPS's state is no longer
 * transitional.
 */
export async function readVpsProgress(read: Read, name: string): Promise<Progress> {
  const { state } = readVps(await read(getVps, { params: { vps_name: name } }), name);
  if (state === undefined)
    return { isFinished: true, isEndUnknown: true, text: `The service doesn't show the state of ${name}.` };
  const isFinished = !isTransitional(state);
  return { isFinished, state, text: `${name} is ${state}${isFinished ? ' now' : ''}.` };
}
