import type { Logger } from 'pino';
import { RackhandError } from '../error.ts';
import type { QuotaUsage } from '../hosting/quota/quota.ts';
import type { Read } from '../operations/operation.ts';
import type { Mute } from '../reports/mutes/mute-store.ts';
import type { Pauses } from '../reports/pauses.ts';
import type { Seen } from './judge.ts';
import { nextToRead, readEach, readFleet, vpsToRead } from './look.ts';
import { paceOf, roundEveryMs } from './pace.ts';
import { goOn } from './round.ts';
import type { Round, Rounded } from './round-store.ts';
import type { Tell } from './telling.ts';
import type { Watch } from './watch.ts';
import type { WatchStore } from './watch-store.ts';

interface MakeRoundParts {
  readonly store: Pick<WatchStore, 'list' | 'keep' | 'pause'>;
  readonly pauses: Pick<Pauses, 'tell'>;
  readonly tell: Tell;
  readonly readFor: (teamId: string) => Read;
  readonly usageOf: (teamId: string) => Promise<QuotaUsage>;
  /** Calls a minute, in the mean, of the reports of a workspace. */
  readonly reportsPerMinute: (teamId: string) => Promise<number>;
  readonly mutes: (teamId: string, nowMs: number) => Promise<readonly Mute[]>;
  readonly now: () => number;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** Creates what looks at the watches of one workspace once: each VPS whose turn it is is read once for all of them. */
export function createMakeRound(parts: MakeRoundParts) {
  const { store, pauses, tell, readFor, usageOf, reportsPerMinute, mutes, now, log } = parts;

  /** Reads whose turn it is. */
  async function look(
    { teamId, lastVps }: Round,
    watches: readonly Watch[],
    atMs: number,
    signal: AbortSignal,
  ) {
    const read = readFor(teamId);
    const fleet = await readFleet(read);
    signal.throwIfAborted();
    const needed = fleet ? vpsToRead(watches, fleet) : [];
    const lane = await usageOf(teamId);
    const { perRound, everyMs } = paceOf(needed.length, lane, await reportsPerMinute(teamId));
    const names = nextToRead(needed, lastVps, perRound);
    const seen: ReadonlyMap<string, Seen> = await readEach(names, { read, atMs, signal });
    const rounded: Rounded = {
      lastVps: names.at(-1) ?? lastVps,
      everyMs: fleet ? everyMs : null,
      calls: 1 + names.length,
    };
    return { fleet, seen, everyMs, rounded };
  }

  /** Watches of one channel are told one after the other, those of others meanwhile. */
  async function tellAll(watches: readonly Watch[], signal: AbortSignal): Promise<void> {
    const byChannel = Map.groupBy(watches, ({ channel }) => channel);
    await Promise.all(
      [...byChannel.values()].map(async (those) => {
        for (const watch of those) {
          if (signal.aborted) return;
          await tell(watch, signal).catch((error: unknown) => {
            if (signal.aborted) return;
            log.warn({ err: error, watchId: watch.id }, 'a watch could not be told; it is tried again');
          });
        }
      }),
    );
  }

  /** What no other watch can go on without is gone: all of them rest. */
  async function restAll(watches: readonly Watch[]): Promise<void> {
    for (const watch of watches) {
      if (!(await store.pause(watch, 'key', null, now()))) continue;
      await tell.leave(watch, 'it rests, for the API key of this workspace is not accepted');
    }
  }

  return async (round: Round, signal: AbortSignal): Promise<Rounded> => {
    const { teamId } = round;
    const watches = (await store.list(teamId)).filter(({ state }) => state.kind === 'active');
    const unseen: Rounded = { lastVps: round.lastVps, everyMs: null, calls: 0 };
    if (watches.length === 0) return unseen;
    // Rounds begin a minute apart, and so do the readings of one VPS, whenever in its round each is made.
    const nowMs = now();
    const looked = await look(round, watches, nowMs, signal).catch(async (error: unknown) => {
      if (!isKeyLost(error)) throw error;
      await restAll(watches);
      return undefined;
    });
    if (looked) {
      const { fleet, seen, everyMs } = looked;
      signal.throwIfAborted();
      const muted = new Set((await mutes(teamId, now())).map(({ vps }) => vps));
      const isMuted = (vps: string) => muted.has(vps);
      const sight = { fleet, seen, nowMs, everyMs, roundMs: roundEveryMs, isMuted };
      const kept: Watch[] = [];
      for (const watch of watches) {
        const standing = goOn(watch, sight);
        const isSame = JSON.stringify(standing) === JSON.stringify(watch.standing);
        const next = isSame ? watch : await store.keep(watch, standing);
        if (next) kept.push(next);
      }
      await tellAll(kept, signal);
    }
    // Not waited for: the next round must not wait for whoever is told.
    void pauses.tell();
    return looked?.rounded ?? unseen;
  };
}

function isKeyLost(error: unknown): boolean {
  return error instanceof RackhandError && (error.code === 'key_missing' || error.code === 'key_rejected');
}
