import type { InputOf } from '../operations/argument.ts';
import { inputSchema } from '../operations/argument.ts';
import { defineOwn, type Operation, type OperationContext } from '../operations/operation.ts';
import type { Fact } from '../operations/outcome.ts';
import type { Source } from '../operations/sources/source.ts';
import { besideRename, changing, either } from '../reports/edit-arguments.ts';
import { misplanned, problemsOf } from '../reports/plan-problems.ts';
import { previewWatch } from './add-watch.ts';
import { type WatchInput, watchArgument, watchArguments } from './arguments.ts';
import { greetChannel } from './greeting.ts';
import { changeUntilDone, type FindWatch } from './keep-watches.ts';
import { type MakeWatchPlan, type Planning, paceFacts, planFacts, writeWatch } from './planning.ts';
import { stepsFor } from './show-watches.ts';
import type { Tell } from './telling.ts';
import type { WatchVoice } from './voice.ts';
import type { Watch, WatchPlan } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

interface EditWatchParts {
  readonly store: Pick<WatchStore, 'edit' | 'list'>;
  readonly find: FindWatch;
  readonly watches: Source;
  readonly makePlan: MakeWatchPlan;
  readonly voice: Pick<WatchVoice, 'say'>;
  readonly leave: Tell['leave'];
}

function editArguments(watches: Source) {
  const { vps, measure, is, figure, match, state, lasts, channel, name } = watchArguments;
  return {
    name: watchArgument(watches),
    vps: changing({ ...vps, flag: 'vps' }),
    measure: changing({ ...measure, flag: 'what' }),
    is: changing({ ...is, flag: 'is' }),
    figure: changing({ ...figure, flag: 'threshold' }),
    match: changing({ ...match, flag: 'match' }),
    state: changing({ ...state, flag: 'state' }),
    lasts: changing({ ...lasts, flag: 'for' }),
    channel: changing(channel),
    rename: changing({ ...name, hint: 'What it is to be called.' }),
  };
}

type EditInput = InputOf<ReturnType<typeof editArguments>>;

/** Declares the operation that changes a watch, which then starts anew. */
export function createEditWatch(parts: EditWatchParts): Operation {
  const { store, find, watches, makePlan, voice, leave } = parts;

  async function planAnew(context: OperationContext, input: EditInput, watch: Watch): Promise<Planning> {
    const planning = await makePlan(context, merge(watch, input), watch);
    return planning.ok ? planning : { ok: false, problems: planning.problems.map(besideRename) };
  }

  return defineOwn({
    name: 'watch edit',
    heading: 'Edit a watch',
    summary: 'Change what a watch waits for, where it tells, or what it is called',
    arguments: editArguments(watches),
    button: 'Save',
    right: 'change',
    isAccountWide: true,
    target: ({ name }) => name,
    form: {
      filledBy: 'name',
      async fill({ asker }, given) {
        if (typeof given.name !== 'string') return given;
        const watch = (await store.list(asker.teamId)).find(({ name }) => name === given.name);
        if (!watch) return undefined;
        const { name: rename = '', ...plan } = writeWatch(watch);
        return { ...plan, rename, ...given };
      },
      isWanted: ({ name: _, ...changes }) => Object.values(changes).every((change) => change === undefined),
      preview: {
        of: ['vps', 'measure', 'is', 'figure', 'match', 'state', 'lasts'],
        async tell(context, given) {
          if (given.name === undefined) return undefined;
          return previewWatch(makePlan, context, given);
        },
      },
    },
    async check(context, input) {
      const watch = (await store.list(context.asker.teamId)).find(({ name }) => name === input.name);
      return watch ? problemsOf(planAnew(context, input, watch)) : [];
    },
    async run(context, input) {
      const { teamId } = context.asker;
      const { before, result } = await changeUntilDone(find, teamId, input.name, async (watch) => {
        const planning = await planAnew(context, input, watch);
        if (!planning.ok) throw misplanned(planning.problems);
        const { plan } = planning;
        if (isSame(watch, plan)) return { ...planning, isChanged: false };
        if (plan.channel !== watch.channel) await greetChannel(voice, teamId, plan);
        return (await store.edit(watch, plan)) && { ...planning, isChanged: true };
      });
      const { plan, everyMs, isChanged } = result;
      if (isChanged) await leave(before, 'the watch was changed, and starts anew');
      const after: Watch = { ...before, ...plan };
      return {
        title: `The watch "${plan.name}" is ${isChanged ? 'changed' : 'as it was'}`,
        facts: [
          ...changedFacts(before, plan),
          ...(before.state.kind === 'active' ? paceFacts(plan.condition, everyMs) : []),
        ],
        notes: before.state.kind === 'paused' ? ['It rests: resume it, so that it looks again.'] : [],
        next: [{ label: 'Show', operation: 'watch show', input: { name: plan.name } }, ...stepsFor(after)],
      };
    },
  });
}

/** Puts what is to be another in the place of what is. A threshold of one thing is none of another. */
function merge(watch: Watch, { rename, ...changes }: EditInput): WatchInput {
  const was = inputSchema(watchArguments).parse(writeWatch(watch));
  const measure = changes.measure ?? was.measure;
  const isOther = measure !== was.measure;
  return {
    vps: either(changes.vps, was.vps),
    measure,
    is: either(changes.is, isOther ? undefined : was.is),
    figure: either(changes.figure, isOther ? undefined : was.figure),
    match: either(changes.match, isOther ? undefined : was.match),
    state: either(changes.state, isOther ? undefined : was.state),
    lasts: either(changes.lasts, was.lasts),
    channel: changes.channel ?? was.channel,
    name: rename ?? was.name,
  };
}

/** One that is as it was must not start anew. */
function isSame(before: Watch, after: WatchPlan): boolean {
  const planOf = ({ name, channel, vps, condition }: WatchPlan) => [name, channel, vps, condition];
  return JSON.stringify(planOf(before)) === JSON.stringify(planOf(after));
}

/** Tells what is another now, and what it was where words can say it. */
function changedFacts(before: Watch, after: WatchPlan): readonly Fact[] {
  const told = [{ label: 'Name', value: before.name }, ...planFacts(before)];
  return [{ label: 'Name', value: after.name }, ...planFacts(after)].flatMap(
    ({ label, value }): readonly Fact[] => {
      const was = told.find((fact) => fact.label === label)?.value;
      if (JSON.stringify(was) === JSON.stringify(value)) return [];
      const isText = typeof value === 'string' && typeof was === 'string';
      return [{ label, value: isText ? `${value} (was: ${was})` : value }];
    },
  );
}
