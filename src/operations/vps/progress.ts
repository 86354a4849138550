import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/payloads/vps.ts';
import type { Read } from '../define/read.ts';
import type { Progress } from '../define/target-state.ts';
import { isEndState, isTransitional } from './state-words.ts';

/**
 * Reads the progress of a change to a VPS, which is finished when the state of the VPS is no longer
 * transitional. An unknown state also ends polling, but sets `isEndUnknown`.
 */
export async function readVpsProgress(read: Read, name: string): Promise<Progress> {
  const { state } = readVps(await read(getVps, { params: { vps_name: name } }), name);
  if (state === undefined)
    return { isFinished: true, isEndUnknown: true, text: `The service doesn't show the state of ${name}.` };
  const isFinished = !isTransitional(state);
  if (isFinished && !isEndState(state))
    return { isFinished, isEndUnknown: true, state, text: formatUnknownEnd(name, state) };
  return { isFinished, state, text: `${name} is ${state}${isFinished ? ' now' : ''}.` };
}

/** Formats the sentence about a state that may or may not be final. */
export function formatUnknownEnd(subject: string, state: string): string {
  return `${subject} is ${state}. Rackhand doesn't know whether work is still under way in this state.`;
}
