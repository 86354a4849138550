import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { OperationContext } from '../../operations/define/operation.ts';
import type { Fact, Outcome } from '../../operations/define/outcome.ts';
import { readVpsState } from '../../operations/vps/target-state.ts';
import { formatWhen } from '../../time/format-when.ts';
import { nextTimeFacts, planFacts } from '../format-schedule.ts';
import type { PlannedSchedule } from '../planning/plan-schedule.ts';
import { findRoomWarning, snapshotsNeeded } from '../retention/snapshot-room.ts';

/** Maximum number of targets whose state a card shows. Each state costs a call. */
const maxStates = 5;

/** A card that asks to confirm a schedule. */
interface ScheduleCard {
  readonly title: string;
  readonly label: string;
  /** The operation that the card's button runs. */
  readonly operation: string;
  readonly input: RawInput;
  /** The digest confirmed on an earlier card, if any. */
  readonly confirm: string | undefined;
  /** The version of the schedule being edited. */
  readonly version?: string;
  readonly nowMs: number;
}

/** Returns whether the person confirmed exactly this plan, for this version of the schedule. */
export function isConfirmed({ digest }: PlannedSchedule, confirm: string | undefined, version = ''): boolean {
  return confirm === `${digest}${version}`;
}

/** Returns the confirmation card. Its button is bound to the exact request, targets and times. */
export async function askToConfirm(
  context: OperationContext,
  planned: PlannedSchedule,
  { title, label, operation, input, confirm, version = '', nowMs }: ScheduleCard,
): Promise<Outcome> {
  const { plan, targets, digest, approval } = planned;
  const states = await readStates(context, planned);
  const hidden = targets.length - states.length;
  return {
    title,
    isQuestion: true,
    facts: [
      { label: 'When', value: formatWhen(plan.timing) },
      ...nextTimeFacts(plan.timing, nowMs),
      ...planFacts(plan).filter(({ label: name }) => ['Keep', 'Reason', 'Channel'].includes(name)),
      ...states,
    ],
    notes: [
      ...(confirm !== undefined
        ? ['Something has changed since you were last asked. Check the details again.']
        : []),
      ...(hidden > 0 && targets.length > 1 ? [`And ${hidden} more VPS, ${targets.length} in total.`] : []),
      ...(plan.act.vps?.includes('*')
        ? [`Each run acts on the VPS that match ${plan.act.vps} at that time.`]
        : plan.act.command.includes('*')
          ? ['The schedule covers only these VPS, even if others match later.']
          : []),
      ...(typeof planned.operation.warning === 'string' ? [planned.operation.warning] : []),
      ...(plan.keep
        ? ['Retention deletes snapshots that this schedule took, but never the last complete one.']
        : []),
      ...(await readRoom(context, planned)),
      ...(approval ? ["A rule requires someone else's approval before this becomes active."] : []),
    ],
    next: [{ label, operation, input: { ...input, confirm: `${digest}${version}` } }],
  };
}

async function readStates(
  { read }: OperationContext,
  { targets }: PlannedSchedule,
): Promise<readonly Fact[]> {
  const shown = targets.filter(({ vps }) => vps !== '').slice(0, maxStates);
  return Promise.all(
    shown.map(async ({ vps, label }) => {
      const { facts } = await readVpsState(read, vps);
      const state = facts.find((fact) => fact.label === 'State');
      return { label, value: state?.value ?? 'not shown' };
    }),
  );
}

/**
 * Returns warnings about VPS without enough room for the snapshots or, if there are no warnings, says how
 * much room the rule needs.
 */
async function readRoom(
  { read }: OperationContext,
  { plan: { keep }, targets }: PlannedSchedule,
): Promise<readonly string[]> {
  if (!keep) return [];
  const shown = targets.filter(({ vps }) => vps !== '').slice(0, maxStates);
  const warnings = await Promise.all(shown.map((target) => findRoomWarning(read, target, keep)));
  const known = warnings.filter((warning) => warning !== undefined);
  return known.length > 0
    ? known
    : [
        `This needs room for ${snapshotsNeeded(keep)} snapshots of each VPS: the next one is taken before an older one is deleted.`,
      ];
}
