import type { Logger } from 'pino';
import { z } from 'zod';
import { RackhandError } from '../../errors.ts';
import { lookAgainAt, maxAheadMs } from '../../jobs/far-time.ts';
import { defaultLeaseMs, type JobKind, type JobResult } from '../../jobs/job-kind.ts';
import type { JobQueue } from '../../jobs/job-queue.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import type { LabelVpsFor } from '../../runs/team-labels.ts';
import type { ChannelRef, PostResult } from '../shared/channel-publisher.ts';
import type { LoadSilence } from '../shared/silences/silence.ts';
import type { Period } from '../shared/time-series.ts';
import { isVpsSelected, type SelectableVps } from '../shared/vps-selection.ts';
import { formatEnd, formatStart, type OngoingProblem } from './announcements.ts';
import { findCurrent, type Maintenance, type MaintenanceStore } from './maintenance-store.ts';
import { nextOccurrence } from './timing.ts';

const jobName = 'maintenance';

/** The occurrence whose start was announced, or `null` between two occurrences. */
const payload = z.object({ running: z.object({ fromMs: z.number(), untilMs: z.number() }).nullable() });

type Payload = z.infer<typeof payload>;

/** How long the announcement of an end waits for the list of VPS. */
const maxEndDelayMs = 10 * 60_000;

/** How soon an announcement is repeated if Slack is away, and until how long after an end. */
const announceRetryMs = 60_000;
const maxEndRetryMs = 60 * 60_000;

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
  readonly announce: (channelRef: ChannelRef, outcome: Outcome) => Promise<PostResult>;
  readonly labelVpsFor: LabelVpsFor;
  readonly log: Pick<Logger, 'warn'>;
}

/** Announces the start and the end of each occurrence of a window. */
export interface MaintenanceJob {
  /** Plans the announcements. `running` is an occurrence whose start was already announced. */
  schedule(window: Maintenance, running?: Period): Promise<void>;
  /** Ends the running occurrence now, and announces it. */
  endNow(window: Maintenance, running: Period): Promise<void>;
  cancel(window: Maintenance): Promise<void>;
}

export function createMaintenanceJob(dependencies: MaintenanceJobDependencies): MaintenanceJob {
  const { jobs, store, loadSilence, listWatchedVps, announce, labelVpsFor, log } = dependencies;
  const { clock } = jobs;

  /**
   * Posts an announcement. If Slack limits the rate, or is away before `retryUntilMs`, resolves to
   * the time to wait in ms.
   */
  async function postAnnouncement(
    window: Maintenance,
    column: 'start_announced' | 'end_announced',
    { fromMs, retryUntilMs }: { readonly fromMs: number; readonly retryUntilMs: number },
    build: () => Promise<Outcome>,
  ): Promise<number | undefined> {
    // Built before the claim, so that a failure doesn't lose the announcement.
    const outcome = await build();
    if (!(await store.claimAnnouncement(window.id, column, fromMs))) return undefined;
    const posted = await announce(window, outcome).catch((error: unknown) => {
      log.warn({ err: error, maintenanceId: window.id }, 'a maintenance window could not be announced');
      // A repeated announcement harms less than a missing one.
      if (clock.now() < retryUntilMs) return { kind: 'rateLimited', retryInMs: announceRetryMs } as const;
      return undefined;
    });
    if (posted?.kind !== 'rateLimited') return undefined;
    await store.releaseAnnouncement(window.id, column);
    return posted.retryInMs;
  }

  async function buildEnd(window: Maintenance, running: Period): Promise<Outcome> {
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
    return formatEnd(window, running, problems, stillSilent, labelVps);
  }

  async function end(window: Maintenance, running: Period): Promise<JobResult<Payload>> {
    const nowMs = clock.now();
    // A clock that was ahead has announced the start.
    if (nowMs < running.fromMs) return planNext(window, nowMs);
    if (nowMs < running.untilMs)
      return { kind: 'repeat', atMs: lookAgainAt(running.untilMs, nowMs), payload: { running } };
    const waitMs = await postAnnouncement(
      window,
      'end_announced',
      { fromMs: running.fromMs, retryUntilMs: running.untilMs + maxEndRetryMs },
      () => buildEnd(window, running),
    );
    if (waitMs !== undefined) return { kind: 'wait', atMs: nowMs + waitMs };
    return planNext(window, nowMs);
  }

  async function planNext(window: Maintenance, nowMs: number): Promise<JobResult<Payload>> {
    // Rackhand was down between two occurrences, so the next one has already begun.
    if (findCurrent(window, nowMs)) return { kind: 'repeat', atMs: nowMs, payload: { running: null } };
    const next = nextOccurrence(window.timing, nowMs);
    if (next) return { kind: 'repeat', atMs: lookAgainAt(next.fromMs, nowMs), payload: { running: null } };
    await store.delete(window.id);
    return { kind: 'done' };
  }

  async function handle(id: string, { running }: Payload): Promise<JobResult<Payload>> {
    const window = await store.find(id);
    if (!window) return { kind: 'done' };
    if (running) return end(window, running);
    const nowMs = clock.now();
    const current = findCurrent(window, nowMs);
    if (!current) return planNext(window, nowMs);
    const waitMs = await postAnnouncement(
      window,
      'start_announced',
      { fromMs: current.fromMs, retryUntilMs: current.untilMs },
      async () => formatStart(window, current, await labelVpsFor(window.teamId)),
    );
    if (waitMs !== undefined) return { kind: 'wait', atMs: nowMs + waitMs };
    return { kind: 'repeat', atMs: lookAgainAt(current.untilMs, nowMs), payload: { running: current } };
  }

  const kind: JobKind<Payload> = {
    name: jobName,
    payload,
    leaseMs: defaultLeaseMs,
    retry: { firstMs: 10_000, maxMs: 5 * 60_000 },
    concurrency: { perProcess: 10, perWorkspace: 2 },
    maxAheadMs,
    listMissing: async () =>
      (await store.listWithoutJob(jobName)).map((window) => ({ ...window, payload: { running: null } })),
    handle: ({ id, payload: stored }) => handle(id, stored),
  };
  const queue: JobQueue<Payload> = jobs.define(kind);

  return {
    async schedule(window, running) {
      const { id, teamId, timing } = window;
      const nowMs = clock.now();
      const next = findCurrent(window, nowMs) ? undefined : nextOccurrence(timing, nowMs);
      const dueMs = running ? running.untilMs : (next?.fromMs ?? nowMs);
      const payload = { running: running ?? null };
      await queue.schedule({ id, teamId, payload, dueMs: lookAgainAt(dueMs, nowMs) });
    },
    async endNow({ id, teamId }, { fromMs }) {
      const untilMs = clock.now();
      const job = { id, teamId, payload: { running: { fromMs, untilMs } }, dueMs: untilMs };
      await store.end(id, untilMs, (transaction) => queue.schedule(job, transaction));
      queue.wake();
    },
    cancel: ({ id }) => queue.cancel(id),
  };
}
