import { listSnapshots } from '../../hosting/endpoints/snapshots.ts';
import { readSnapshots } from '../../hosting/payloads/snapshots.ts';
import type { ChoiceSource } from '../../operations/define/arguments/choice-source.ts';
import { defineLocal } from '../../operations/define/define-operation.ts';
import type { Operation, OperationContext } from '../../operations/define/operation.ts';
import type { Fact, NextStep, Value } from '../../operations/define/outcome.ts';
import { countUnreadable } from '../../operations/format/unreadable/unreadable-rows.ts';
import { formatWhen } from '../../time/format-when.ts';
import { formatState, listStep, nextTimeFacts, planFacts, scheduleSteps } from '../format-schedule.ts';
import { planRetention } from '../retention/plan-retention.ts';
import type { ScheduledSnapshot, SnapshotStore } from '../retention/snapshot-store.ts';
import { pauseTexts, type Schedule } from '../schedule.ts';
import type { ScheduleStore } from '../schedule-store.ts';
import { filterVisible, findManageDenial, requireVisible } from './schedule-access.ts';
import { scheduleArgument } from './schedule-arguments.ts';

interface ShowSchedulesDependencies {
  readonly store: Pick<ScheduleStore, 'list' | 'listNames'>;
  readonly snapshots: Pick<SnapshotStore, 'list'>;
  readonly schedules: ChoiceSource;
  readonly now: () => number;
}

const addStep: NextStep = { label: 'Schedule a Change', operation: 'schedule', input: {}, opensForm: true };

/** The maximum number of VPS for which deletions are previewed. Each takes a call. */
const maxPreviewed = 10;

export function createShowScheduleOperations({
  store,
  snapshots,
  schedules,
  now,
}: ShowSchedulesDependencies): readonly Operation[] {
  /** Returns the snapshots that the next run deletes if its own snapshot succeeds. */
  async function previewDeletions(context: OperationContext, schedule: Schedule): Promise<readonly Fact[]> {
    const { keep, nextMs } = schedule;
    if (!keep) return [];
    const own = await snapshots.list(schedule.id);
    const byVps = Map.groupBy(own, ({ vps }) => vps);
    const facts: Fact[] = [{ label: 'Snapshots kept now', value: String(own.length) }];
    if (nextMs === null) return facts;
    const next = { name: 'the next one', takenMs: nextMs, state: 'available' } as const;
    for (const [vps, taken] of [...byVps].slice(0, maxPreviewed)) {
      const value = await previewVps(context, schedule, [...taken, { ...next, vps }]).catch(
        () => 'not known now',
      );
      facts.push({ label: `Next deletes of ${vps}`, value });
    }
    return facts;
  }

  async function previewVps(
    { read }: OperationContext,
    schedule: Schedule,
    own: readonly ScheduledSnapshot[],
  ): Promise<string> {
    const vps = own.at(-1)?.vps ?? '';
    const { snapshots: listed, hasMore } = readSnapshots(
      await read(listSnapshots, { params: { vps_name: vps } }),
      vps,
    );
    const after = [...listed, { name: own.at(-1)?.name ?? '', state: 'available' }];
    const { deletions } = planRetention(schedule, own, { snapshots: after, hasMore });
    return deletions.length === 0 ? 'nothing' : deletions.join(', ');
  }

  return [
    defineLocal({
      name: 'schedule list',
      heading: 'Schedules',
      summary: 'List what is scheduled',
      arguments: {},
      button: 'Show',
      // People see their own schedules, and those on VPS that they are allowed to view.
      right: null,
      async run(context) {
        const { teamId } = context.actor;
        const [readable, names] = await Promise.all([store.list(teamId), store.listNames(teamId)]);
        const unreadable = countUnreadable({ names, readable, one: 'schedule', many: 'schedules' });
        const visible = await filterVisible(readable, context);
        const sorted = visible.toSorted((a, b) => (a.nextMs ?? Infinity) - (b.nextMs ?? Infinity));
        const [first] = sorted;
        if (!first)
          return {
            title: unreadable.title ?? 'Nothing is scheduled',
            notes: unreadable.notes,
            next: [addStep],
          };
        return {
          title: sorted.length === 1 ? 'One schedule' : `${sorted.length} schedules`,
          table: {
            columns: ['Schedule', 'What', 'Next', 'When', 'Last time'],
            rows: sorted.map((schedule) => [
              schedule.name,
              schedule.act.title,
              formatNext(schedule),
              formatWhen(schedule.timing),
              schedule.lastResult?.text ?? '–',
            ]),
          },
          notes: unreadable.notes,
          choiceSteps: [
            { label: 'Show a Schedule', operation: 'schedule show', argument: 'name', input: {} },
          ],
          next: [addStep],
        };
      },
    }),

    defineLocal({
      name: 'schedule show',
      heading: 'Show a schedule',
      summary: 'Show a schedule and what its next time would delete',
      arguments: { name: scheduleArgument(schedules) },
      button: 'Show',
      right: null,
      target: ({ name }) => name,
      async run(context, { name }) {
        const schedule = await requireVisible(store, context, name);
        const { state, nextMs, skippedMs, lastResult, createdBy, createdMs, approval, pausedReason } =
          schedule;
        const isActive = state === 'active';
        return {
          title: isActive ? name : `${name} (${formatState({ state, pausedReason: null })})`,
          facts: [
            ...planFacts(schedule),
            ...(isActive && nextMs !== null
              ? [{ label: 'Next', value: { kind: 'time', timeMs: nextMs } as const }]
              : []),
            ...(isActive && nextMs !== null && skippedMs === nextMs
              ? [{ label: 'Skipped', value: 'the next time' }]
              : []),
            ...(isActive ? nextTimeFacts(schedule.timing, now()) : []),
            ...(lastResult
              ? [
                  { label: 'Last time', value: { kind: 'time', timeMs: lastResult.dueMs } as const },
                  { label: 'Last result', value: lastResult.text },
                ]
              : []),
            ...(await previewDeletions(context, schedule)),
            { label: 'Scheduled by', value: { kind: 'person', person: createdBy } },
            { label: 'Scheduled', value: { kind: 'time', timeMs: createdMs } },
            ...(approval
              ? [{ label: 'Approved by', value: { kind: 'person', person: approval.by } as const }]
              : []),
          ],
          notes: state === 'paused' && pausedReason !== null ? [pauseTexts[pausedReason]] : [],
          next: (await findManageDenial(schedule, context)) ? [listStep] : listSteps(schedule),
        };
      },
    }),
  ];
}

/** Returns the buttons of people who can manage the schedule. */
function listSteps(schedule: Schedule): readonly NextStep[] {
  const { name, state, nextMs, skippedMs } = schedule;
  const canSkip = state === 'active' && nextMs !== null && skippedMs !== nextMs;
  const input = { name, time: String(nextMs) };
  return [
    ...(canSkip ? [{ label: 'Skip Next Time', operation: 'schedule skip', input }] : []),
    ...scheduleSteps(schedule),
  ];
}

function formatNext(schedule: Schedule): Value {
  const { state, nextMs, skippedMs } = schedule;
  if (state !== 'active') return formatState({ state, pausedReason: null });
  if (nextMs === null) return 'under way';
  return skippedMs === nextMs ? 'skipped' : { kind: 'time', timeMs: nextMs };
}
