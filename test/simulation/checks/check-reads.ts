import { stopGraceMs } from '../simulated-process.ts';
import type { TimedEvent, World } from '../world.ts';
import { frozenBetweenMs, type RunRow } from './run-rows.ts';

/** A read is claimed this long after it was delivered, unless processes were frozen, one after another. */
const maxClaimMs = 1_000;

/**
 * Checks that a read which was answered is stored, and that only a crash forgets others, before their claim. A
 * stop also forgets them if another process is frozen in a transaction meanwhile, because the simulated
 * database can't be written then.
 */
export function checkReads(world: World, runs: readonly RunRow[]): string[] {
  const { events } = world;
  const crashes = [...events.filter(({ kind }) => kind === 'crashed'), ...listStopsThatGaveUp(world)];
  const isForgotten = (atMs: number) =>
    crashes.some(
      (crash) =>
        crash.atMs >= atMs && crash.atMs - atMs - frozenBetweenMs(world, atMs, crash.atMs) <= maxClaimMs,
    );
  const requestKeys = new Set(runs.map(({ request_key }) => request_key));
  const ids = new Set(runs.map(({ id }) => id));
  return events.flatMap((event) => {
    if (event.kind === 'read' && !isForgotten(event.atMs) && !requestKeys.has(event.requestKey))
      return [`the read ${event.requestKey} was forgotten`];
    return event.kind === 'told' && !ids.has(event.runId)
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
          stopped.atMs - event.atMs >= stopGraceMs,
      ),
  );
}
