import { RackhandError } from '../error.ts';
import { defineOwn, type Operation } from '../operations/operation.ts';
import type { NextStep, Outcome } from '../operations/outcome.ts';
import type { Source } from '../operations/sources/source.ts';
import { watchArgument } from './arguments.ts';
import { writeWatch } from './planning.ts';
import { stepsFor } from './show-watches.ts';
import type { Tell } from './telling.ts';
import type { Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

/** Finds a watch by its name. Throws `input_invalid` where there is none. */
export type FindWatch = (teamId: string, name: string) => Promise<Watch>;

/** Creates what finds watches. */
export function createFindWatch(store: Pick<WatchStore, 'list'>): FindWatch {
  return async (teamId, name) => {
    const watch = (await store.list(teamId)).find((one) => one.name === name);
    if (!watch) throw new RackhandError('input_invalid', `There is no watch called "${name}" here.`);
    return watch;
  };
}

interface KeepWatchesParts {
  readonly store: WatchStore;
  readonly find: FindWatch;
  readonly watches: Source;
  readonly leave: Tell['leave'];
  /** Has the watches of a workspace looked at soon. */
  readonly begin: (teamId: string) => Promise<void>;
  readonly now: () => number;
}

/** Changes of a watch that a round may forestall, each time. */
const mostTries = 5;

/** Declares the operations that let watches rest and go on, and delete them. */
export function createKeepWatches(parts: KeepWatchesParts): readonly Operation[] {
  const { store, find, watches, leave, begin, now } = parts;
  const shared = { arguments: { name: watchArgument(watches) }, right: 'change' } as const;

  return [
    defineOwn({
      name: 'watch pause',
      heading: 'Pause a watch',
      summary: 'Let a watch rest',
      ...shared,
      button: 'Pause',
      target: ({ name }) => name,
      async run({ asker: { teamId, userId } }, { name }) {
        const { before } = await changeUntilDone(find, teamId, name, async (watch) => {
          if (watch.state.kind === 'paused') throw invalid(`The watch "${name}" rests already.`);
          return store.pause(watch, 'person', userId, now());
        });
        await leave(before, 'the watch was paused');
        return tell(await find(teamId, name), 'rests');
      },
    }),

    defineOwn({
      name: 'watch resume',
      heading: 'Resume a watch',
      summary: 'Let a watch that rests look again',
      ...shared,
      button: 'Resume',
      target: ({ name }) => name,
      async run({ asker: { teamId } }, { name }) {
        await changeUntilDone(find, teamId, name, async (watch) => {
          if (watch.state.kind !== 'paused') throw invalid(`The watch "${name}" does not rest.`);
          return store.resume(watch);
        });
        await begin(teamId);
        return tell(await find(teamId, name), 'looks again');
      },
    }),

    defineOwn({
      name: 'watch delete',
      heading: 'Delete a watch',
      summary: 'Delete a watch',
      ...shared,
      button: 'Delete',
      target: ({ name }) => name,
      async run({ asker: { teamId } }, { name }) {
        const { before } = await changeUntilDone(find, teamId, name, async (watch) =>
          (await store.remove(watch)) ? watch : undefined,
        );
        await leave(before, 'the watch was deleted');
        return {
          title: `The watch "${name}" is deleted`,
          notes: ['Watch Again opens the form with all that it was set by.'],
          next: [
            { label: 'Watch Again', operation: 'watch add', input: writeWatch(before), opensForm: true },
            listStep,
          ],
        };
      },
    }),
  ];
}

/** Changes a watch as it is now; a round, or somebody else, may change it meanwhile. Gives it as it was before, and what came of it. */
export async function changeUntilDone<Result extends object>(
  find: FindWatch,
  teamId: string,
  name: string,
  change: (watch: Watch) => Promise<Result | undefined>,
): Promise<{ readonly before: Watch; readonly result: Result }> {
  for (let left = mostTries; left > 0; left -= 1) {
    const before = await find(teamId, name);
    const result = await change(before);
    if (result) return { before, result };
  }
  throw invalid(`The watch "${name}" is being changed by somebody else: try again.`);
}

const listStep: NextStep = { label: 'Watches', operation: 'watch list', input: {} };

function tell(watch: Watch, what: string): Outcome {
  return { title: `The watch "${watch.name}" ${what}`, next: [...stepsFor(watch), listStep] };
}

function invalid(what: string): RackhandError {
  return new RackhandError('input_invalid', what);
}
