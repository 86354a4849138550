import type { Selectable } from 'kysely';
import type { PlanTable } from '../../../src/db/schema/plan-table.ts';
import type { Schema } from '../../../src/db/schema/schema.ts';
import { toRunMessageKey } from '../../../src/runs/run-messages.ts';
import { toRunText } from '../outside/render-text.ts';
import type { SlackPost } from '../outside/slack.ts';
import { stopGraceMs } from '../simulated-process.ts';
import { maxReportLateMs, secondReportMs } from '../simulated-reports.ts';
import { firstOccurrenceMs, secondOccurrenceMs } from '../simulated-schedules.ts';
import type { TimedEvent, World } from '../world.ts';
import { checkBatches } from './check-batches.ts';
import { checkCalls } from './check-calls.ts';
import {
  formatName,
  frozenBetweenMs,
  frozenMs,
  hasClockChange,
  isScheduled,
  listCalls,
  listRuns,
  longestFreezeMs,
  makesCall,
  type RunRow,
  sendMarginMs,
  toEventMs,
} from './run-rows.ts';

/** A read is claimed this long after it was delivered, unless processes were frozen, one after another. */
const maxClaimMs = 1_000;

/**
 * Checks that a read which was answered is stored, and that only a crash forgets others, before their claim. A
 * stop also forgets them if another process is frozen in a transaction meanwhile, because the simulated
 * database can't be written then.
 */
