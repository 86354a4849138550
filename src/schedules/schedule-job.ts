import { z } from 'zod';
import type { FindCreatorStanding } from '../auth/creator-standing.ts';
import type { JobKind, JobResult } from '../jobs/job-kind.ts';
import type { PostOutcome } from '../messages/post-outcome.ts';
import type { Outcome } from '../operations/define/outcome.ts';
import type { PauseReason } from '../plans/pause-reason.ts';
import type { RunStore } from '../runs/store/run-store.ts';
import { nextTimeAfter } from '../time/timetable.ts';
import type { ExecuteOccurrence, ScheduleJobContext } from './execution/execute-occurrence.ts';
import { maxWaitMs } from './execution/limits.ts';
import {
  formatAnnouncement,
  formatMissed,
  formatPaused,
  formatSkipped,
  formatStart,
} from './format-schedule.ts';
import { type Occurrence, type Schedule, scheduleKind, toOccurrenceKey } from './schedule.ts';
import type { ScheduleStore } from './schedule-store.ts';

const payload = z.object({});

export type ScheduleJobPayload = z.infer<typeof payload>;

/** How often an occurrence is checked until all its targets are done. */
const followMs = 10_000;

const retry = { firstMs: 15_000, maxMs: 2 * 60_000 } as const;

interface ScheduleJobDependencies {
  readonly store: ScheduleStore;
  readonly executeOccurrence: ExecuteOccurrence;
  readonly postOutcome: PostOutcome;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Lists the people to notify if the creator of a schedule has left or lost the right. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
}

/**
 * Announces and executes the occurrences of schedules. Each occurrence begins once, across all
 * replicas and restarts.
 */
