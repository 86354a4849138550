import { RackhandError } from '../errors.ts';
import { DeniedError } from '../operations/define/access/access.ts';
import type { Argument, Arguments, InputOf } from '../operations/define/arguments/argument.ts';
import type { RawInput } from '../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../operations/define/define-operation.ts';
import type { LocalForm, Operation, OperationContext } from '../operations/define/operation.ts';
import type { Fact, NextStep, Outcome, Value } from '../operations/define/outcome.ts';
import { countUnreadable, describeUnreadable } from '../operations/format/unreadable/unreadable-rows.ts';
import { describeNewer, type NewerPlans, stopNewerPlan } from './newer-plans.ts';
import type { StoredPlan } from './plan.ts';
import {
  invalidPlanError,
  type PlanResult,
  planProblems,
  timeArgument,
  toRenameProblem,
} from './plan-arguments.ts';
import type { Pause } from './plan-store.ts';
import {
  findSkippable,
  listStep,
  type PlanKindName,
  planSteps,
  planWords,
  showStep,
  toStatusText,
} from './plan-words.ts';

/** The plan fields that the operations need. */
interface Plan extends Pick<StoredPlan, 'name' | 'createdBy' | 'state' | 'nextMs' | 'skippedMs'> {
  /** `null` if the plan has no channel. */
  readonly channel: string | null;
}

interface PlanFinder<One extends Plan> {
  find(teamId: string, name: string): Promise<One | undefined>;
}

/**
 * The store of one kind of plan. Changes resolve to undefined if someone else has changed the plan since it was read.
 */
interface Plans<One extends Plan> extends PlanFinder<One>, NewerPlans {
  list(teamId: string): Promise<readonly One[]>;
  /** Also returns the names of plans that can't be read. */
  listNames(teamId: string): Promise<readonly string[]>;
  pause(plan: One, pause: Pause, nowMs: number): Promise<One | undefined>;
  resume(plan: One, createdBy: string, nowMs: number): Promise<One | undefined>;
  delete(plan: One, by: Pick<Pause, 'byUserId'>, nowMs: number): Promise<One | undefined>;
  skip(plan: One, dueMs: number, byUserId: string): Promise<One | undefined>;
  nextAfter(plan: One, atMs: number): number | null;
  isOver(plan: One, nowMs: number): boolean;
}

/** Calls `act` only once per channel, even if the edit is retried. */
export type OncePerChannel = (channel: string, act: () => Promise<unknown>) => Promise<void>;

type EditArguments = Arguments & {
  readonly name: Argument<string>;
  readonly rename: Argument<string | null | undefined>;
};

/** What a kind of plan provides for the operations that all kinds share. */
interface PlanVerbs<One extends Plan, A extends EditArguments, Planned> {
  readonly kind: PlanKindName;
  readonly store: Plans<One>;
  readonly now: () => number;
  readonly nameArgument: Argument<string>;
  readonly rights: {
    readonly view: 'view' | null;
    readonly change: 'operate' | null;
    /** Set if `authorize` checks the right on the plan's VPS. Before that check, a right on any VPS is enough. */
    readonly isAnyVpsEnough?: boolean;
  };
  /** Keeps the plans that the actor can see. Left out if everyone can see all plans. */
  filterVisible?(plans: readonly One[], context: OperationContext): Promise<readonly One[]>;
  /** Throws unless the actor can change the plan. Left out if `rights.change` is enough. */
  authorize?(plan: One, context: OperationContext): Promise<void>;
  /** Buttons shown before the ones that all kinds share. */
  firstSteps?(plan: One): readonly NextStep[];
  readonly list: {
    /** The columns between the name and the channel. */
    readonly columns: readonly string[];
    /** Returns each plan's cells and notes. */
    format(
      plans: readonly One[],
      context: OperationContext,
    ): Promise<(plan: One) => { readonly cells: readonly Value[]; readonly notes?: readonly string[] }>;
    /** Returns the text that follows the plan count in the title. */
    titleEnd?(plans: readonly One[]): string;
  };
  show(
    plan: One,
    context: OperationContext,
  ): Promise<{ readonly facts: readonly Fact[]; readonly notes?: readonly string[] }>;
  /** Returns notes on the effects of pausing or deleting the plan. */
  stopNotes?(plan: One, how: 'paused' | 'deleted'): readonly string[];
  beforeResume?(plan: One, context: OperationContext): Promise<void>;
  afterResume(plan: One): Promise<readonly Fact[]>;
  /** Returns the input that would recreate the plan. */
  toPlanInput(plan: One): RawInput;
  readonly edit: {
    readonly summary: string;
    readonly arguments: A;
    readonly preview: NonNullable<LocalForm<A>['preview']>;
    makePlan(context: OperationContext, input: InputOf<A>, plan: One): Promise<PlanResult<Planned>>;
    save(
      plan: One,
      planned: Planned,
      context: OperationContext,
      input: InputOf<A>,
      once: OncePerChannel,
    ): Promise<Outcome | undefined>;
  };
}

