import type { Logger } from 'pino';
import type { FindCreatorStanding } from '../../../auth/creator-standing.ts';
import type { QuotaUsage } from '../../../hosting/quota/rate-limiter.ts';
import type { Read } from '../../../operations/define/read.ts';
import type { ListVpsAliases } from '../../../runs/pipeline/run-environment.ts';
import { isApiKeyInvalid } from '../../shared/fleet-reads.ts';
import type { Pauses } from '../../shared/pauses/pauses.ts';
import type { LoadSilence } from '../../shared/silence.ts';
import type { AlertNotifier } from '../delivery/alert-notifier.ts';
import type { UnreadNotifier } from '../delivery/unread-notices.ts';
import type { Watch } from '../watch.ts';
import type { WatchStore } from '../watch-store.ts';
import type { Observation } from './evaluate-condition.ts';
import type { EvaluationCycle } from './evaluation-job.ts';
import { evaluationRate, listCallsPerCycle, stateIntervalMs } from './evaluation-rate.ts';
import { nextAlertState } from './next-alert-state.ts';
import {
  type FleetObservation,
  nextInRotation,
  observeFleet,
  observeVps,
  selectNames,
  vpsToObserve,
} from './observe-fleet.ts';

type IsMuted = (vps: string) => boolean;

interface WatchEvaluatorDependencies {
  readonly store: Pick<WatchStore, 'list' | 'saveAlertState'>;
  readonly pause: Pauses<Watch>['pause'];
  readonly notifyAlert: AlertNotifier;
  readonly notifyUnread: UnreadNotifier;
  readonly findCreatorStanding: FindCreatorStanding;
  readonly readFor: (teamId: string) => Read;
  readonly listVpsAliases: ListVpsAliases;
  readonly usageOf: (teamId: string) => Promise<QuotaUsage>;
  readonly loadSilence: LoadSilence;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Creates a function that evaluates a workspace's watches. Each due VPS is read once for all watches. */
export function createWatchEvaluator(dependencies: WatchEvaluatorDependencies) {
  const { store, pause, notifyAlert, notifyUnread, readFor, usageOf } = dependencies;
  const { findCreatorStanding, listVpsAliases, loadSilence, now, log } = dependencies;

  /** Reads the VPS whose turn it is in this cycle. */
  async function observe(
    teamId: string,
    lastVps: string | null,
    watches: readonly Watch[],
    atMs: number,
    signal: AbortSignal,
  ) {
    const read = readFor(teamId);
    const observation = await observeFleet(read, await listVpsAliases(teamId));
    const fleet = observation.kind === 'listed' ? observation.fleet : undefined;
    signal.throwIfAborted();
    const needed = fleet ? vpsToObserve(watches, fleet) : [];
    const throughput = await usageOf(teamId);
    const { vpsPerCycle, intervalMs } = evaluationRate(needed.length, throughput, fleet?.listCalls);
    const names = nextInRotation(needed, lastVps, vpsPerCycle);
    const observed: ReadonlyMap<string, Observation> = await observeVps(names, { read, atMs, signal });
    const result: EvaluationCycle = {
      lastVps: names.at(-1) ?? lastVps,
      intervalMs: fleet ? intervalMs : null,
      calls: listCallsPerCycle(fleet?.listCalls ?? 1) + names.length,
    };
    return {
      observations: {
        fleet: observation,
        observed,
        intervalMs,
        stateMs: stateIntervalMs(fleet?.listCalls ?? 1),
      },
      result,
    };
  }

  async function notifyOne(watch: Watch, isMuted: IsMuted): Promise<void> {
    const notified = await notifyUnread(watch, isMuted).catch((error: unknown) => {
      log.warn({ err: error, watchId: watch.id }, "can't post which VPS a watch can't read; retrying");
      return watch;
    });
    if (notified) await notifyAlert(notified);
  }

  /** Posts notifications one after another within a channel, in parallel across channels. */
  async function notifyAll(watches: readonly Watch[], isMuted: IsMuted, signal: AbortSignal): Promise<void> {
    const byChannel = Map.groupBy(watches, ({ channel }) => channel);
    await Promise.all(
      [...byChannel.values()].map(async (those) => {
        for (const watch of those) {
          if (signal.aborted) return;
          await notifyOne(watch, isMuted).catch((error: unknown) => {
            if (signal.aborted) return;
            log.warn({ err: error, watchId: watch.id }, "can't post the message of a watch; retrying");
          });
        }
      }),
    );
  }

  /**
   * Pauses watches whose creators can no longer view the VPS, and returns the others. If Slack can't look up a creator,
   * the watch stays active, because missing an alert is worse.
   */
  async function keepPermitted(
    watches: readonly Watch[],
    fleet: FleetObservation,
  ): Promise<readonly Watch[]> {
    const kept: Watch[] = [];
    for (const watch of watches) {
      const { teamId, createdBy } = watch;
      const vps = fleet.kind === 'listed' ? selectNames(watch.vps, fleet.fleet) : [];
      const standing = await findCreatorStanding({ teamId, userId: createdBy }, vps);
      if (standing === 'allowed' || standing === 'unknown') kept.push(watch);
      else await pause([watch], 'creator');
    }
    return kept;
  }

  return async (teamId: string, lastVps: string | null, signal: AbortSignal): Promise<EvaluationCycle> => {
    const watches = (await store.list(teamId)).filter(({ state }) => state.kind === 'active');
    const unseen: EvaluationCycle = { lastVps, intervalMs: null, calls: 0 };
    if (watches.length === 0) return unseen;
    // All readings in a cycle get its start time, because cycles start a minute apart.
    const nowMs = now();
    const looked = await observe(teamId, lastVps, watches, nowMs, signal).catch(async (error: unknown) => {
      if (!isApiKeyInvalid(error)) throw error;
      await pause(watches, 'key');
      return undefined;
    });
    if (looked) {
      signal.throwIfAborted();
      const silence = await loadSilence(teamId, now());
      const { fleet } = looked.observations;
      const aliases = fleet.kind === 'listed' ? fleet.fleet.aliases : undefined;
      const mutedUntilMs = (name: string) => silence.untilMs({ name, aliases: aliases?.get(name) });
      const observations = { ...looked.observations, nowMs, mutedUntilMs };
      const kept: Watch[] = [];
      // Read again, because someone may just have acknowledged an alert.
      const current = (await store.list(teamId)).filter(({ state }) => state.kind === 'active');
      const evaluated = current.filter(({ id }) => watches.some((one) => one.id === id));
      for (const watch of await keepPermitted(evaluated, fleet)) {
        const alertState = nextAlertState(watch, observations);
        const isSame = JSON.stringify(alertState) === JSON.stringify(watch.alertState);
        const next = isSame ? watch : await store.saveAlertState(watch, alertState);
        if (next) kept.push(next);
      }
      await notifyAll(kept, (vps) => mutedUntilMs(vps) !== undefined, signal);
    }
    return looked?.result ?? unseen;
  };
}
