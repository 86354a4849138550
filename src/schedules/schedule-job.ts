import type { Logger } from 'pino';
import { z } from 'zod';
import type { FindCreatorStanding } from '../auth/creator-standing.ts';
import type { Job, JobKind, JobResult } from '../jobs/job-kind.ts';
import type { Outcome } from '../operations/define/outcome.ts';
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
import type { Occurrence, PauseReason, Schedule } from './schedule.ts';
import type { SchedulePublisher } from './schedule-publisher.ts';
import type { ScheduleStore } from './schedule-store.ts';

export const scheduleJobName = 'schedule';

const payload = z.object({});

export type ScheduleJobPayload = z.infer<typeof payload>;

/** How often an occurrence is checked until all its targets are done. */
const followMs = 10_000;

const notInChannelNote =
  "You see this here because I can't post in the channel of this schedule. Run /invite @Rackhand there, or schedule the change in another channel.";

const retry = { firstMs: 15_000, maxMs: 2 * 60_000 } as const;

/** How often posting a result is tried while Slack is away. The attempts take two hours or more. */
const maxPostAttempts = 60;

type ScheduleContext = ScheduleJobContext & Pick<Job<unknown>, 'attempt'>;

/**
 * What happens if the channel doesn't get a message. `optional`: nothing. `required`: if Rackhand
 * can't post there, the creator gets it. `retried`: also, the job is retried if Slack is away.
 */
type Delivery = 'optional' | 'required' | 'retried';