function checkReads(world: World, runs: readonly RunRow[]): string[] {
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

/** Each occurrence has its message, in time. `checkMessages` checks that people see each of them once. */
async function checkReports({ shared, scenario, time, slack }: World): Promise<string[]> {
  if (scenario.hasClockChange) return [];
  const messages = await shared.db.selectFrom('message').selectAll().where('kind', '=', 'report').execute();
  const startedMs = time.wallNow() - time.now();
  const dueMsOf = (key: string) => Number(key.split(':')[2]) - startedMs;
  const [first, second] = [
    messages.filter(({ key }) => dueMsOf(key) < secondReportMs - 60_000),
    messages.filter(({ key }) => Math.abs(dueMsOf(key) - secondReportMs) < 60_000),
  ];
  const lost = scenario.reportCount - first.length;
  const isLate = ({ key }: { key: string }) =>
    slack.posts.some((post) => post.key === key && post.postedMs > secondReportMs + maxReportLateMs);
  const punctual = second.filter((message) => !isLate(message)).length;
  return [
    ...(lost === 0 ? [] : [`${lost} of ${scenario.reportCount} reports lost their first occurrence`]),
    ...(punctual === scenario.reportCount
      ? []
      : [`${punctual} of ${scenario.reportCount} reports came on time at the end`]),
  ];
}

/** Checks each restore that waits for another snapshot against its parts and the calls that arrived. */
function checkRestores(world: World, runs: readonly RunRow[]): string[] {
  return runs
    .filter(
      ({ operation, input }) => operation === 'snapshot restore' && JSON.parse(input).snapshotFirst === 'yes',
    )
    .flatMap((whole) => {
      const parts = runs.filter(({ batch_id }) => batch_id === whole.id);
      const problems = [...checkParts(whole, parts), ...checkOrder(world, whole), ...checkStop(world, whole)];
      return problems.map((problem) => `the restore of ${whole.target} (${whole.status}) ${problem}`);
    });
}

/** The whole ends like the restore, and it takes at most one snapshot. */
function checkParts({ status }: RunRow, parts: readonly RunRow[]): string[] {
  const [snapshot, ...otherSnapshots] = parts.filter(({ operation }) => operation === 'snapshot create');
  const [change, ...otherChanges] = parts.filter(({ operation }) => operation === 'snapshot restore');
  const problems: string[] = [];
  if (otherSnapshots.length + otherChanges.length > 0) problems.push('has a part twice');
  if (change && snapshot?.status !== 'done') problems.push('began without its snapshot');
  if (status === 'done' && change?.status !== 'done') problems.push('did not happen');
  if (status === 'unknown' && !change) problems.push('lost its parts');
  if ((status === 'refused' || status === 'expired') && !change && snapshot) problems.push('has a part');
  return problems;
}

/** Nothing is restored before the snapshot is complete, or if it is broken. */
function checkOrder(world: World, { operation, target }: RunRow): string[] {
  return listCalls(world, { operation, target })
    .filter(({ atMs }) => !world.service.snapshots.hasComplete(target ?? '', atMs))
    .map(() => 'was sent without a complete snapshot');
}

function checkStop(world: World, { id, operation, target }: RunRow): string[] {
  const stop = world.events.find((event) => event.kind === 'batchStopped' && event.runId === id);
  if (!stop) return [];
  return listCalls(world, { operation, target })
    .filter(({ atMs, processName }) => atMs > stop.atMs + sendMarginMs + frozenMs(world, processName))
    .map(() => 'was sent after it was stopped');
}

type MessageRow = Selectable<Schema['message']>;

const listMessages = ({ shared }: World): Promise<MessageRow[]> =>
  shared.db.selectFrom('message').selectAll().execute();

/** Returns whether a message must still be sent. */
async function hasUnsentMessages(world: World): Promise<boolean> {
  return (await listMessages(world)).some(({ due_at }) => due_at !== null);
}

/** Each message stands once, in its last state, where people can read it. Otherwise, somebody was told. */
async function checkMessages(world: World, runs: readonly RunRow[]): Promise<string[]> {
  const messages = await listMessages(world);
  const problems = messages.flatMap((message) => [
    ...checkCopies(world, message),
    ...checkGivenUp(world, message),
  ]);
  const late = messages.filter(({ due_at }) => due_at !== null);
  return [
    ...problems,
    ...late.map(({ key }) => `message ${key} is still to be sent`),
    ...runs.flatMap((run) => checkRunMessage(world, messages, run)),
  ];
}

/** How long a call to Slack usually takes. */
const callMs = 1_000;

/** Nobody can be told after the app was removed. */
const canTell = ({ slack }: World) => !slack.isRemoved();

function checkRunMessage(world: World, messages: readonly MessageRow[], run: RunRow): string[] {
  const key = toRunMessageKey(run.id);
  const message = messages.find((one) => one.key === key);
  const isPublic = run.batch_id === null && run.title !== null && run.queued_at !== null;
  if (!isPublic || run.settled_at === null || !canTell(world)) return [];
  if (!message) return [`${formatName(run)} has no message`];
  if (message.given_up_at !== null) return [];
  // Another post of this message says that it may be a repeat, which `checkCopies` checks.
  const shown = world.slack.posts.find((post) => post.ts === message.ts && !post.isDeleted);
  const wanted = toRunText({ status: run.status, progress: run.progress && JSON.parse(run.progress) });
  return shown?.text === wanted ? [] : [`${formatName(run)}: its message says ${shown?.text}, not ${wanted}`];
}

/** The person or an admin knows that a message couldn't be delivered. */
function checkGivenUp(world: World, { key, problem, given_up_at }: MessageRow): string[] {
  if (given_up_at === null || !canTell(world)) return [];
  const isTold = world.slack.posts.some((post) => post.key.startsWith(`undeliverable:${key}:`));
  return isTold ? [] : [`message ${key} was given up (${problem}), and nobody was told`];
}

/** A message doesn't stand twice, unless the second one says that it may be a repeat. */
function checkCopies(world: World, { key }: MessageRow): string[] {
  const { slack } = world;
  const copies = slack.posts.filter(
    (post) => post.key === key && !post.isDeleted && !slack.isArchived(post.channel),
  );
  if (copies.some((copy) => isOfLostProcess(world, copy))) return [];
  const unmarked = copies.filter(({ mayRepeat }) => !mayRepeat).length;
  return unmarked > 1 ? [`message ${key} stands ${unmarked} times`] : [];
}

/** Only a process that was frozen posts after another one has, and it deletes its copy unless it then crashes. */
function isOfLostProcess({ events }: World, { postedMs }: SlackPost): boolean {
  const hasFrozen = (name: string) =>
    events.some((event) => event.kind === 'frozen' && event.processName === name && event.atMs < postedMs);
  return events.some(
    (event) =>
      event.kind === 'crashed' && Math.abs(event.atMs - postedMs) <= callMs && hasFrozen(event.processName),
  );
}

type ScheduleRow = Selectable<PlanTable>;

/** A target begins within 15 minutes of its time, and its call is sent within 5 minutes of that. */
const maxLateMs = 20 * 60_000;

const listSchedules = ({ shared }: World): Promise<ScheduleRow[]> =>
  shared.db.selectFrom('plan').selectAll().where('kind', '=', 'schedule').execute();

/** Returns whether an occurrence is due or has not ended. */
async function hasUnfinishedSchedules(world: World): Promise<boolean> {
  return (await listSchedules(world)).some(
    ({ state, next_at, occurrence }) =>
      occurrence !== null || (state === 'active' && next_at !== null && next_at <= world.time.wallNow()),
  );
}

/** Each occurrence changes a VPS at most once, in time and with the right, and its end is told. */
async function checkSchedules(world: World, runs: readonly RunRow[]): Promise<string[]> {
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
