import type { FindCreatorStanding } from '../auth/creator-standing.ts';
import type { Clock } from '../jobs/clock.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { PostOutcome } from '../messages/post-outcome.ts';
import { createPauses } from '../monitoring/shared/pauses/pauses.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import { createPlanJob, type PlanJobPayload } from '../plans/plan-job.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { ExecuteOccurrence } from './execution/execute-occurrence.ts';
import { maxWaitMs } from './execution/target-steps.ts';
import { formatAnnouncement, formatMissed, formatSkipped, formatStart } from './format-schedule.ts';
import { type Occurrence, type Schedule, scheduleKind, toOccurrenceKey } from './schedule.ts';
import type { ScheduleStore } from './schedule-store.ts';

/** How often an occurrence is checked until all targets are done. */
const followMs = 10_000;

interface ScheduleJobDependencies {
  readonly store: ScheduleStore;
  readonly executeOccurrence: ExecuteOccurrence;
  readonly postOutcome: PostOutcome;
  readonly transact: Outbox['transact'];
  readonly findCreatorStanding: FindCreatorStanding;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly clock: Pick<Clock, 'now'>;
}

export function createScheduleJob(dependencies: ScheduleJobDependencies): JobKind<PlanJobPayload> {
  const { store, executeOccurrence, postOutcome, findCreatorStanding } = dependencies;
  const pauses = createPauses<Schedule>({ kind: 'schedule', ...dependencies });

  /** Posts an occurrence's state in its message, unless the claim was lost. */
  async function tell(schedule: Schedule, token: string, dueMs: number, outcome: Outcome): Promise<void> {
    if (!(await store.isClaimed(schedule.id, token))) return;
    const { id, teamId, channel, createdBy: creator } = schedule;
    const to = { teamId, channel, fallbacks: [creator] };
    await postOutcome(toOccurrenceKey(id, dueMs), to, outcome, { creator });
  }

  /**
   * Returns whether the creator can still view the VPS. If not, pauses the schedule. Pattern matches are
   * checked only when the occurrence begins. Throws if Slack doesn't say what the creator can view.
   */
  async function requireCreator(schedule: Schedule): Promise<boolean> {
    const { teamId, createdBy, act } = schedule;
    const vps = act.vps === null || act.vps.includes('*') ? [] : act.vps.split(' ');
    const standing = await findCreatorStanding({ teamId, userId: createdBy }, vps);
    if (standing === 'allowed') return true;
    if (standing === 'unknown') throw new Error('Slack did not say what the person is allowed to view');
    await pauses.pause([schedule], standing);
    return false;
  }

  return createPlanJob<Schedule, Pick<Schedule, 'lastResult'>, Occurrence>({
    name: scheduleKind.name,
    retry: { firstMs: 15_000, maxMs: 2 * 60_000 },
    concurrency: 100,
    store,
    pause: (schedule, reason) => pauses.pause([schedule], reason),
    findLater: (schedule, dueMs, nowMs) =>
      nowMs > dueMs + maxWaitMs ? store.nextAfter(schedule, nowMs) : undefined,
    async passOver(schedule, { dueMs, isSkipped, nextMs }, { token }) {
      const outcome = (isSkipped ? formatSkipped : formatMissed)(schedule, nextMs);
      await tell(schedule, token, dueMs, outcome);
      return { lastResult: { dueMs, isOk: false, text: outcome.title } };
    },
    async prepare(schedule, dueMs, context) {
      const { announceMs } = schedule;
      const nowMs = context.clock.now();
      if (nowMs >= dueMs) return undefined;
      if (nowMs < dueMs - announceMs) return dueMs - announceMs;
      if (await requireCreator(schedule))
        await tell(schedule, context.token, dueMs, formatAnnouncement(schedule, dueMs));
      return dueMs;
    },
    async begin(schedule, dueMs, { token }) {
      if (!(await requireCreator(schedule))) return;
      if (await store.begin(schedule, token, { dueMs, targets: [] }))
        await tell(schedule, token, dueMs, formatStart(schedule, dueMs));
    },
    async follow(schedule, occurrence, context) {
      const { token, clock } = context;
      const nowMs = clock.now();
      const done = await executeOccurrence(schedule, occurrence, context);
      if (done.kind === 'working') return nowMs + followMs;
      const reload = async () => (await store.get(schedule.id)) ?? schedule;
      // Posted first: after a crash, the same message is simply edited again. In the reverse order, the
      // message might never be posted.
      const told = await reload();
      await tell(told, token, occurrence.dueMs, done.outcome);
      const current = await reload();
      // Paused before the occurrence ends, because a retry wouldn't know the reason anymore.
      if (done.pause && current.nextMs !== null && current.state.kind === 'active')
        await pauses.pause([current], done.pause);
      // If someone changed the schedule in the meantime, the next attempt finishes the occurrence.
      const last = await reload();
      await store.finish(last, token, { nextMs: last.nextMs, progress: { lastResult: done.result } }, nowMs);
      return nowMs;
    },
  });
}
