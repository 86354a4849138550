import Bottleneck from 'bottleneck';
import type { Lane, SlotLimits } from './lanes.ts';

/** Bottleneck priorities, from 0 (highest) to 9. Slots in use must be counted before any waiting call. */
export const inUsePriority = 0;
export const lanePriorities = { people: 1, background: 5 } as const;

/** Creates a key's Bottleneck limiters: one per lane, and one per caller that runs the caller's calls one at a time. */
export function createLimiters(firstLimits: SlotLimits) {
  let limits = firstLimits;
  let isBlocked = false;
  let isStopped = false;
  let current = create();
  /** Jobs that have begun but not ended. */
  const running = new Set<{ readonly lane: Lane; readonly ended: Promise<void> }>();

  function create() {
    const people = new Bottleneck({ maxConcurrent: limits.all, reservoir: isBlocked ? 0 : null });
    const background = new Bottleneck({ maxConcurrent: limits.background }).chain(people);
    return { people, background, turns: new Map<string, Bottleneck>() };
  }

  /** Schedules a job. If the limiters are replaced before it begins, moves it to the new ones. */
  async function schedule(
    choose: () => Bottleneck,
    priority: number,
    job: () => Promise<void>,
  ): Promise<void> {
    for (;;) {
      const chosen = current;
      try {
        return await choose().schedule({ priority }, job);
      } catch (error) {
        if (isStopped) return;
        if (chosen === current) throw error;
      }
    }
  }

  function stopAll({ turns, background, people }: typeof current): void {
    for (const limiter of [...turns.values(), background, people]) void limiter.stop();
  }

  /** Runs a job once its lane has room. The job must not reject. */
  function run(lane: Lane, priority: number, job: () => Promise<void>): Promise<void> {
    const begin = () => {
      const begun = { lane, ended: job() };
      running.add(begun);
      return begun.ended.finally(() => running.delete(begun));
    };
    return schedule(() => current[lane], priority, begin);
  }

  return {
    run,

    /** Runs a job once the earlier jobs of the same caller have ended. The job must not reject. */
    takeTurn(caller: string, job: () => Promise<void>): Promise<void> {
      const findTurn = () => {
        const turn = current.turns.get(caller) ?? new Bottleneck({ maxConcurrent: 1 });
        current.turns.set(caller, turn);
        return turn;
      };
      return schedule(findTurn, lanePriorities.people, job);
    },

    /** Blocks or unblocks jobs that haven't begun. */
    setBlocked(value: boolean): void {
      isBlocked = value;
      void current.people.updateSettings({ reservoir: isBlocked ? 0 : null });
    },

    /**
     * Replaces the limiters after the limits have changed or the clock was set back. With the old limiters,
     * Bottleneck would start no jobs until the clock had caught up.
     */
    replace(newLimits: SlotLimits): void {
      limits = newLimits;
      const old = current;
      current = create();
      for (const { lane, ended } of running)
        void schedule(
          () => current[lane],
          inUsePriority,
          () => ended,
        );
      stopAll(old);
    },

    stop(): void {
      if (!isStopped) stopAll(current);
      isStopped = true;
    },
  };
}
