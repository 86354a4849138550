import type { World } from '../world.ts';
import { checkBatches } from './check-batches.ts';
import { checkCalls } from './check-calls.ts';
import { checkMessages, hasUnsentMessages } from './check-messages.ts';
import { checkReads } from './check-reads.ts';
import { checkReports } from './check-reports.ts';
import { checkRestores } from './check-restores.ts';
import { checkSchedules, hasUnfinishedSchedules } from './check-schedules.ts';
import { formatName, isScheduled, listCalls, listRuns, makesCall, type RunRow } from './run-rows.ts';

const openStatuses = ['waiting', 'queued', 'sent'];

const windowMs = 60_000;

/** Longest wait of a person while another one has 38 calls in the queue, which take seven windows. */
const maxCompetitorWaitMs = 4 * windowMs;

/** Returns whether any run or schedule must still be settled or reported. Ignored cards can wait. */
export async function hasUnfinishedWork(world: World): Promise<boolean> {
  const isUnfinished = ({ status, owner, not_after, batch_id, settled_at }: RunRow) =>
    // The message of a batch reports its runs.
    (owner !== null && (batch_id === null || settled_at === null)) ||
    (status === 'waiting' && (world.scenario.waitsForExpiry || (not_after ?? 0) <= world.time.wallNow()));
  return (
    (await listRuns(world)).some(isUnfinished) ||
    (await hasUnsentMessages(world)) ||
    hasUnfinishedSchedules(world)
  );
}

/** Returns which guarantees did not hold. */
export async function check(world: World): Promise<string[]> {
  const runs = await listRuns(world);
  return [
    ...runs.flatMap((run) => checkRun(world, run)),
    ...(await checkStatusChanges(world)),
    ...checkQuota(world),
    ...checkReads(world, runs),
    ...(await checkMessages(world, runs)),
    ...(await checkReports(world)),
    ...(await checkBatches(world, runs)),
    ...checkRestores(world, runs),
    ...(await checkSchedules(world, runs)),
    ...checkCompetition(world),
    ...world.events.flatMap((event) =>
      event.kind === 'failed' && isUnexpected(event.message) ? [event.message] : [],
    ),
  ];
}

/** Errors of the service are expected. Errors of Rackhand's own code aren't. */
function isUnexpected(message: string): boolean {
  return /TypeError|ReferenceError|SqliteError|SQLITE|UNIQUE|unhandled/.test(message);
}

function checkRun(world: World, run: RunRow): string[] {
  const { id, status } = run;
  const name = formatName(run);
  const problems: string[] = [];
  if (openStatuses.includes(status) && !isIgnoredCard(world, run)) problems.push(`${name} has not ended`);
  if (run.settled_at !== null && run.batch_id === null && !wasReported(world, run))
    problems.push(`${name}: nobody was told`);
  if (!makesCall(run)) return problems;
  if (!isScheduled(run)) problems.push(...checkCalls(world, run, listCalls(world, run)));
  const hasRunTwice = world.events.filter((one) => one.kind === 'asked' && one.runId === id).length > 20;
  if (hasRunTwice) problems.push(`${name} was asked about too often`);
  return problems;
}

/** A card that nobody has clicked, and that hasn't expired yet. */
function isIgnoredCard(world: World, { status, not_after }: RunRow): boolean {
  return status === 'waiting' && (not_after ?? 0) > world.time.wallNow() - 60_000;
}

/** Returns whether a message or reply said how a run ended. A card itself says that it expired or was cancelled. */
function wasReported({ events, slack }: World, run: RunRow): boolean {
  // An admin is told about a message that can't be delivered, which `checkMessages` checks.
  if (slack.isRemoved() || slack.isDeactivated(run.user_id)) return true;
  const { id, operation, status, queued_at } = run;
  // A schedule that Rackhand paused. `checkSchedules` checks that its channel was told.
  if (operation === 'schedule pause') return true;
  const about = events.filter((event) => 'runId' in event && event.runId === id);
  const told = about.filter((event) => event.kind === 'told');
  if (told.some((event) => event.status === 'reply' || event.status === status)) return true;
  // The message about an occurrence reports a run that was refused. `checkSchedules` checks it.
  if (isScheduled(run) && queued_at === null) return true;
  if (queued_at !== null) return false;
  const cards = about.filter(({ kind }) => kind === 'asked' || kind === 'checking');
  // A card that was replaced while its click was checked has no button that could say so.
  if (status === 'expired') return cards.at(-1)?.kind === 'asked';
  return status === 'refused' && cards.length > 0;
}

/** Nobody waits behind all calls of another person. */
function checkCompetition({ events }: World): string[] {
  return events.flatMap((event) =>
    event.kind === 'competed' && (event.waitMs ?? Infinity) > maxCompetitorWaitMs
      ? [`a person waited ${event.waitMs ?? 'for ever'} ms behind another one`]
      : [],
  );
}

async function checkStatusChanges({ shared }: World): Promise<string[]> {
  const isAllowed = (from: string, to: string) =>
    openStatuses.includes(from) || (from === 'unknown' && (to === 'done' || to === 'failed'));
  return (await shared.listStatusChanges())
    .filter(({ old_status, new_status }) => !isAllowed(old_status, new_status))
    .map(({ run_id, old_status, new_status }) => `run ${run_id} went from ${old_status} to ${new_status}`);
}

/** Checks that no window of 60 s contains more calls of a key than its quota. */
function checkQuota({ service, scenario: { quota } }: World): string[] {
  const problems: string[] = [];
  for (const [key, calls] of Map.groupBy(service.arrivals, (arrival) => arrival.key)) {
    const times = calls.map(({ atMs }) => atMs).sort((a, b) => a - b);
    const above = times.find((atMs, index) => (times[index + quota] ?? Infinity) < atMs + windowMs);
    if (above !== undefined) problems.push(`${key}: more than ${quota} calls in 60 s, from ${above} ms on`);
  }
  return problems;
}
