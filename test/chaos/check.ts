import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import type { RunStatus } from '../../src/db/schema/schema.ts';
import { runStatusLabels } from '../../src/runs/run-status.ts';
import { eventually } from '../eventually.ts';
import { blocksText, type SlackMessage } from '../stack.ts';
import type { World } from './faults.ts';

/** What a message says when it says that it may be a repeat, because the app couldn't look for the first one. */
const repeatNote = 'This may be a repeat';

/** The states of a change that hasn't ended. */
const unfinished = /: (⏳ Queued|⏸️ Waiting|🔄 Running|🔄 In progress(?! when last checked))/;

/** Answers that don't name the VPS of the command. */
const unnamedAnswer =
  /Rackhand (restarted|stopped)|can't reach its database|Too many of your requests are still running/;

const posted = z.looseObject({
  metadata: z.looseObject({ event_payload: z.looseObject({ key: z.string() }) }),
});

const progressSchema = z.looseObject({ isFinished: z.boolean(), isEndUnknown: z.boolean().optional() });

/** What a person sees in the channel and in the direct messages with the app. */
interface Seen {
  readonly user: string;
  readonly channel: readonly SlackMessage[];
  readonly direct: readonly SlackMessage[];
}

async function readSlack(slack: World['slack'], users: readonly string[]): Promise<readonly Seen[]> {
  return Promise.all(
    users.map(async (user) => ({
      user,
      channel: await slack.messages('C0OPS', user),
      direct: await slack.messages(user, user),
    })),
  );
}

/** Returns whether the work that a change has started is still followed. */
function isFollowed({ operation, status, progress }: RunRow): boolean {
  if (operation === 'show' || status !== 'done') return false;
  return progress === null || !progressSchema.parse(JSON.parse(progress)).isFinished;
}

/** Returns what is untrue in Slack: each message must stand there once and in its last state. */
function findUntrueMessages(
  seen: readonly Seen[],
  rows: readonly MessageRow[],
  runs: readonly RunRow[],
): readonly string[] {
  const inChannel = seen[0]?.channel.filter(({ ephemeral }) => !ephemeral) ?? [];
  const all = [...inChannel, ...seen.flatMap(({ direct }) => direct)];
  const byKey = Map.groupBy(all, (message) => posted.safeParse(message).data?.metadata.event_payload.key);
  const unsent = rows.filter(({ due_at: dueAt, problem }) => dueAt !== null || problem !== null);
  const repeated = [...byKey].filter(([key, messages]) => key !== undefined && countFirsts(messages) > 1);
  const changes = runs.filter(({ operation, queued_at }) => operation !== 'show' && queued_at !== null);
  return [
    ...unsent.map(({ key, problem }) => `message ${key} wasn't sent: ${problem ?? 'it is still due'}`),
    ...repeated.map(([key, messages]) => `message ${key} stands ${messages.length} times`),
    ...changes.flatMap((run) => findWrongStates(run, byKey.get(`run:${run.id}`) ?? [])),
    ...all
      .filter(({ text }) => unfinished.test(text))
      .map(({ text }) => `Slack shows “${text}” after everything has ended`),
  ];
}

const countFirsts = (messages: readonly SlackMessage[]) =>
  messages.filter((message) => !blocksText(message).includes(repeatNote)).length;

function findWrongStates(run: RunRow, messages: readonly SlackMessage[]): readonly string[] {
  if (messages.length === 0) return [`run ${run.id} (${run.input}) has no message`];
  return messages
    .filter(({ text }) => !text.includes(toLastState(run)))
    .map(({ text }) => `run ${run.id} is ${toLastState(run)}, but Slack shows “${text}”`);
}

function toLastState({ status, progress }: RunRow): string {
  const isEndUnknown = progress !== null && progressSchema.parse(JSON.parse(progress)).isEndUnknown;
  return status === 'done' && isEndUnknown ? '🔄 In progress when last checked' : runStatusLabels[status];
}

/**
 * Returns the acknowledged commands that nothing in Slack answers. Some answers don't name the VPS, so
 * as many commands of their reader count as answered by them. Otherwise, a command is answered before the next one with its VPS.
 */
