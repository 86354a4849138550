import type { Database } from '../../db/engines/database.ts';
import { RackhandError } from '../../errors.ts';
import type { Clock } from '../../jobs/clock.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import type { Outbox } from '../../messages/outbox.ts';
import type { PostOutcome } from '../../messages/post-outcome.ts';
import type { Outcome } from '../../operations/define/outcome.ts';
import { createPlanJob, type PlanJobPayload } from '../../plans/plan-job.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { LabelVpsFor } from '../../runs/team-labels.ts';
import { createPauses } from '../shared/pauses/pauses.ts';
import type { LoadSilence } from '../shared/silence.ts';
import { isVpsSelected, type SelectableVps } from '../shared/vps-selection.ts';
import { formatEnd, formatStart, type OngoingProblem } from './announcements.ts';
import {
  findCurrent,
  type Maintenance,
  type MaintenanceOccurrence,
  type MaintenanceProgress,
  type MaintenanceStore,
} from './maintenance-store.ts';

/** Maximum delay of the end announcement while the VPS can't be listed. */
const maxEndDelayMs = 10 * 60_000;

/** A VPS with the problems that watches currently find. */
export interface WatchedVps extends SelectableVps {
  readonly problems: readonly Omit<OngoingProblem, 'vps'>[];
}

interface Announcement {
  /** Each channel gets only one message per key. */
  readonly key: string;
  readonly channels: readonly string[];
  readonly outcome: Outcome;
}

interface MaintenanceJobDependencies {
  readonly store: MaintenanceStore;
  readonly loadSilence: LoadSilence;
  /** Lists the VPS and their problems. Resolves to undefined if the VPS can't be listed or there are no watches. */
  readonly listWatchedVps: (teamId: string) => Promise<readonly WatchedVps[] | undefined>;
  /** Lists the channels of watches that cover any of the VPS. */
  readonly listWatchChannels: (teamId: string, vps: string) => Promise<readonly string[]>;
  readonly postOutcome: PostOutcome;
  readonly transact: Outbox['transact'];
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly listAdmins: (teamId: string) => Promise<readonly string[]>;
  readonly labelVpsFor: LabelVpsFor;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Creates the job that announces the start and end of maintenance in the window's channel and the channels
 * of affected watches.
 */
export function createMaintenanceJob(dependencies: MaintenanceJobDependencies): JobKind<PlanJobPayload> {
  const { store, loadSilence, listWatchedVps, listWatchChannels, postOutcome, transact, labelVpsFor } =
    dependencies;
  const pauses = createPauses<Maintenance>({ kind: 'maintenance', ...dependencies });

  const listChannels = async ({ teamId, vps, channel }: Maintenance): Promise<readonly string[]> =>
    channel === null ? [] : [...new Set([channel, ...(await listWatchChannels(teamId, vps))])];

  /** Applies `change` and, if the change takes effect, posts the announcements in the same transaction. */
  async function tellIf(
    { id, teamId, createdBy: creator }: Maintenance,
    announcements: readonly Announcement[],
    change: (transaction: Database) => Promise<unknown>,
  ): Promise<void> {
    await transact(async (transaction) => {
      if (!(await change(transaction))) return;
      for (const { key, channels, outcome } of announcements)
        for (const channel of channels)
          await postOutcome(`maintenance:${id}:${key}:${channel}`, { teamId, channel }, outcome, {
            creator,
            transaction,
          });
    });
  }

  async function buildEnd(
    window: Maintenance,
    { untilMs, endedBy, ...occurrence }: MaintenanceOccurrence,
    nowMs: number,
  ): Promise<Outcome> {
    const labelVps = await labelVpsFor(window.teamId);
    const listed = await listWatchedVps(window.teamId).catch((error: unknown) => {
      // Without the list, the announcement doesn't mention problems.
      const isRetryable = !(error instanceof RackhandError) || error.isRetryable;
      if (isRetryable && nowMs < untilMs + maxEndDelayMs) throw error;
    });
    const fleet = listed?.filter((vps) => isVpsSelected(window.vps, vps));
    const silence = await loadSilence(window.teamId, nowMs);
    const isSilent = (vps: SelectableVps) => silence.untilMs(vps) !== undefined;
    const problems = fleet
      ?.filter((vps) => !isSilent(vps))
      .flatMap(({ name, problems: found }) => found.map((problem) => ({ vps: name, ...problem })));
    const stillSilent = (fleet ?? []).filter(isSilent).map(({ name }) => name);
    return formatEnd(
      window,
      { ...occurrence, untilMs },
      problems,
      stillSilent,
      labelVps,
      endedBy ?? undefined,
    );
  }

  async function end(window: Maintenance, occurrence: MaintenanceOccurrence, token: string, nowMs: number) {
    const channels = await listChannels(window);
    const announcements =
      channels.length === 0
        ? []
        : [
            {
              key: `end:${occurrence.begunMs}`,
              channels,
              outcome: await buildEnd(window, occurrence, nowMs),
            },
          ];
    // If a one-time window is paused during its occurrence, it can be resumed until the occurrence ends.
    const nextMs = window.state.kind === 'paused' ? occurrence.fromMs : window.nextMs;
    await tellIf(window, announcements, async (transaction) => {
      const finished = await store.finish(window, token, { nextMs }, nowMs, transaction);
      // Mutes are deleted when they end.
      if (finished?.state.kind === 'ended' && window.channel === null)
        await store.delete(finished, { byUserId: null }, nowMs, transaction);
      return finished;
    });
  }

  return createPlanJob<Maintenance, MaintenanceProgress, MaintenanceOccurrence>({
    name: 'maintenance',
    retry: { firstMs: 10_000, maxMs: 5 * 60_000 },
    concurrency: 10,
    store,
    pause: (window, reason) => pauses.pause([window], reason),
    findLater(window, dueMs, nowMs) {
      if (nowMs < dueMs) return undefined;
      const current = findCurrent(window, nowMs);
      if (current && current.fromMs <= dueMs) return undefined;
      return current?.fromMs ?? store.nextAfter(window, nowMs);
    },
    prepare: async (_, dueMs, { clock }) => (clock.now() < dueMs ? dueMs : undefined),
    async begin(window, _, { token, clock }) {
      const begunMs = clock.now();
      const current = findCurrent(window, begunMs);
      if (!current) return;
      const channels = await listChannels(window);
      const occurrence = { ...current, begunMs, endedBy: null };
      const outcome = formatStart(window, current, await labelVpsFor(window.teamId));
      await tellIf(window, [{ key: `start:${begunMs}`, channels, outcome }], (transaction) =>
        store.begin(window, token, occurrence, transaction),
      );
    },
    async follow(window, occurrence, { token, clock }) {
      const nowMs = clock.now();
      // The start was announced too early, because the clock was ahead. The occurrence begins again on time.
      if (nowMs < occurrence.fromMs) await store.finish(window, token, { nextMs: occurrence.fromMs }, nowMs);
      else if (nowMs >= occurrence.untilMs) await end(window, occurrence, token, nowMs);
      else return occurrence.untilMs;
      return nowMs;
    },
  });
}
