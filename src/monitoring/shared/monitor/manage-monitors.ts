import { RackhandError } from '../../../errors.ts';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, NextStep } from '../../../operations/define/outcome.ts';
import {
  listStep,
  type MonitorFinder,
  monitorTexts,
  type Plan,
  type PlanKind,
  updateMonitor,
} from './monitor.ts';

interface ManageMonitorsOptions<One extends Plan> {
  readonly kind: PlanKind;
  /** Throws unless the actor can change this plan. By default, the right to operate all VPS is checked before. */
  readonly authorize?: (context: OperationContext, monitor: One) => Promise<void>;
  /** The operation that adds such a plan. */
  readonly addOperation?: string;
  readonly store: MonitorFinder<One>;
  /** The argument that selects a monitor by name. */
  readonly nameArgument: Argument<string>;
  /** Pauses the monitor. Resolves to `false` if someone else has changed it since it was read. */
  readonly pause: (monitor: One, byUserId: string) => Promise<boolean>;
  /**
   * Resumes the monitor, in the name of `createdBy`. Resolves to the facts to show, or to undefined if someone else has changed
   * it since it was read.
   */
  readonly resume: (
    monitor: One,
    createdBy: string,
    context: Pick<OperationContext, 'quotaUsage'>,
  ) => Promise<readonly Fact[] | undefined>;
  /** Deletes the monitor. Resolves to `false` if someone else has changed it since it was read. */
  readonly remove: (monitor: One, byUserId: string) => Promise<boolean>;
  readonly nextSteps: (name: string, isPaused: boolean) => readonly NextStep[];
  /** Label of the button that adds a deleted monitor again. */
  readonly addAgainLabel: string;
  /** Returns the input that would add the monitor. */
  readonly toPlanInput: (monitor: One) => RawInput;
}

/** Declares the operations that pause, resume and delete reports or watches. */
export function createManageMonitorOperations<One extends Plan>(
  options: ManageMonitorsOptions<One>,
): readonly Operation[] {
  const { kind, store, pause, resume, remove, nextSteps, addAgainLabel, toPlanInput } = options;
  const { authorize = async () => {}, addOperation = `${kind} add` } = options;
  const { one: title, noun } = monitorTexts[kind];
  const shared = {
    arguments: { name: options.nameArgument },
    right: 'operate',
    ...(options.authorize && { isAnyVpsEnough: true }),
    target: ({ name }: { readonly name: string }) => name,
  } as const;

  return [
    defineLocal({
      name: `${kind} pause`,
      heading: `Pause a ${noun}`,
      summary: `Pause a ${noun}`,
      ...shared,
      button: 'Pause',
      async run(context, { name }) {
        const { teamId, userId } = context.actor;
        return updateMonitor(kind, store, { teamId, name }, async (monitor) => {
          await authorize(context, monitor);
          if (monitor.state.kind === 'paused')
            throw new RackhandError('input_invalid', `${title} "${name}" is already paused.`);
          if (!(await pause(monitor, userId))) return undefined;
          return {
            title: `${title} "${name}" is paused`,
            next: [...nextSteps(name, true), listStep(kind)],
          };
        });
      },
    }),

    defineLocal({
      name: `${kind} resume`,
      heading: `Resume a ${noun}`,
      summary: `Resume a paused ${noun}`,
      ...shared,
      button: 'Resume',
      async run(context, { name }) {
        const { teamId, userId } = context.actor;
        return updateMonitor(kind, store, { teamId, name }, async (monitor) => {
          await authorize(context, monitor);
          const { state } = monitor;
          if (state.kind !== 'paused')
            throw new RackhandError('input_invalid', `${title} "${name}" isn't paused.`);
          // The rights of its creator were the reason, so they are now checked of this person.
          const isTakenOver = state.reason === 'creator';
          const facts = await resume(monitor, isTakenOver ? userId : monitor.createdBy, context);
          return (
            facts && {
              title: `${title} "${name}" is active again`,
              facts,
              ...(isTakenOver && {
                notes: [`You are its creator now: it needs your right to view its VPS.`],
              }),
              next: [...nextSteps(name, false), listStep(kind)],
            }
          );
        });
      },
    }),

    defineLocal({
      name: `${kind} delete`,
      heading: `Delete a ${noun}`,
      summary: `Delete a ${noun}`,
      ...shared,
      button: 'Delete',
      async run(context, { name }) {
        const { teamId, userId } = context.actor;
        return updateMonitor(kind, store, { teamId, name }, async (monitor) => {
          await authorize(context, monitor);
          if (!(await remove(monitor, userId))) return undefined;
          const input = toPlanInput(monitor);
          return {
            title: `${title} "${name}" was deleted`,
            notes: [`${addAgainLabel} opens the form with the same values.`],
            next: [{ label: addAgainLabel, operation: addOperation, input, opensForm: true }, listStep(kind)],
          };
        });
      },
    }),
  ];
}