function findUnanswered(seen: readonly Seen[], sent: readonly SentCommand[]): readonly SentCommand[] {
  return seen.flatMap(({ user, channel, direct }) => {
    // A notice that Rackhand is still working isn't an answer.
    const answers = [...channel, ...direct].filter(({ text }) => !text.startsWith('⏳'));
    const own = sent
      .filter((command) => command.user === user && command.isAcknowledged)
      .toSorted((a, b) => a.atMs - b.atMs);
    const answerTimes = Map.groupBy(
      answers.flatMap((message) =>
        [...new Set(JSON.stringify(message).match(/VPS-\d+/g))].map((vps) => ({
          vps,
          atMs: Number(message.ts) * 1_000,
        })),
      ),
      ({ vps }) => vps,
    );
    const unnamed = answers.filter(({ text }) => unnamedAnswer.test(text)).length;
    const left = [...Map.groupBy(own, ({ vps }) => vps)].flatMap(([vps, commands]) =>
      commands.filter(({ atMs }, index) => {
        const untilMs = commands[index + 1]?.atMs ?? Number.POSITIVE_INFINITY;
        return !answerTimes.get(vps)?.some((answer) => answer.atMs >= atMs && answer.atMs < untilMs);
      }),
    );
    return left.slice(unnamed);
  });
}

/** How long a replica can take to be ready after the last fault. */
const maxRecoveryMs = 60_000;

export interface SentCommand {
  readonly user: string;
  readonly vps: string;
  readonly isChange: boolean;
  readonly text: string;
  readonly atMs: number;
  readonly isAcknowledged: boolean;
  readonly ackMs: number;
}

export interface ChaosReport {
  readonly violations: readonly string[];
  /** Acknowledged commands that nothing in Slack answers. Their process was killed. */
  readonly unanswered: number;
  readonly commands: number;
  readonly notAcknowledged: number;
  readonly ackP99Ms: number;
  readonly worstMinute: number;
  readonly stops: number;
  readonly slowestStopMs: number;
  readonly settleMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly faults: number;
}

export interface RunRow {
  readonly id: string;
  readonly operation: string;
  readonly target: string | null;
  readonly status: RunStatus;
  readonly owner: string | null;
  readonly input: string;
  readonly queued_at: number | null;
  readonly progress: string | null;
}

export interface MessageRow {
  readonly key: string;
  readonly due_at: number | null;
  /** Why it was given up. */
  readonly problem: string | null;
}

const quota = 50;
const windowMs = 60_000;

/** Queued commands expire after five minutes. The remaining time is for their messages. */
const maxSettleMs = 600_000;

/** A stop takes at most `STOP_GRACE_SECONDS`, which is 5. The remaining time is for a busy machine. */
const maxStopMs = 10_000;

/** A process that is killed at about this time can lose a command that it had acknowledged. */
const lossMarginMs = 3_000;

async function query<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.end();
  }
}

const listRuns = (url: string) =>
  query<RunRow>(
    url,
    `select id, operation, target, status, owner, input, queued_at, progress from run
     where operation in ('show', 'snapshot create')`,
  );

const listMessages = (url: string) => query<MessageRow>(url, 'select key, due_at, problem from message');

/**
 * Resolves when all runs have ended and Slack shows it, or after a time in which they should have.
 * Returns how long that took.
 */
export async function waitUntilSettled(url: string): Promise<number> {
  const startedMs = Date.now();
  while (Date.now() < startedMs + maxSettleMs) {
    const [runs, messages] = await Promise.all([listRuns(url), listMessages(url)]);
    const isSettled = !runs.some((run) => isOpen(run)) && messages.every(({ due_at }) => due_at === null);
    if (isSettled) break;
    await delay(2_000);
  }
  return Date.now() - startedMs;
}

function isOpen(run: RunRow): boolean {
  return ['waiting', 'queued', 'sent'].includes(run.status) || run.owner !== null || isFollowed(run);
}

