import { type Arrival, ambiguousFaults } from '../outside/hosting-service.ts';
import type { World, WorldEvent } from '../world.ts';
import {
  formatName,
  frozenMs,
  hasClockChange,
  isScheduled,
  makesCall,
  type RunRow,
  sendMarginMs,
  toEventMs,
} from './run-rows.ts';

/** What can happen to a process while it makes a call. */
const interruptions: ReadonlySet<WorldEvent['kind']> = new Set(['crashed', 'frozen', 'stopped']);

const sendDeadlineMs = 5 * 60_000;

/** Checks the calls that arrived for a run against how it ended. */
export function checkCalls(world: World, run: RunRow, arrivals: readonly Arrival[]): string[] {
  const { status } = run;
  const name = formatName(run);
  const problems: string[] = [];
  if (arrivals.length > 1) problems.push(`${name} was sent ${arrivals.length} times`);
  const [arrival] = arrivals;
  if (arrival) problems.push(...checkArrival(world, run, arrival).map((problem) => `${name} ${problem}`));
  const isRefused = arrival?.fault?.startsWith('status:') ?? false;
  if (status === 'done' && (!arrival || arrival.fault)) problems.push(`${name} did not happen`);
  if (status === 'failed' && arrival && !isRefused) problems.push(`${name} may have happened`);
  if ((status === 'refused' || status === 'expired') && arrival) problems.push(`${name} was sent`);
  const isReportedUnknown = world.events.some(
    (event) => event.kind === 'told' && event.runId === run.id && event.status === 'unknown',
  );
  if ((status === 'unknown' || isReportedUnknown) && !isDoubtful(world, run, arrival))
    problems.push(`${name} was reported as unknown, without a reason`);
  return problems;
}

/** Checks that a call was confirmed, approved, permitted and in time. A schedule was confirmed before. */
function checkArrival(world: World, run: RunRow, { atMs, processName }: Arrival): string[] {
  const { user_id, target, queued_at } = run;
  const { events, scenario } = world;
  const about = events.filter((event) => 'vps' in event && event.vps === target && event.atMs <= atMs);
  const problems: string[] = [];
  const confirmed = about.filter(({ kind }) => kind === 'confirmed');
  if (confirmed.length === 0 && !isScheduled(run)) problems.push('was sent without a confirmation');
  const delayMs = sendMarginMs + frozenMs(world, processName);
  const rule = about.find(({ kind }) => kind === 'ruleAdded');
  const isGuarded = rule !== undefined && rule.atMs < atMs - delayMs;
  const approved = about.filter(
    (event) => event.kind === 'approved' && event.userId !== user_id && isPermitted(world, event),
  );
  const isApproved = isScheduled(run) ? scenario.hasApprovedSchedules : approved.length > 0;
  if (isGuarded && !isApproved) problems.push('was sent without an approval');
  const revoked = events.find((event) => event.kind === 'revoked' && event.userId === user_id);
  if (revoked && revoked.atMs < atMs - delayMs) problems.push('was sent for someone without the right');
  const latestMs = toEventMs(world, queued_at ?? 0) + sendDeadlineMs + delayMs;
  if (!hasClockChange(world) && atMs > latestMs) problems.push('was sent too late');
  return problems;
}

function isPermitted({ events }: World, event: { userId: string; atMs: number }): boolean {
  return !events.some(
    (one) => one.kind === 'revoked' && one.userId === event.userId && one.atMs < event.atMs - sendMarginMs,
  );
}

/** Nobody can know how a call ended if it was ambiguous, or if its process ended or was frozen. */
function isDoubtful(world: World, run: RunRow, arrival: Arrival | undefined): boolean {
  if (!makesCall(run) || hasClockChange(world)) return true;
  if (!arrival) return world.events.some(({ kind }) => interruptions.has(kind));
  return (
    ambiguousFaults.has(arrival.fault) ||
    world.events.some(
      (event) =>
        interruptions.has(event.kind) && 'processName' in event && event.processName === arrival.processName,
    )
  );
}
