import type { FindCreatorStanding } from '../auth/creator-standing.ts';
import type { Database } from '../db/engines/database.ts';
import type { JobKind } from '../jobs/job-kind.ts';
import type { Outbox } from '../messages/outbox.ts';
import type { PostOutcome } from '../messages/post-outcome.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import type { PauseReason } from '../plans/plan.ts';
import { createPlanJob, type DueContext, type PlanJobPayload } from '../plans/plan-job.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import type { ExecuteOccurrence } from './execution/execute-occurrence.ts';
import { maxWaitMs } from './execution/target-steps.ts';
import {
  formatAnnouncement,
  formatMissed,
  formatPaused,
  formatSkipped,
  formatStart,
} from './format-schedule.ts';
import { type Occurrence, type Schedule, scheduleKind, toOccurrenceKey } from './schedule.ts';
import type { ScheduleStore } from './schedule-store.ts';

/** How often an occurrence is checked until all its targets are done. */
const followMs = 10_000;

interface ScheduleJobDependencies {
  readonly store: ScheduleStore;
  readonly executeOccurrence: ExecuteOccurrence;
  readonly postOutcome: PostOutcome;
  readonly transact: Outbox['transact'];
  readonly findCreatorStanding: FindCreatorStanding;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Lists the people to notify if the creator of a schedule has left or lost the right. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
}

/** Announces and executes the occurrences of schedules. */
export function createScheduleJob(dependencies: ScheduleJobDependencies): JobKind<PlanJobPayload> {
  const { store, executeOccurrence, postOutcome, transact, findCreatorStanding, runs, listAdmins } =
    dependencies;

  /** Shows the state of an occurrence in its one message. Shows nothing if the claim was lost. */
  async function tell(schedule: Schedule, token: string, dueMs: number, outcome: Outcome): Promise<void> {
    if (!(await store.isClaimed(schedule.id, token))) return;
    await post(schedule, toOccurrenceKey(schedule.id, dueMs), outcome);
  }

  const post = (
    { teamId, channel, createdBy: creator }: Schedule,
    key: string,
    outcome: Outcome,
    transaction?: Database,
  ) => postOutcome(key, { teamId, channel, fallbacks: [creator] }, outcome, { creator, transaction });

  /** Pauses a schedule and notifies its channel, unless a person has just changed it. */
  async function pause(schedule: Schedule, reason: PauseReason, nowMs: number): Promise<void> {
    const { id, teamId, createdBy: userId, name: target } = schedule;
    const outcome = formatPaused(schedule, reason);
    const key = `schedule:${id}:paused:${schedule.version}`;
    const admins = reason === 'left' || reason === 'denied' ? await listAdmins(teamId) : [];
    await transact(async (transaction) => {
      if (!(await store.pause(schedule, { reason, byUserId: null }, nowMs, transaction))) return;
      await post(schedule, key, outcome, transaction);
      await notifyAdmins(schedule, admins, key, outcome, transaction);
      const entry = { actor: { teamId, userId }, operation: 'schedule pause', target, nowMs };
      await runs.addAuditEntry({ ...entry, status: 'done', outcome }, transaction);
    });
  }

  /** Sends the admins a direct message, because the creator of the schedule can't do anything about it. */
  async function notifyAdmins(
    { teamId }: Schedule,
    admins: readonly string[],
    key: string,
    outcome: Outcome,
    transaction?: Database,
  ): Promise<void> {
    for (const channel of admins)
      await postOutcome(`${key}:${channel}`, { teamId, channel }, outcome, { transaction });
  }

  /**
   * Returns whether the creator can still view the VPS, and pauses the schedule if not. Which VPS a
   * pattern matches is known when the occurrence begins. Throws if Slack doesn't say.
   */
  async function requireCreator(schedule: Schedule, { clock }: DueContext): Promise<boolean> {
    const { teamId, createdBy, act } = schedule;
    const vps = act.vps === null || act.vps.includes('*') ? [] : act.vps.split(' ');
    const standing = await findCreatorStanding({ teamId, userId: createdBy }, vps);
    if (standing === 'allowed') return true;
    if (standing === 'unknown') throw new Error('Slack did not say what the person is allowed to view');
    await pause(schedule, standing, clock.now());
    return false;
  }

  return createPlanJob<Schedule, Pick<Schedule, 'lastResult'>, Occurrence>({
    name: scheduleKind.name,
    retry: { firstMs: 15_000, maxMs: 2 * 60_000 },
    concurrency: 100,
    store,
    pause,
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
      if (await requireCreator(schedule, context))
        await tell(schedule, context.token, dueMs, formatAnnouncement(schedule, dueMs));
      return dueMs;
    },
    async begin(schedule, dueMs, context) {
      const { token } = context;
      if (!(await requireCreator(schedule, context))) return;
      if (await store.begin(schedule, token, { dueMs, targets: [] }))
        await tell(schedule, token, dueMs, formatStart(schedule, dueMs));
    },
    async follow(schedule, occurrence, context) {
      const { token, clock } = context;
      const nowMs = clock.now();
      const done = await executeOccurrence(schedule, occurrence, context);
      if (done.kind === 'working') return nowMs + followMs;
      const reload = async () => (await store.get(schedule.id)) ?? schedule;
      // After a crash in between, the message is edited again. In the other order, nobody would be told.
      const told = await reload();
      await tell(told, token, occurrence.dueMs, done.outcome);
      const current = await reload();
      // Paused before the occurrence ends, because no retry would know the reason afterwards.
      if (done.pause && current.nextMs !== null && current.state.kind === 'active')
        await pause(current, done.pause, nowMs);
      else if (done.pause) {
        const key = toOccurrenceKey(current.id, occurrence.dueMs);
        await notifyAdmins(current, await listAdmins(current.teamId), key, done.outcome);
      }
      // If a person has changed it in the meantime, it is finished in the next attempt.
      const last = await reload();
      await store.finish(last, token, { nextMs: last.nextMs, progress: { lastResult: done.result } }, nowMs);
      return nowMs;
    },
  });
}
