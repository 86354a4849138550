import { RackhandError } from '../../../errors.ts';
import type { Argument } from '../../../operations/define/arguments/argument.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { defineLocal } from '../../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../../operations/define/operation.ts';
import type { Fact, NextStep } from '../../../operations/define/outcome.ts';
import {
  listStep,
  type Monitor,
  type MonitorFinder,
  type MonitorKind,
  monitorTexts,
  updateMonitor,
} from './monitor.ts';

interface ManageMonitorsOptions<One extends Monitor> {
  readonly kind: MonitorKind;
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
export function createManageMonitorOperations<One extends Monitor>(
  options: ManageMonitorsOptions<One>,
): readonly Operation[] {
  const { kind, store, pause, resume, remove, nextSteps, addAgainLabel, toPlanInput } = options;
  const { one: title } = monitorTexts[kind];
  const shared = {
    arguments: { name: options.nameArgument },
    right: 'operate',
    target: ({ name }: { readonly name: string }) => name,
  } as const;

  return [
    defineLocal({
      name: `${kind} pause`,
      heading: `Pause a ${kind}`,
      summary: `Pause a ${kind}`,
      ...shared,
      button: 'Pause',
      async run({ actor: { teamId, userId } }, { name }) {
        return updateMonitor(kind, store, { teamId, name }, async (monitor) => {
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
      heading: `Resume a ${kind}`,
      summary: `Resume a paused ${kind}`,
      ...shared,
      button: 'Resume',
      async run(context, { name }) {
        const { teamId, userId } = context.actor;
        return updateMonitor(kind, store, { teamId, name }, async (monitor) => {
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
      heading: `Delete a ${kind}`,
      summary: `Delete a ${kind}`,
      ...shared,
      button: 'Delete',
      async run({ actor: { teamId, userId } }, { name }) {
        return updateMonitor(kind, store, { teamId, name }, async (monitor) => {
          if (!(await remove(monitor, userId))) return undefined;
          const input = toPlanInput(monitor);
          return {
            title: `${title} "${name}" was deleted`,
            notes: [`${addAgainLabel} opens the form with the same values.`],
            next: [
              { label: addAgainLabel, operation: `${kind} add`, input, opensForm: true },
              listStep(kind),
            ],
          };
        });
      },
    }),
  ];
}
