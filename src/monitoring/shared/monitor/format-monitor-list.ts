import type { NextStep, Outcome, Value } from '../../../operations/define/outcome.ts';
import { describeUnreadable } from '../../../operations/format/unreadable/unreadable-rows.ts';
import { monitorTexts, type Plan, type PlanKind } from './monitor.ts';

/** A plan of a list. It is announced in no channel of its own if that is `null`. */
type ListedPlan = Plan & { readonly channel: string | null };

interface MonitorListOptions<One extends ListedPlan> {
  readonly kind: PlanKind;
  /** The names of all monitors, also of those that can't be read. */
  readonly names: readonly string[];
  /** The title of an empty list. */
  readonly emptyTitle: string;
  /** The columns besides name and channel. */
  readonly columns: readonly string[];
  readonly toCells: (monitor: One) => readonly Value[];
  readonly toNotes?: (monitor: One) => readonly string[];
  /** What the title adds to the number. */
  readonly titleEnd?: string;
  readonly nextSteps: (monitor: One) => readonly NextStep[];
  readonly addStep: NextStep;
}

/** Formats the reports or watches of a workspace as a table. */
export function formatMonitorList<One extends ListedPlan>(
  monitors: readonly One[],
  {
    kind,
    names,
    emptyTitle,
    columns,
    toCells,
    toNotes = () => [],
    titleEnd = '',
    nextSteps,
    addStep,
  }: MonitorListOptions<One>,
): Outcome {
  const { one, noun, many } = monitorTexts[kind];
  const [first, ...others] = monitors.toSorted((a, b) =>
    a.name.localeCompare(b.name, 'en', { numeric: true }),
  );
  const unreadable = describeUnreadable({ names, readable: monitors, one: noun, many });
  if (!first) return { title: unreadable.title ?? emptyTitle, notes: unreadable.notes, next: [addStep] };
  const isSingle = others.length === 0;
  return {
    title: `${isSingle ? `One ${noun}` : `${monitors.length} ${many}`}${titleEnd}`,
    table: {
      columns: [one, ...columns, 'Channel'],
      rows: [first, ...others].map((monitor) => [
        monitor.name,
        ...toCells(monitor),
        monitor.channel === null ? 'its alerts' : { kind: 'channel', channel: monitor.channel },
      ]),
    },
    notes: [
      ...[first, ...others].flatMap((monitor) => toNotes(monitor).map((note) => `${monitor.name}: ${note}`)),
      ...unreadable.notes,
    ],
    // A single monitor gets buttons. Several monitors are offered in a select.
    ...(isSingle
      ? {
          next: [
            { label: 'Show', operation: `${kind} show`, input: { name: first.name } },
            ...nextSteps(first),
            addStep,
          ],
        }
      : {
          next: [addStep],
          choiceSteps: [
            {
              label: kind === 'maintenance' ? 'Show a Window' : `Show a ${one}`,
              operation: `${kind} show`,
              argument: 'name',
              input: {},
            },
          ],
        }),
  };
}
