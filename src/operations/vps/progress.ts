import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/profile/resources/vps/vps.ts';
import type { Read } from '../define/read.ts';
import type { Progress } from '../define/target-state.ts';

/**
 * Matches words for a transitional state. `running`, `existing` and `missing` are excluded, because
 * they aren't transitional. `blocked` is what libvirt calls a machine that waits for nothing but work.
 */
const transitionalStates =
  /(?<!runn|exist|miss)ing(?![a-z])|pending|queued|progress|busy|(?<!b|un)locked|wait|schedul/i;

/** Matches the states of OpenStack that are named after the action that is under way. */
const actionStates = /^((hard|soft)[_ -]?)?(reboot|rebuild|build|resize)$/i;

/** Matches an action that has ended, such as `error_deleting`. */
const failedStates = /^(error|failed)\b|^(error|failed)_/i;

/** Returns whether a state is transitional. */
export function isTransitional(state: string): boolean {
  const word = state.trim();
  return (transitionalStates.test(word) || actionStates.test(word)) && !failedStates.test(word);
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