/** Maximum attempts at a change while others change the plan at the same time. */
const maxAttempts = 5;

/** Finds a plan by name. Throws `input_invalid` if there is none. */
export async function requirePlan<One extends Plan>(
  kind: PlanKindName,
  store: PlanFinder<One>,
  teamId: string,
  name: string,
): Promise<One> {
  const plan = await store.find(teamId, name);
  if (!plan)
    throw new RackhandError('input_invalid', `There's no ${planWords[kind].noun} named "${name}" here.`);
  return plan;
}

/**
 * Applies a change to the latest version of a plan. Retries while `change` resolves to undefined, which means that
 * someone else changed the plan first.
 */
export async function updatePlan<One, Result>(
  kind: PlanKindName,
  name: string,
  find: () => Promise<One>,
  change: (present: One) => Promise<Result | undefined>,
): Promise<Result> {
  for (let left = maxAttempts; left > 0; left -= 1) {
    const result = await change(await find());
    if (result !== undefined) return result;
  }
  throw new RackhandError(
    'input_invalid',
    `Someone else is editing ${planWords[kind].noun} "${name}". Try again.`,
  );
}

/** Returns the entry that lists show instead of a separate entry for each plan kind. */
function listedAs(verb: string, summary: string) {
  return { name: `${Object.keys(planWords).join('|')} ${verb}`, summary };
}

