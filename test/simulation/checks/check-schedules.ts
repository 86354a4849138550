import type { Selectable } from 'kysely';
import type { PlanTable } from '../../../src/db/schema/plan-table.ts';
import { firstOccurrenceMs, secondOccurrenceMs } from '../simulated-schedules.ts';
import type { World } from '../world.ts';
import { checkCalls } from './check-calls.ts';
import {
  hasClockChange,
  isScheduled,
  listCalls,
  longestFreezeMs,
  type RunRow,
  sendMarginMs,
  toEventMs,
} from './run-rows.ts';

type ScheduleRow = Selectable<PlanTable>;

/** A target begins within 15 minutes of its time, and its call is sent within 5 minutes of that. */
const maxLateMs = 20 * 60_000;

const listSchedules = ({ shared }: World): Promise<ScheduleRow[]> =>
  shared.db.selectFrom('plan').selectAll().where('kind', '=', 'schedule').execute();

/** Returns whether an occurrence is due or has not ended. */
export async function hasUnfinishedSchedules(world: World): Promise<boolean> {
  return (await listSchedules(world)).some(
    ({ state, next_at, occurrence }) =>
      occurrence !== null || (state === 'active' && next_at !== null && next_at <= world.time.wallNow()),
  );
}

/** Each occurrence changes a VPS at most once, in time and with the right, and its end is told. */
export async function checkSchedules(world: World, runs: readonly RunRow[]): Promise<string[]> {
  const schedules = await listSchedules(world);
  return schedules.flatMap((schedule) => {
    const own = runs.filter((run) => isScheduled(run) && run.request_key?.split(':')[1] === schedule.id);
    const byTarget = Map.groupBy(own, ({ request_key }) => request_key?.replace(/:\d+$/, ''));
    const problems = hasClockChange(world)
      ? checkNumbers(world, own)
      : [...byTarget.values()].flatMap((attempts) => checkAttempts(world, attempts));
    return [...problems, ...checkTold(world, schedule), ...checkPause(world, schedule, own)].map(
      (problem) => `${schedule.name} ${problem}`,
    );
  });
}

/** Without times to compare, a VPS is at least not changed more often than there were occurrences. */
function checkNumbers(world: World, runs: readonly RunRow[]): string[] {
  return [...Map.groupBy(runs, ({ target }) => target)].flatMap(([vps, ofVps]) => {
    const calls = listCalls(world, { operation: 'reboot', target: vps });
    const dues = new Set(ofVps.map(({ request_key }) => request_key?.split(':')[2]));
    return calls.length > dues.size ? [`was sent to ${vps} ${calls.length} times`] : [];
  });
}

/** Checks the attempts to change one VPS in one occurrence. Only the last one can send a call. */
function checkAttempts(world: World, attempts: readonly RunRow[]): string[] {
  const sorted = attempts.toSorted((one, other) => one.requested_at - other.requested_at);
  const [first] = sorted;
  if (!first) return [];
  const calls = listCalls(world, first);
  const dueMs = toEventMs(world, Number(first.request_key?.split(':')[2]));
  const own = calls.filter(
    ({ atMs }) => atMs >= dueMs && atMs < dueMs + secondOccurrenceMs - firstOccurrenceMs,
  );
  if (own.length > 1) return [`was sent to ${first.target} ${own.length} times`];
  const last = sorted.at(-1) ?? first;
  const isLate = own.some(({ atMs }) => atMs > dueMs + maxLateMs + sendMarginMs + longestFreezeMs(world));
  return [
    ...sorted.flatMap((run) => checkCalls(world, run, run === last ? own : [])),
    ...(isLate ? [`was sent to ${first.target} too late`] : []),
  ];
}

/** Somebody was told about each occurrence that was due, or that the schedule is paused. */
function checkTold(world: World, { channel, state, paused_reason, spec }: ScheduleRow): string[] {
  if (hasClockChange(world)) return [];
  const told = world.events.flatMap((event) =>
    event.kind === 'scheduleTold' && event.channel === channel ? [event] : [],
  );
  const isPaused = state === 'paused';
  const isPauseTold = paused_reason === 'person' || told.some(({ title }) => title.endsWith('is paused'));
  const { atMs } = JSON.parse(spec).timing;
  const duesMs = atMs === undefined ? [firstOccurrenceMs, secondOccurrenceMs] : [toEventMs(world, atMs)];
  const untold = duesMs.filter(
    (dueMs) =>
      dueMs <= world.time.now() && !told.some((event) => toEventMs(world, event.dueMs ?? 0) === dueMs),
  );
  return [
    ...(isPaused && !isPauseTold ? ['is paused, and nobody was told'] : []),
    ...(isPaused ? [] : untold.map((dueMs) => `told nobody about its occurrence at ${dueMs} ms`)),
  ];
}

/** No target begins after a person has paused the schedule. */
function checkPause(world: World, { id }: ScheduleRow, runs: readonly RunRow[]): string[] {
  const pause = world.events.find((event) => event.kind === 'schedulePaused' && event.scheduleId === id);
  if (!pause || hasClockChange(world)) return [];
  const latestMs = pause.atMs + sendMarginMs + longestFreezeMs(world);
  return runs.some(({ requested_at }) => toEventMs(world, requested_at) > latestMs)
    ? ['began a target after it was paused']
    : [];
}
