import type { Source } from '../operations/sources/source.ts';
import { describeCondition } from './condition.ts';
import type { WatchStore } from './watch-store.ts';

/** Creates what the name of a watch is chosen from, and looked up in: the watches of a workspace. */
export function createWatchSource(store: Pick<WatchStore, 'list'>): Source {
  return {
    name: 'watches',
    noun: 'a watch',
    unknown: (name) => `There is no watch called "${name}" here.`,
    async load(_read, _given, _maxAgeMs, teamId = '') {
      const choices = (await store.list(teamId)).map(({ name, condition, state }) => ({
        value: name,
        text: name,
        hint: state.kind === 'paused' ? 'rests' : describeCondition(condition),
      }));
      return { choices, isComplete: true };
    },
  };
}
