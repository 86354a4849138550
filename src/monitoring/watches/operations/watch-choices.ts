import { createStoredEntitySource } from '../../../operations/choices/sources/stored-entities.ts';
import type { ChoiceSource } from '../../../operations/define/arguments/choice-source.ts';
import { formatCondition } from '../condition/condition.ts';
import type { WatchStore } from '../watch-store.ts';

export function createWatchChoiceSource({
  list,
  listNames,
}: Pick<WatchStore, 'list' | 'listNames'>): ChoiceSource {
  return createStoredEntitySource({
    name: 'watches',
    noun: 'a watch',
    list,
    listNames,
    formatHint: ({ condition, state }) => (state.kind === 'paused' ? 'paused' : formatCondition(condition)),
  });
}
