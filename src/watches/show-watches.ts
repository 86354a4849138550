import { defineOwn, type Operation } from '../operations/operation.ts';
import type { Fact, NextStep, Outcome, Value } from '../operations/outcome.ts';
import type { Source } from '../operations/sources/source.ts';
import { reasonWords } from '../reports/pauses.ts';
import { listWords } from '../reports/summary/words.ts';
import { patternWords } from '../workspaces/rights/patterns.ts';
import { watchArgument } from './arguments.ts';
import { describeCondition } from './condition.ts';
import type { FindWatch } from './keep-watches.ts';
import { roundEveryMs } from './pace.ts';
import { paceFacts, planFacts } from './planning.ts';
import { listCourse } from './round.ts';
import { longUnreadMs } from './tell-incident.ts';
import type { Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

interface ShowWatchesParts {
  readonly store: Pick<WatchStore, 'list'>;
  readonly find: FindWatch;
  readonly watches: Source;
  /** Tells how often each VPS of a workspace is looked at. */
  readonly everyMsOf: (teamId: string) => Promise<number | undefined>;
  readonly now: () => number;
}

/** VPS that one line names. */
const mostNamed = 5;

/** Declares the operations that list watches, and tell all about one. */
export function createShowWatches(parts: ShowWatchesParts): readonly Operation[] {
  const { store, find, watches, everyMsOf, now } = parts;
  return [
    defineOwn({
      name: 'watch list',
      heading: 'Watches',
      summary: 'List the watches, and what is over now',
      arguments: {},
      button: 'Show',
      right: 'look',
      async run({ asker }) {
        return describeWatches(await store.list(asker.teamId), now());
      },
    }),

    defineOwn({
      name: 'watch show',
      heading: 'Show a watch',
      summary: 'Tell what a watch waits for, what is over, and what could not be read',
      arguments: { name: watchArgument(watches) },
      button: 'Show',
      right: 'look',
      target: ({ name }) => name,
      async run({ asker }, { name }) {
        const watch = await find(asker.teamId, name);
        const isOfState = watch.condition.measure === 'state';
        const everyMs = isOfState ? roundEveryMs : await everyMsOf(asker.teamId);
        return describeWatch(watch, everyMs, now());
      },
    }),
  ];
}

const add: NextStep = { label: 'Set a Watch', operation: 'watch add', input: {}, opensForm: true };

function describeWatches(all: readonly Watch[], nowMs: number): Outcome {
  const [first, ...others] = all;
  if (!first) return { title: 'No watches are set', next: [add] };
  return {
    title: others.length === 0 ? 'One watch' : `${all.length} watches`,
    table: {
      columns: ['Watch', 'Now', 'Tells of', 'VPS', 'Channel'],
      rows: all.map((watch): Value[] => [
        watch.name,
        nowWords(watch),
        describeCondition(watch.condition),
        patternWords(watch.vps),
        { channel: watch.channel },
      ]),
    },
    notes: all.flatMap((watch) => notesOf(watch, nowMs).map((note) => `${watch.name}: ${note}`)),
    ...(others.length === 0
      ? {
          next: [
            { label: 'Show', operation: 'watch show', input: { name: first.name } },
            ...stepsFor(first),
            add,
          ],
        }
      : {
          next: [add],
          choose: [{ label: 'Show a Watch', operation: 'watch show', argument: 'name', input: {} }],
        }),
  };
}

function describeWatch(watch: Watch, everyMs: number | undefined, nowMs: number): Outcome {
  const { name, state, madeBy, condition } = watch;
  const isActive = state.kind === 'active';
  return {
    title: state.kind === 'paused' ? `${name} (rests)` : name,
    facts: [
      ...(isActive ? [{ label: 'Now', value: nowWords(watch) }] : restFacts(watch)),
      ...planFacts(watch),
      ...(isActive && everyMs !== undefined ? paceFacts(condition, everyMs) : []),
      { label: 'Set by', value: { person: madeBy } },
    ],
    notes: isActive ? notesOf(watch, nowMs) : [],
    next: [...stepsFor(watch), { label: 'Watches', operation: 'watch list', input: {} }],
  };
}

function restFacts({ state }: Watch): readonly Fact[] {
  if (state.kind !== 'paused') return [];
  return [
    state.byUserId === null
      ? { label: 'Rests because', value: reasonWords(state.reason, 'watch') }
      : { label: 'Paused by', value: { person: state.byUserId } },
  ];
}

function nowWords({ state, standing: { courses } }: Watch): string {
  if (state.kind === 'paused') return 'rests';
  const over = Object.entries(courses).flatMap(([name, course]) => (course.isOver ? [name] : []));
  return over.length === 0 ? '✓ nothing' : `⚠ ${listWords(over, mostNamed)}`;
}

function notesOf({ state, standing: { courses } }: Watch, nowMs: number): readonly string[] {
  if (state.kind === 'paused') return state.byUserId === null ? [reasonWords(state.reason, 'watch')] : [];
  const unread = Object.entries(courses).flatMap(([name, { unreadMs }]) =>
    unreadMs !== null && nowMs - unreadMs >= longUnreadMs ? [{ name, lengthMs: nowMs - unreadMs }] : [],
  );
  if (unread.length === 0) return [];
  const minutes = Math.floor(Math.max(...unread.map(({ lengthMs }) => lengthMs)) / 60_000);
  const isList = unread.some(({ name }) => name === listCourse);
  const names = unread.map(({ name }) => name).filter((name) => name !== listCourse);
  const whom = isList ? 'the list of VPS' : listWords(names, mostNamed);
  return [`${whom} could not be read for ${minutes} min: nobody knows whether it is over.`];
}

/** Gives the buttons below a watch: what can be done about it. */
export function stepsFor({ name, state }: Pick<Watch, 'name' | 'state'>): readonly NextStep[] {
  const input = { name };
  return [
    { label: 'Edit', operation: 'watch edit', input, opensForm: true },
    state.kind === 'paused'
      ? { label: 'Resume', operation: 'watch resume', input }
      : { label: 'Pause', operation: 'watch pause', input },
    { label: 'Delete', operation: 'watch delete', input },
  ];
}
