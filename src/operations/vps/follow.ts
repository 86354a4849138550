import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/readings/vps.ts';
import type { Progress, Read } from '../operation.ts';

/** The service's words for a state that ends by itself; `running` is none, though it looks like one. */
const passing = /(?<!runn|exist)ing\b|pending|queued|progress|busy|locked|wait|schedul/i;

/** Tells whether a state is one that ends by itself. */
export function isPassing(state: string): boolean {
  return passing.test(state);
}

/** Looks whether a VPS has come to rest: over when the word for its state says nothing of work that goes on. */
export async function followVps(read: Read, name: string): Promise<Progress> {
  const { state } = readVps(await read(getVps, { params: { vps_name: name } }), name);
  if (state === undefined)
    return { isOver: true, isUnseen: true, words: `The service does not show the state of ${name}.` };
  const isOver = !isPassing(state);
  return { isOver, words: `${name} is ${state}${isOver ? ' now' : ''}.` };
}