export function createScheduleJob(dependencies: ScheduleJobDependencies): JobKind<ScheduleJobPayload> {
  const { store, executeOccurrence, postOutcome, findCreatorStanding, runs, listAdmins } = dependencies;

  /** Shows the state of an occurrence in its one message. Shows nothing if the claim was lost. */
  async function tell(schedule: Schedule, token: string, dueMs: number, outcome: Outcome): Promise<void> {
    if (!(await store.isClaimed(schedule.id, token))) return;
    await post(schedule, toOccurrenceKey(schedule.id, dueMs), outcome);
  }

  const post = ({ teamId, channel, createdBy }: Schedule, key: string, outcome: Outcome) =>
    postOutcome(key, { teamId, channel, fallbacks: [createdBy] }, outcome, { creator: createdBy });

  /**
   * Notifies the channel that a schedule is paused, and pauses it. After a crash in between, the same
   * message is shown again.
   */
  async function pause(
    schedule: Schedule,
    { token, clock }: ScheduleJobContext,
    reason: PauseReason,
  ): Promise<void> {
    const { kind: state } = schedule.state;
    if (state !== 'active' && state !== 'approval') return;
    // A schedule that a person has just changed is read again.
    if ((await store.get(schedule.id))?.version !== schedule.version) return;
    if (!(await store.isClaimed(schedule.id, token))) return;
    const outcome = formatPaused(schedule, reason);
    const key = `${toOccurrenceKey(schedule.id, schedule.nextMs ?? 0)}:paused`;
    await post(schedule, key, outcome);
    if (reason === 'left' || reason === 'denied') await notifyAdmins(schedule, key, outcome);
    const { teamId, createdBy: userId, name: target } = schedule;
    const entry = { actor: { teamId, userId }, operation: 'schedule pause', target, nowMs: clock.now() };
    await runs.addAuditEntry({ ...entry, status: 'done', outcome });
    // A process that lost its claim has told nobody. The one that has it pauses the schedule.
    await store.pauseClaimed(schedule, token, reason, clock.now());
  }

  /** Sends the admins a direct message, because the creator of the schedule can't do anything about it. */
  async function notifyAdmins({ teamId }: Schedule, key: string, outcome: Outcome): Promise<void> {
    for (const channel of await listAdmins(teamId))
      await postOutcome(`${key}:${channel}`, { teamId, channel }, outcome);
  }

  /**
   * Returns whether the creator can still view the VPS, and pauses the schedule if not. Which VPS a
   * pattern matches is known when the occurrence begins. Throws if Slack doesn't say.
   */
  async function requireCreator(schedule: Schedule, context: ScheduleJobContext): Promise<boolean> {
    const { teamId, createdBy, act } = schedule;
    const vps = act.vps === null || act.vps.includes('*') ? [] : act.vps.split(' ');
    const standing = await findCreatorStanding({ teamId, userId: createdBy }, vps);
    if (standing === 'allowed') return true;
    if (standing === 'unknown') throw new Error('Slack did not say what the person is allowed to view');
    await pause(schedule, context, standing);
    return false;
  }

  async function passOver(
    schedule: Schedule,
    context: ScheduleJobContext,
    dueMs: number,
    afterMs: number,
    format: (schedule: Schedule, nextMs: number | null) => Outcome,
  ): Promise<void> {
    const { token, clock } = context;
    const nextMs = nextTimeAfter(schedule.timing, afterMs) ?? null;
    const outcome = format(schedule, nextMs);
    await tell(schedule, token, dueMs, outcome);
    const result = { dueMs, isOk: false, text: outcome.title };
    await store.finish(schedule, token, result, nextMs, clock.now());
  }

  async function follow(
    schedule: Schedule,
    occurrence: Occurrence,
    context: ScheduleJobContext,
  ): Promise<JobResult<ScheduleJobPayload>> {
    const { token } = context;
    const nowMs = context.clock.now();
    const done = await executeOccurrence(schedule, occurrence, context);
    if (done.kind === 'working') return { kind: 'repeat', atMs: nowMs + followMs };
    const reload = async () => (await store.get(schedule.id)) ?? schedule;
    // After a crash in between, the message is edited again. In the other order, nobody would be told.
    const told = await reload();
    await tell(told, token, occurrence.dueMs, done.outcome);
    const current = await reload();
    // Paused before the occurrence ends, because no retry would know the reason afterwards.
    if (done.pause && current.nextMs !== null) await pause(current, context, done.pause);
    else if (done.pause)
      await notifyAdmins(current, toOccurrenceKey(current.id, occurrence.dueMs), done.outcome);
    // If a person has changed it in the meantime, it is finished in the next attempt.
    const last = await reload();
    await store.finish(last, token, done.result, last.nextMs, context.clock.now());
    return { kind: 'repeat', atMs: nowMs };
  }

  async function announce(schedule: Schedule, context: ScheduleJobContext, dueMs: number): Promise<void> {
    if (schedule.announceMs === 0) return;
    if (await requireCreator(schedule, context))
      await tell(schedule, context.token, dueMs, formatAnnouncement(schedule, dueMs));
  }

  async function begin(schedule: Schedule, context: ScheduleJobContext, dueMs: number): Promise<void> {
    const { token } = context;
    if (!(await requireCreator(schedule, context))) return;
    if (!(await store.begin(schedule, token, { dueMs, targets: [] }))) return;
    await tell(schedule, token, dueMs, formatStart(schedule, dueMs));
  }

  async function handleNext(
    schedule: Schedule,
    context: ScheduleJobContext,
  ): Promise<JobResult<ScheduleJobPayload>> {
    const { nextMs, state } = schedule;
    if (schedule.occurrence) return follow(schedule, schedule.occurrence, context);
    if (nextMs === null || (state.kind !== 'active' && state.kind !== 'approval')) return { kind: 'done' };
    return handleTime(schedule, nextMs, context);
  }

  async function handleTime(
    schedule: Schedule,
    nextMs: number,
    context: ScheduleJobContext,
  ): Promise<JobResult<ScheduleJobPayload>> {
    const { announceMs, state } = schedule;
    const { clock } = context;
    const nowMs = clock.now();
    const isSkipped = schedule.skippedMs === nextMs;
    const wakeMs = state.kind === 'approval' || isSkipped ? nextMs : nextMs - announceMs;
    if (nowMs < wakeMs) return { kind: 'repeat', atMs: wakeMs };
    if (state.kind === 'approval') await pause(schedule, context, 'unapproved');
    else if (isSkipped) await passOver(schedule, context, nextMs, nextMs, formatSkipped);
    else if (nowMs > nextMs + maxWaitMs) await passOver(schedule, context, nextMs, nowMs, formatMissed);
    else if (nowMs < nextMs) await announce(schedule, context, nextMs);
    else await begin(schedule, context, nextMs);
    return { kind: 'repeat', atMs: Math.max(nowMs, nextMs) };
  }

  return {
    name: scheduleKind.name,
    payload,
    retry,
    concurrency: 100,
    listMissing: async () =>
      (await store.listWithoutJob()).map(({ id, teamId }) => ({ id, teamId, payload: {} })),
    async handle({ id, token }, context) {
      const schedule = await store.get(id);
      return schedule ? handleNext(schedule, { ...context, token }) : { kind: 'done' };
    },
  };
}
