import type { TimedEvent, World } from '../world.ts';
import { longestFreezeMs, type RunRow } from './run-rows.ts';

/** A read is written this long after it began or was answered, unless its process was frozen. */
const maxBufferedMs = 1_000;

/** A stop that takes this long has given up. */
const longestStopMs = 28_000;

/**
 * Checks that only a crash forgets reads, and only the newest ones. A stop also forgets them if another process
 * is frozen in a transaction meanwhile, because the simulated database can't be written then.
 */
export function checkReads(world: World, runs: readonly RunRow[]): string[] {
  const { events, scenario } = world;
  const crashes = [...events.filter(({ kind }) => kind === 'crashed'), ...listStopsThatGaveUp(world)];
  const maxMs = maxBufferedMs + longestFreezeMs(world);
  const isForgotten = (atMs: number) =>
    crashes.some((crash) => crash.atMs >= atMs && crash.atMs <= atMs + maxMs);
  const requestKeys = new Set(runs.map(({ request_key }) => request_key));
  const ids = new Set(runs.map(({ id }) => id));
  return events.flatMap((event) => {
    if (isForgotten(event.atMs)) return [];
    if (event.kind === 'read' && !requestKeys.has(event.requestKey))
      return [`the read ${event.requestKey} was forgotten`];
    // Two processes can answer the same read at the same time. Only one row is stored then.
    return event.kind === 'told' && scenario.processCount === 1 && !ids.has(event.runId)
      ? [`run ${event.runId} was answered, but isn't stored`]
      : [];
  });
}

function listStopsThatGaveUp({ events }: World): readonly TimedEvent[] {
  return events.filter(
    (stopped) =>
      stopped.kind === 'stopped' &&
      events.some(
        (event) =>
          event.kind === 'stopping' &&
          event.processName === stopped.processName &&
          stopped.atMs - event.atMs >= longestStopMs,
      ),
  );
}