interface ScheduleJobDependencies {
  readonly store: ScheduleStore;
  readonly executeOccurrence: ExecuteOccurrence;
  readonly publisher: SchedulePublisher;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  /** Lists the people to notify if the creator of a schedule has left or lost the right. */
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * Announces and executes the occurrences of schedules. Each occurrence begins once, across all
 * replicas and restarts.
 */
export function createScheduleJob(dependencies: ScheduleJobDependencies): JobKind<ScheduleJobPayload> {
  const { store, executeOccurrence, publisher, findCreatorStanding, runs, listAdmins, log } = dependencies;

  /**
   * Edits the message of the current occurrence, or posts a new one. Returns the message's `ts`, or
   * null on failure: a failed message never stops the work. Posts nothing if the claim was lost.
   */
  async function tell(
    schedule: Schedule,
    token: string,
    outcome: Outcome,
    delivery: Delivery = 'optional',
  ): Promise<string | null> {
    if (!(await store.isClaimed(schedule.id, token))) return null;
    try {
      const { messageTs } = schedule;
      const edited = messageTs === null ? undefined : await publisher.edit(schedule, messageTs, outcome);
      const posted = edited?.kind === 'posted' ? edited : await publisher.post(schedule, outcome);
      if (posted.kind === 'posted') return posted.ts;
      if (delivery !== 'optional')
        await sendDirectly(schedule, schedule.createdBy, withNote(outcome, notInChannelNote));
      return null;
    } catch (error) {
      if (delivery === 'retried') throw error;
      log.warn({ err: error, scheduleId: schedule.id }, 'a message of a schedule could not be posted');
      return null;
    }
  }

  /**
   * Notifies the channel that a schedule is paused, and pauses it. A crash in between repeats the
   * message instead of losing it.
   */
  async function pause(
    schedule: Schedule,
    { token, clock }: ScheduleContext,
    reason: PauseReason,
  ): Promise<void> {
    const state = (await store.get(schedule.id))?.state;
    if (state !== 'active' && state !== 'approval') return;
    if (!(await store.isClaimed(schedule.id, token))) return;
    const outcome = formatPaused(schedule, reason);
    await tell({ ...schedule, messageTs: null }, token, outcome, 'required');
    if (reason === 'left' || reason === 'denied') await notifyAdmins(schedule, outcome);
    const { teamId, createdBy: userId, name: target } = schedule;
    const entry = { actor: { teamId, userId }, operation: 'schedule pause', target, nowMs: clock.now() };
    await runs.addAuditEntry({ ...entry, status: 'done', outcome });
    // A process that lost its claim has told nobody. The one that has it pauses the schedule.
    await store.pauseClaimed(schedule.id, token, reason);
  }

  async function sendDirectly({ teamId, id }: Schedule, userId: string, outcome: Outcome): Promise<void> {
    try {
      await publisher.sendDirectMessage({ teamId, userId }, outcome);
    } catch (error) {
      log.warn({ err: error, scheduleId: id }, 'a person could not be notified about a schedule');
    }
  }

  /** Sends the admins a direct message, because the creator of the schedule can't do anything about it. */
  async function notifyAdmins(schedule: Schedule, outcome: Outcome): Promise<void> {
    for (const userId of await listAdmins(schedule.teamId)) await sendDirectly(schedule, userId, outcome);
  }

  /**
   * Returns whether the creator can still view the VPS, and pauses the schedule if not. Which VPS a
   * pattern matches is known when the occurrence begins. Throws if Slack doesn't say.
   */
  async function requireCreator(schedule: Schedule, context: ScheduleContext): Promise<boolean> {
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
    context: ScheduleContext,
    dueMs: number,
    afterMs: number,
    format: (schedule: Schedule, nextMs: number | null) => Outcome,
  ): Promise<void> {
    const { token } = context;
    const nextMs = nextTimeAfter(schedule.timing, afterMs) ?? null;
    const outcome = format(schedule, nextMs);
    await tell(schedule, token, outcome, deliveryOf({ ...schedule, nextMs }, context));
    await store.finish(schedule, token, { dueMs, isOk: false, text: outcome.title }, nextMs);
  }

  async function follow(
    schedule: Schedule,
    occurrence: Occurrence,
    context: ScheduleContext,
  ): Promise<JobResult<ScheduleJobPayload>> {
    const { token } = context;
    const nowMs = context.clock.now();
    const done = await executeOccurrence(schedule, occurrence, context);
    if (done.kind === 'working') return { kind: 'repeat', atMs: nowMs + followMs };
    const reload = async () => (await store.get(schedule.id)) ?? schedule;
    // After a crash in between, the message is edited again. In the other order, nobody would be told.
    const told = await reload();
    await tell(told, token, done.outcome, deliveryOf(told, context));
    const current = await reload();
    // Paused before the occurrence ends, because no retry would know the reason afterwards.
    if (done.pause && current.nextMs !== null) await pause(current, context, done.pause);
    else if (done.pause) await notifyAdmins(current, done.outcome);
    await store.finish(schedule, token, done.result, current.nextMs);
    return { kind: 'repeat', atMs: nowMs };
  }

  async function announce(schedule: Schedule, context: ScheduleContext, dueMs: number): Promise<void> {
    const { token } = context;
    if (schedule.announceMs === 0 || schedule.announcedMs === dueMs) return;
    if (!(await requireCreator(schedule, context))) return;
    if (!(await store.markAnnounced(schedule.id, token, dueMs))) return;
    const fresh = { ...schedule, messageTs: null };
    const ts = await tell(fresh, token, formatAnnouncement(schedule, dueMs));
    await store.saveMessage(schedule.id, token, ts);
  }

  async function begin(schedule: Schedule, context: ScheduleContext, dueMs: number): Promise<void> {
    const { token } = context;
    if (!(await requireCreator(schedule, context))) return;
    if (!(await store.begin(schedule, token, { dueMs, targets: [] }))) return;
    // The message of an earlier occurrence isn't edited.
    const messageTs = schedule.announcedMs === dueMs ? schedule.messageTs : null;
    const ts = await tell({ ...schedule, messageTs }, token, formatStart(schedule, dueMs));
    await store.saveMessage(schedule.id, token, ts);
  }

  async function handleNext(
    schedule: Schedule,
    context: ScheduleContext,
  ): Promise<JobResult<ScheduleJobPayload>> {
    const { nextMs, state } = schedule;
    if (schedule.occurrence) return follow(schedule, schedule.occurrence, context);
    if (nextMs === null || (state !== 'active' && state !== 'approval')) return { kind: 'done' };
    return handleTime(schedule, nextMs, context);
  }

  async function handleTime(
    schedule: Schedule,
    nextMs: number,
    context: ScheduleContext,
  ): Promise<JobResult<ScheduleJobPayload>> {
    const { announceMs, state } = schedule;
    const { clock } = context;
    const nowMs = clock.now();
    const isSkipped = schedule.skippedMs === nextMs;
    const wakeMs = state === 'approval' || isSkipped ? nextMs : nextMs - announceMs;
    if (nowMs < wakeMs) return { kind: 'repeat', atMs: wakeMs };
    if (state === 'approval') await pause(schedule, context, 'unapproved');
    else if (isSkipped) await passOver(schedule, context, nextMs, nextMs, formatSkipped);
    else if (nowMs > nextMs + maxWaitMs) await passOver(schedule, context, nextMs, nowMs, formatMissed);
    else if (nowMs < nextMs) await announce(schedule, context, nextMs);
    else await begin(schedule, context, nextMs);
    return { kind: 'repeat', atMs: Math.max(nowMs, nextMs) };
  }

  return {
    name: scheduleJobName,
    payload,
    retry,
    concurrency: 100,
    listMissing: async () =>
      (await store.listWithoutJob()).map(({ id, teamId }) => ({ id, teamId, payload: {} })),
    async handle({ id, token, attempt }, context) {
      const schedule = await store.get(id);
      return schedule ? handleNext(schedule, { ...context, token, attempt }) : { kind: 'done' };
    },
  };
}

/** Returns how a result is delivered. Its retries don't hold up the next occurrence. */
function deliveryOf({ nextMs, announceMs }: Schedule, { attempt, clock }: ScheduleContext): Delivery {
  const isNextNear = nextMs !== null && clock.now() >= nextMs - announceMs;
  return attempt < maxPostAttempts && !isNextNear ? 'retried' : 'required';
}

function withNote(outcome: Outcome, note: string): Outcome {
  return { ...outcome, notes: [...(outcome.notes ?? []), note] };
}
