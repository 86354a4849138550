import { createKeptSource } from '../operations/sources/kept.ts';
import type { Source } from '../operations/sources/source.ts';
import { describeCondition } from './condition.ts';
import type { WatchStore } from './watch-store.ts';

/** Creates what the name of a watch is chosen from, and looked up in: the watches of a workspace. */
export function createWatchSource({ list }: Pick<WatchStore, 'list'>): Source {
  return createKeptSource({
    name: 'watches',
    noun: 'a watch',
    list,
    hintOf: ({ condition, state }) => (state.kind === 'paused' ? 'rests' : describeCondition(condition)),
  });
}
