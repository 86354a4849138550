import type { Logger } from 'pino';
import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import type { Job, JobKind, JobQueue, JobResult } from '../../jobs/job-kind.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { PostOutcome } from '../../messages/post-outcome.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { LabelVpsFor } from '../../runs/team-labels.ts';
import { nextPeriod, type Period } from '../../time/periods.ts';
import type { LoadSilence } from '../shared/silences/silence.ts';
import type { TellChannels } from '../shared/tell-channels.ts';
import { isVpsSelected, type SelectableVps } from '../shared/vps-selection.ts';
import { formatEnd, formatStart, type OngoingProblem } from './announcements.ts';
import { findCurrent, type Maintenance, type MaintenanceStore } from './maintenance-store.ts';

const jobName = 'maintenance';

/** The occurrence whose start was announced, or `null` between two occurrences. */
const payload = z.object({
  running: z.object({ fromMs: z.number(), untilMs: z.number() }).nullable(),
  /** The channels that were already told that the occurrence has begun. */
  told: z.array(z.string()).default([]),
  /** The person who ended the occurrence early. */
  endedBy: z.string().optional(),
});

type Payload = z.infer<typeof payload>;

/** How long the announcement of an end waits for the list of VPS. */
const maxEndDelayMs = 10 * 60_000;

/** A VPS of the fleet, with the problems that watches currently find. */
export interface WatchedVps extends SelectableVps {
  readonly problems: readonly Omit<OngoingProblem, 'vps'>[];
}

interface MaintenanceJobDependencies {
  readonly jobs: Pick<Jobs, 'clock' | 'define'>;
  readonly store: MaintenanceStore;
  readonly loadSilence: LoadSilence;
  /**
   * Lists the VPS with their problems. Resolves to undefined if the VPS can't be listed, or if
   * there are no watches.
   */
  readonly listWatchedVps: (teamId: string) => Promise<readonly WatchedVps[] | undefined>;
  /** Lists the channels of the watches that cover some of the VPS. */
  readonly listWatchChannels: (teamId: string, vps: string) => Promise<readonly string[]>;
  readonly tellChannels: TellChannels;
  readonly postOutcome: PostOutcome;
  readonly labelVpsFor: LabelVpsFor;
  readonly log: Pick<Logger, 'warn'>;
}

/** Announces the start and the end of each occurrence of a window. */
export interface MaintenanceJob {
  /** Plans the announcements. `told` are channels that already know that the current occurrence has begun. */
  schedule(window: Maintenance, told?: readonly string[]): Promise<void>;
  /**
   * Ends the running occurrence now, and announces it. Resolves to undefined if someone else has changed the
   * window since it was read.
   */
  endNow(window: Maintenance, running: Period, endedBy: string): Promise<Maintenance | undefined>;
  /** Announces that a window was deleted during an occurrence. */
  announceDeletion(window: Maintenance, running: Period, deletedBy: string): Promise<void>;
  cancel(window: Maintenance): Promise<void>;
}

