import type { Argument, Arguments, InputOf } from '../../../operations/define/arguments/argument.ts';
import type { FieldProblem, RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { LocalForm, Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../../operations/define/outcome.ts';
import { type MonitorFinder, monitorTexts, type Plan, type PlanKind, updateMonitor } from './monitor.ts';
import { invalidPlanError, type PlanResult, planProblems } from './plan-problems.ts';

type EditArguments = Arguments & {
  /** The argument that selects the monitor. */
  readonly name: Argument<string>;
  readonly rename: Argument<string | null | undefined>;
};

interface EditMonitorOptions<One extends Plan, A extends EditArguments, Planned> {
  readonly kind: PlanKind;
  readonly summary: string;
  readonly arguments: A;
  readonly store: MonitorFinder<One>;
  /** Returns the input that would add the monitor. */
  readonly toPlanInput: (monitor: One) => RawInput;
  readonly preview: NonNullable<LocalForm<A>['preview']>;
  /** Creates the plan that results from the changes. */
  readonly makePlan: (
    context: OperationContext,
    input: InputOf<A>,
    monitor: One,
  ) => Promise<PlanResult<Planned>>;
  /**
   * Saves the plan. Resolves to undefined if someone else has changed the monitor since it was
   * read.
   */
  readonly save: (monitor: One, planned: Planned, context: OperationContext) => Promise<Outcome | undefined>;
}

/** Declares the operation that edits a report or watch. */
export function createEditMonitorOperation<One extends Plan, A extends EditArguments, Planned>(
  options: EditMonitorOptions<One, A, Planned>,
): Operation {
  const { kind, summary, store, toPlanInput, preview, save } = options;
  const nameOf = (input: InputOf<A>) => (input as InputOf<A> & { readonly name: string }).name;

  async function makePlan(
    context: OperationContext,
    input: InputOf<A>,
    monitor: One,
  ): Promise<PlanResult<Planned>> {
    const planning = await options.makePlan(context, input, monitor);
    return planning.kind === 'valid'
      ? planning
      : { kind: 'invalid', problems: planning.problems.map(toRenameProblem) };
  }

  return defineLocal<A>({
    name: `${kind} edit`,
    heading: `Edit a ${monitorTexts[kind].noun}`,
    summary,
    arguments: options.arguments,
    button: 'Save',
    right: 'operate',
    isAccountWide: true,
    target: nameOf,
    form: {
      prefilledBy: 'name',
      async prefill({ actor }, given) {
        if (typeof given.name !== 'string') return given;
        const monitor = await store.find(actor.teamId, given.name);
        if (!monitor) return undefined;
        const { name: rename = '', ...plan } = toPlanInput(monitor);
        return { ...plan, rename, ...given };
      },
      shouldOpen: ({ name: _, ...changes }) => Object.values(changes).every((change) => change === undefined),
      preview: {
        dependsOn: preview.dependsOn,
        build: async (context, given) =>
          given.name === undefined ? undefined : preview.build(context, given),
      },
    },
    async validate(context, input) {
      const monitor = await store.find(context.actor.teamId, nameOf(input));
      return monitor ? planProblems(makePlan(context, input, monitor)) : [];
    },
    run(context, input) {
      const { teamId } = context.actor;
      return updateMonitor(kind, store, { teamId, name: nameOf(input) }, async (monitor) => {
        const planning = await makePlan(context, input, monitor);
        if (planning.kind === 'invalid') throw invalidPlanError(planning.problems);
        return save(monitor, planning.planned, context);
      });
    },
  });
}

/**
 * Moves a problem with the name to the field of the new name, because the field `name` selects the
 * monitor.
 */
function toRenameProblem({ path, message }: FieldProblem): FieldProblem {
  return { path: path === 'name' ? 'rename' : path, message };
}

/** Returns the facts that an edit changed, each followed by its previous value. */
export function changedFacts(before: readonly Fact[], after: readonly Fact[]): readonly Fact[] {
  return after.flatMap(({ label, value }): readonly Fact[] => {
    const was = before.find((fact) => fact.label === label)?.value;
    if (JSON.stringify(was) === JSON.stringify(value)) return [];
    return [{ label, value }, ...(was === undefined ? [] : [{ label: 'Was', value: was }])];
  });
}