/** Compares what people have sent with the service's log, the table of runs, and the channel. */
export async function checkWorld(
  { service, slack, fleet }: World,
  databaseUrl: string,
  sent: readonly SentCommand[],
): Promise<Omit<ChaosReport, 'faults' | 'settleMs'>> {
  const violations: string[] = [];
  const users = [...new Set(sent.map(({ user }) => user))];
  const [calls, runs, messages, seen] = await Promise.all([
    service.calls(),
    listRuns(databaseUrl),
    listMessages(databaseUrl),
    readSlack(slack, users),
  ]);

  const worstMinute = findWorstMinute(calls.map(({ at }) => at));
  if (worstMinute > quota) violations.push(`${worstMinute} calls were sent in one minute`);

  for (const run of runs.filter((one) => isOpen(one))) {
    violations.push(`run ${run.id} (${run.operation} ${run.target}) is ${run.status}, owner ${run.owner}`);
  }

  const runsByVps = Map.groupBy(runs, ({ input }) => findVps(input));
  const postsByVps = Map.groupBy(
    calls.filter(({ method }) => method === 'POST'),
    ({ path }) => findVps(path),
  );
  for (const [vps, commands] of Map.groupBy(sent, (command) => command.vps)) {
    const [own, posts] = [runsByVps.get(vps) ?? [], postsByVps.get(vps) ?? []];
    for (const problem of findProblems(commands, own, posts.length))
      violations.push(`"${commands[0]?.text}" ${problem}`);
  }
  violations.push(...findUntrueMessages(seen, messages, runs));
  const unanswered = findUnanswered(seen, sent);
  for (const { text, atMs } of unanswered) {
    if (!isNearGap(atMs, fleet.gaps()))
      violations.push(`"${text}" at ${new Date(atMs).toISOString()} was acknowledged, but not answered`);
  }
  for (const replica of fleet.replicas()) violations.push(...(await checkReplica(replica.url)));
  const stopTimes = fleet.stopTimes();
  const slowestStopMs = Math.round(Math.max(0, ...stopTimes));
  if (slowestStopMs > maxStopMs) violations.push(`a stop took ${slowestStopMs} ms`);

  const acks = sent.filter(({ isAcknowledged }) => isAcknowledged).map(({ ackMs }) => ackMs);
  return {
    violations,
    unanswered: unanswered.length,
    commands: sent.length,
    notAcknowledged: sent.length - acks.length,
    ackP99Ms: acks.toSorted((a, b) => a - b)[Math.floor(acks.length * 0.99)] ?? 0,
    worstMinute,
    stops: stopTimes.length,
    slowestStopMs,
    statuses: countBy(runs.map(({ status }) => status)),
  };
}

const findVps = (text: string) => /VPS-\d+/.exec(text)?.[0];

/** Returns what is wrong with the runs of one change or of the reads of one VPS, and with their calls. */
function findProblems(
  commands: readonly SentCommand[],
  runs: readonly RunRow[],
  postCount: number,
): readonly string[] {
  const [run] = runs;
  const isChange = commands.some((command) => command.isChange);
  const problems: string[] = [];
  if (runs.length > commands.length) problems.push(`has ${runs.length} runs`);
  if (postCount > 1) problems.push(`was sent ${postCount} times`);
  if (!run) return postCount > 0 ? [...problems, 'was sent without a run'] : problems;
  const { status } = run;
  const mustBeSent = isChange && ['done', 'unknown'].includes(status);
  if (mustBeSent && postCount === 0) problems.push(`is ${status}, but wasn't sent`);
  if (['expired', 'refused'].includes(status) && postCount > 0) problems.push(`is ${status}, but was sent`);
  return problems;
}

/** Returns whether a process was killed or frozen around a time. */
function isNearGap(atMs: number, gaps: ReturnType<World['fleet']['gaps']>): boolean {
  return gaps.some(({ fromMs, untilMs }) => atMs > fromMs - lossMarginMs && atMs < untilMs + lossMarginMs);
}

function countBy(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

/** Returns the largest number of calls in any 60 s. */
function findWorstMinute(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b);
  let [first, worst] = [0, 0];
  for (const [index, at] of sorted.entries()) {
    while (at - (sorted[first] ?? 0) >= windowMs) first += 1;
    worst = Math.max(worst, index - first + 1);
  }
  return worst;
}

async function checkReplica(url: string): Promise<readonly string[]> {
  const violations: string[] = [];
  // After the last fault, connections are opened again.
  await eventually(() => assertReady(url), { timeoutMs: maxRecoveryMs }).catch((error: unknown) =>
    violations.push(`${url} isn't ready: ${error}`),
  );
  const metrics = await (await fetch(`${url}/metrics`)).text();
  const errors = Number(/^rackhand_unhandled_errors_total (\d+)/m.exec(metrics)?.[1] ?? 0);
  if (errors > 0) violations.push(`${url} has ${errors} errors that no code handled`);
  return violations;
}

async function assertReady(url: string): Promise<void> {
  const ready = await fetch(`${url}/readyz`);
  if (ready.status !== 200) throw new Error(await ready.text());
}