export function createMaintenanceJob(dependencies: MaintenanceJobDependencies): MaintenanceJob {
  const { jobs, store, loadSilence, listWatchedVps, listWatchChannels, tellChannels, postOutcome } =
    dependencies;
  const { labelVpsFor, log } = dependencies;
  const { clock } = jobs;

  const listChannels = async ({
    teamId,
    vps,
    channel,
  }: Pick<Maintenance, 'teamId' | 'vps' | 'channel'>): Promise<readonly string[]> =>
    channel === null ? [] : [...new Set([channel, ...(await listWatchChannels(teamId, vps))])];

  /** Announces an occurrence in the channel of the window and in those of the watches concerned, once. */
  async function announce(
    { id, teamId, channel, createdBy, vps }: Maintenance,
    what: 'start' | 'end',
    fromMs: number,
    outcome: Outcome,
    told: readonly string[] = [],
  ): Promise<void> {
    for (const each of await listChannels({ teamId, channel, vps }))
      if (!told.includes(each))
        await postOutcome(`maintenance:${id}:${what}:${fromMs}:${each}`, { teamId, channel: each }, outcome, {
          creator: createdBy,
        });
  }

  async function buildEnd(window: Maintenance, running: Period, endedBy?: string): Promise<Outcome> {
    const labelVps = await labelVpsFor(window.teamId);
    const listed = await listWatchedVps(window.teamId).catch((error: unknown) => {
      // Without the list, the end is announced without problems.
      const isRetryable = !(error instanceof RackhandError) || error.isRetryable;
      if (isRetryable && clock.now() < running.untilMs + maxEndDelayMs) throw error;
    });
    const fleet = listed?.filter((vps) => isVpsSelected(window.vps, vps));
    const silence = await loadSilence(window.teamId, clock.now());
    const isSilent = (vps: SelectableVps) => silence.untilMs(vps) !== undefined;
    const problems = fleet
      ?.filter((vps) => !isSilent(vps))
      .flatMap(({ name, problems: found }) => found.map((problem) => ({ vps: name, ...problem })));
    const stillSilent = (fleet ?? []).filter(isSilent).map(({ name }) => name);
    return formatEnd(window, running, problems, stillSilent, labelVps, endedBy);
  }

  async function end(
    window: Maintenance,
    running: Period,
    { token, payload: { endedBy } }: Job<Payload>,
  ): Promise<JobResult<Payload>> {
    const nowMs = clock.now();
    // A clock that was ahead has announced the start.
    if (nowMs < running.fromMs) return planNext(window, token, nowMs);
    if (nowMs < running.untilMs)
      return { kind: 'repeat', atMs: running.untilMs, payload: { running, told: [] } };
    if (window.channel !== null)
      await announce(window, 'end', running.fromMs, await buildEnd(window, running, endedBy));
    return planNext(window, token, nowMs);
  }

  async function planNext(window: Maintenance, token: string, nowMs: number): Promise<JobResult<Payload>> {
    const lookAgain = (atMs: number): JobResult<Payload> => ({
      kind: 'repeat',
      atMs,
      payload: { running: null, told: [] },
    });
    // Rackhand was down between two occurrences, so the next one has already begun.
    if (findCurrent(window, nowMs)) return lookAgain(nowMs);
    const nextMs = store.nextAfter(window, nowMs);
    await store.saveNext(window.id, token, nextMs);
    if (nextMs !== null) return lookAgain(nextMs);
    // Mutes aren't kept. If someone has changed the window, its new times apply.
    const ended = await (window.channel === null ? store.delete : store.end)(window, nowMs);
    return ended ? { kind: 'done' } : lookAgain(nowMs);
  }

  async function handle(job: Job<Payload>): Promise<JobResult<Payload>> {
    const { running, told } = job.payload;
    const window = await store.get(job.id);
    if (window?.state.kind !== 'active') return { kind: 'done' };
    if (running) return end(window, running, job);
    const nowMs = clock.now();
    const current = findCurrent(window, nowMs);
    if (!current) return planNext(window, job.token, nowMs);
    await store.saveNext(job.id, job.token, store.nextAfter(window, current.fromMs));
    const start = formatStart(window, current, await labelVpsFor(window.teamId));
    await announce(window, 'start', current.fromMs, start, told);
    return {
      kind: 'repeat',
      atMs: current.untilMs,
      payload: { running: current, told: [] },
    };
  }

  const kind: JobKind<Payload> = {
    name: jobName,
    payload,
    retry: { firstMs: 10_000, maxMs: 5 * 60_000 },
    concurrency: 10,
    listMissing: async () =>
      (await store.listWithoutJob()).map((window) => ({
        ...window,
        payload: { running: null, told: [] },
      })),
    handle,
  };
  const queue: JobQueue<Payload> = jobs.define(kind);

  return {
    async schedule(window, told = []) {
      const { id, teamId, timing } = window;
      const nowMs = clock.now();
      const next = findCurrent(window, nowMs) ? undefined : nextPeriod(timing, nowMs);
      const payload = { running: null, told: [...told] };
      await queue.schedule({ id, teamId, payload, dueMs: next?.fromMs ?? nowMs });
    },
    async endNow(window, { fromMs }, endedBy) {
      const { id, teamId } = window;
      const untilMs = clock.now();
      const payload = { running: { fromMs, untilMs }, told: [], endedBy };
      const job = { id, teamId, payload, dueMs: untilMs };
      const ended = await store.endOccurrence(window, untilMs, (transaction) =>
        queue.schedule(job, transaction),
      );
      queue.wake();
      return ended;
    },
    async announceDeletion(window, running, deletedBy) {
      if (window.channel === null) return;
      const outcome = await buildEnd(window, running, deletedBy).catch((error: unknown) => {
        log.warn({ err: error, maintenanceId: window.id }, 'the VPS of a deleted window could not be listed');
        return formatEnd(window, running, undefined, [], (text) => text, deletedBy);
      });
      await tellChannels(window.teamId, await listChannels(window), outcome);
    },
    cancel: ({ id }) => queue.cancel(id),
  };
}