/** Defines the operations that every kind of plan has: list, show, edit, pause, resume, skip and delete. */
export function createPlanOperations<One extends Plan, A extends EditArguments, Planned>(
  verbs: PlanVerbs<One, A, Planned>,
): readonly Operation[] {
  const { kind, store, now, nameArgument, rights, edit } = verbs;
  const { one: title, noun, many, ...words } = planWords[kind];
  const filterVisible = verbs.filterVisible ?? (async (plans: readonly One[]) => plans);

  const addStep: NextStep = { label: words.addLabel, operation: words.add, input: {}, opensForm: true };
  const stepsOf = (plan: One) => [...(verbs.firstSteps?.(plan) ?? []), ...planSteps(kind, plan)];

  /** Finds a plan that the actor can see. */
  const findVisible = (context: OperationContext, name: string) =>
    requirePlan(
      kind,
      {
        async find(teamId) {
          const plan = await store.find(teamId, name);
          return plan && (await filterVisible([plan], context))[0];
        },
      },
      context.actor.teamId,
      name,
    );

  /** Applies a change to a plan that the actor can see and change. */
  const update = <Result>(
    context: OperationContext,
    name: string,
    change: (plan: One) => Promise<Result | undefined>,
  ) =>
    updatePlan(
      kind,
      name,
      async () => {
        const plan = await findVisible(context, name);
        await verbs.authorize?.(plan, context);
        return plan;
      },
      change,
    );

  const changing = {
    right: rights.change,
    isLoggedAsChange: () => true,
    ...(rights.isAnyVpsEnough && { isAnyVpsEnough: true }),
  } as const;
  const named = {
    ...changing,
    arguments: { name: nameArgument },
    target: ({ name }: { readonly name: string }) => name,
  } as const;

  /** Stops a newer version's plan. Only for kinds whose right applies to the whole workspace. */
  const stopNewer = async ({ actor }: OperationContext, name: string, how: 'paused' | 'deleted') =>
    verbs.authorize ? undefined : stopNewerPlan(kind, store, actor, name, how, now());

  const nameOf = (input: InputOf<A>) => (input as InputOf<A> & { readonly name: string }).name;

  async function makePlan(context: OperationContext, input: InputOf<A>, plan: One) {
    const planning = await edit.makePlan(context, input, plan);
    return planning.kind === 'valid'
      ? planning
      : { kind: 'invalid' as const, problems: planning.problems.map(toRenameProblem) };
  }

  return [
    defineLocal({
      name: `${kind} list`,
      listedAs: listedAs('list', 'List the plans of a kind, with what each does next'),
      heading: words.list,
      summary: `List the ${many}`,
      arguments: {},
      button: 'Show',
      right: rights.view,
      async run(context) {
        const { teamId } = context.actor;
        const [readable, names] = await Promise.all([store.list(teamId), store.listNames(teamId)]);
        const visible = await filterVisible(readable, context);
        const describe = verbs.filterVisible ? countUnreadable : describeUnreadable;
        const unreadable = describe({ names, readable, one: noun, many });
        const isAllVisible = (await context.loadAccess())({ right: 'view', vps: [] }) === undefined;
        const newerNotes = isAllVisible ? describeNewer(await store.listNewer(teamId)) : [];
        const sorted = visible.toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }));
        const [first, ...others] = sorted;
        if (!first)
          return {
            title: unreadable.title ?? words.none,
            notes: [...unreadable.notes, ...newerNotes],
            next: [addStep],
          };
        const isSingle = others.length === 0;
        const format = await verbs.list.format(sorted, context);
        const rows = sorted.map((plan) => ({ plan, ...format(plan) }));
        return {
          title: `${isSingle ? `One ${noun}` : `${sorted.length} ${many}`}${verbs.list.titleEnd?.(sorted) ?? ''}`,
          table: {
            columns: [title, ...verbs.list.columns, 'Channel'],
            rows: rows.map(({ plan: { name, channel }, cells }) => [name, ...cells, toChannelValue(channel)]),
          },
          notes: [
            ...rows.flatMap(({ plan: { name }, notes = [] }) => notes.map((note) => `${name}: ${note}`)),
            ...unreadable.notes,
            ...newerNotes,
          ],
          // A single plan gets buttons. Several plans get a select.
          next: isSingle
            ? [showStep(kind, first.name), ...(await permitted(context, first, stepsOf(first))), addStep]
            : [addStep],
          ...(!isSingle && {
            choiceSteps: [{ label: words.showOne, operation: `${kind} show`, argument: 'name', input: {} }],
          }),
        };
      },
    }),

    defineLocal({
      name: `${kind} show`,
      listedAs: listedAs('show', 'Show what a plan does, when, and who made it'),
      heading: `Show a ${noun}`,
      summary: `Show what a ${noun} does, when, and who made it`,
      arguments: { name: nameArgument },
      button: 'Show',
      right: rights.view,
      target: ({ name }) => name,
      async run(context, { name }) {
        const plan = await findVisible(context, name);
        const { facts, notes = [] } = await verbs.show(plan, context);
        const { kind: state } = plan.state;
        return {
          title: state === 'active' ? name : `${name} (${toStatusText(state)})`,
          facts,
          notes,
          next: [...(await permitted(context, plan, stepsOf(plan))), listStep(kind)],
        };
      },
    }),

    defineLocal<A>({
      ...changing,
      name: `${kind} edit`,
      listedAs: listedAs('edit', 'Change a plan; without options, a form opens'),
      heading: `Edit a ${noun}`,
      summary: edit.summary,
      arguments: edit.arguments,
      button: 'Save',
      ...(!rights.isAnyVpsEnough && { isAccountWide: true }),
      target: nameOf,
      form: {
        prefilledBy: 'name',
        async prefill(context, given) {
          if (typeof given.name !== 'string') return given;
          const found = await store.find(context.actor.teamId, given.name);
          const [plan] = found ? await filterVisible([found], context) : [];
          if (!plan) return undefined;
          const { name: rename = '', ...planned } = verbs.toPlanInput(plan);
          return { ...planned, rename, ...given };
        },
        shouldOpen: ({ name: _, ...changes }) =>
          Object.values(changes).every((change) => change === undefined),
        preview: {
          ...edit.preview,
          build: async (context, given) =>
            given.name === undefined ? undefined : edit.preview.build(context, given),
        },
      },
      async validate(context, input) {
        const plan = await findVisible(context, nameOf(input)).catch(() => undefined);
        return plan ? planProblems(makePlan(context, input, plan)) : [];
      },
      run(context, input) {
        const channels = new Set<string>();
        const once: OncePerChannel = async (channel, act) => {
          if (channels.has(channel)) return;
          await act();
          channels.add(channel);
        };
        return update(context, nameOf(input), async (plan) => {
          const planning = await makePlan(context, input, plan);
          if (planning.kind === 'invalid') throw invalidPlanError(planning.problems);
          return edit.save(plan, planning.planned, context, input, once);
        });
      },
    }),

    defineLocal({
      ...named,
      name: `${kind} pause`,
      listedAs: listedAs('pause', 'Stop a plan until someone resumes it'),
      heading: `Pause a ${noun}`,
      summary: `Stop a ${noun} until someone resumes it`,
      button: 'Pause',
      run: async (context, { name }) =>
        (await stopNewer(context, name, 'paused')) ??
        update(context, name, async (plan) => {
          const { kind: status } = plan.state;
          if (status !== 'active')
            throw new RackhandError(
              'input_invalid',
              `${title} "${name}" ${status === 'paused' ? 'is already paused' : "isn't active"}.`,
            );
          const { userId } = context.actor;
          const paused = await store.pause(plan, { reason: 'person', byUserId: userId }, now());
          return (
            paused && {
              title: `${title} "${name}" is paused`,
              notes: verbs.stopNotes?.(plan, 'paused') ?? [],
              next: [...stepsOf(paused), listStep(kind)],
            }
          );
        }),
    }),

    defineLocal({
      ...named,
      name: `${kind} resume`,
      listedAs: listedAs('resume', 'Resume a paused plan from its next time'),
      heading: `Resume a ${noun}`,
      summary: `Resume a paused ${noun} from its next time`,
      button: 'Resume',
      run: (context, { name }) =>
        update(context, name, async (plan) => {
          const { state } = plan;
          if (state.kind !== 'paused')
            throw new RackhandError('input_invalid', `${title} "${name}" isn't paused.`);
          // The pause was due to the creator, so whoever resumes the plan becomes its creator.
          const isTakenOver = state.reason === 'creator';
          const createdBy = isTakenOver ? context.actor.userId : plan.createdBy;
          await verbs.beforeResume?.(plan, context);
          if (store.isOver(plan, now()))
            throw new RackhandError(
              'input_invalid',
              `This ${noun}'s time has passed. Edit it, or add a new one.`,
            );
          const resumed = await store.resume(plan, createdBy, now());
          return (
            resumed && {
              title: `${title} "${name}" is active again`,
              facts: await verbs.afterResume(resumed),
              notes: isTakenOver
                ? [`You're the ${noun}'s creator now, so it needs your right to view its VPS.`]
                : [],
              next: [...stepsOf(resumed), listStep(kind)],
            }
          );
        }),
    }),

    defineLocal({
      ...named,
      name: `${kind} skip`,
      listedAs: listedAs('skip', 'Skip the next time of a plan; a watch has no times to skip'),
      heading: 'Skip the next time',
      summary: `Skip the next time of a ${noun}`,
      arguments: { ...named.arguments, time: timeArgument },
      button: 'Skip',
      run: (context, { name, time }) =>
        update(context, name, async (plan) => {
          if (kind === 'watch')
            throw new RackhandError(
              'input_invalid',
              `A ${noun} has no times to skip. Pause it, or mute its VPS for a while.`,
            );
          const dueMs = findSkippable(plan);
          if (dueMs === undefined || (time !== undefined && time !== dueMs))
            throw new RackhandError('input_invalid', describeUnskippable(noun, time !== undefined));
          const nextMs = store.nextAfter(plan, dueMs);
          return (
            (await store.skip(plan, dueMs, context.actor.userId)) && {
              title: `${title} "${name}" skips its next time`,
              facts: [
                { label: 'Skipped', value: { kind: 'time', timeMs: dueMs } },
                ...(nextMs === null
                  ? []
                  : [{ label: 'Next', value: { kind: 'time', timeMs: nextMs } } as const]),
              ],
              next: [showStep(kind, name), listStep(kind)],
            }
          );
        }),
    }),

    defineLocal({
      ...named,
      name: `${kind} delete`,
      listedAs: listedAs('delete', 'Delete a plan; what it has done stays'),
      heading: `Delete a ${noun}`,
      summary: `Delete a ${noun}; what it has done stays`,
      button: 'Delete',
      run: async (context, { name }) =>
        (await stopNewer(context, name, 'deleted')) ??
        update(context, name, async (plan) => {
          return (
            (await store.delete(plan, { byUserId: context.actor.userId }, now())) && {
              title: `${title} "${name}" was deleted`,
              notes: [
                ...(verbs.stopNotes?.(plan, 'deleted') ?? []),
                `${words.addAgainLabel} opens the form with the same values.`,
              ],
              next: [
                {
                  label: words.addAgainLabel,
                  operation: words.add,
                  input: verbs.toPlanInput(plan),
                  opensForm: true,
                },
                listStep(kind),
              ],
            }
          );
        }),
    }),
  ];

  /** Returns the given steps, or none if the actor can't change the plan. */
  async function permitted(context: OperationContext, plan: One, steps: readonly NextStep[]) {
    try {
      await verbs.authorize?.(plan, context);
      return steps;
    } catch (error) {
      if (error instanceof DeniedError) return [];
      throw error;
    }
  }
}

function describeUnskippable(noun: string, isButton: boolean): string {
  return isButton
    ? 'This time was already skipped, has begun, or is no longer planned.'
    : `There's no next time to skip: the ${noun} isn't active, or its next time is already skipped.`;
}

function toChannelValue(channel: string | null): Value {
  return channel === null ? 'its alerts' : { kind: 'channel', channel };
}

/** Returns the facts that an edit changed, each followed by its previous value. */
export function changedFacts(before: readonly Fact[], after: readonly Fact[]): readonly Fact[] {
  return after.flatMap(({ label, value }): readonly Fact[] => {
    const was = before.find((fact) => fact.label === label)?.value;
    if (JSON.stringify(was) === JSON.stringify(value)) return [];
    return [{ label, value }, ...(was === undefined ? [] : [{ label: 'Was', value: was }])];
  });
}
