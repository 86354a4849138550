import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { eventually } from '../eventually.ts';
import type { World } from './faults.ts';

/** How long a replica can take to be ready after the last fault. */
const maxRecoveryMs = 60_000;

export interface SentCommand {
  readonly vps: string;
  readonly isChange: boolean;
  readonly text: string;
  readonly atMs: number;
  readonly isAcknowledged: boolean;
  readonly ackMs: number;
}

export interface ChaosReport {
  readonly violations: readonly string[];
  /** Acknowledged commands that left no run. */
  readonly lost: number;
  /** How often a person was told that the database can't be reached. */
  readonly outageNotices: number;
  readonly commands: number;
  readonly notAcknowledged: number;
  readonly ackP99Ms: number;
  readonly worstMinute: number;
  readonly slowestStopMs: number;
  readonly statuses: Readonly<Record<string, number>>;
  readonly faults: number;
}

interface RunRow {
  readonly id: string;
  readonly operation: string;
  readonly target: string | null;
  readonly status: string;
  readonly owner: string | null;
  readonly input: string;
}

const quota = 50;
const windowMs = 60_000;
const maxSettleMs = 240_000;

/** A stop takes at most the grace period of 25 s plus 3 s. The remaining time is for a busy machine. */
const maxStopMs = 40_000;

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
    `select id, operation, target, status, owner, input from run where operation in ('show', 'snapshot create')`,
  );

/** Resolves when all runs have ended and were reported, or after a time in which they should have. */
export async function waitUntilSettled(url: string): Promise<void> {
  const untilMs = Date.now() + maxSettleMs;
  while (Date.now() < untilMs) {
    const open = (await listRuns(url)).filter((run) => isOpen(run));
    if (open.length === 0) return;
    await delay(500);
  }
}

function isOpen({ status, owner }: RunRow): boolean {
  return ['waiting', 'queued', 'sent'].includes(status) || owner !== null;
}

/** Compares what people have sent with the service's log, the table of runs, and the channel. */
export async function checkWorld(
  { service, slack, fleet }: World,
  databaseUrl: string,
  sent: readonly SentCommand[],
): Promise<Omit<ChaosReport, 'faults'>> {
  const violations: string[] = [];
  const [calls, runs, messages] = await Promise.all([
    service.calls(),
    listRuns(databaseUrl),
    slack.messages(),
  ]);

  const worstMinute = findWorstMinute(calls.map(({ at }) => at));
  if (worstMinute > quota) violations.push(`${worstMinute} calls were sent in one minute`);

  for (const run of runs.filter((one) => isOpen(one))) {
    violations.push(`run ${run.id} (${run.operation} ${run.target}) is ${run.status}, owner ${run.owner}`);
  }

  // A notice that Rackhand is still working isn't an answer.
  const texts = messages.map(({ text }) => text).filter((text) => !text.startsWith('⏳'));
  const lost = sent.filter(
    ({ vps, isAcknowledged }) => isAcknowledged && !runs.some((run) => isAbout(run, vps)),
  );
  for (const command of sent) {
    const { vps, text } = command;
    const posts = calls.filter(({ method, path }) => method === 'POST' && path.includes(`/${vps}/`));
    const own = runs.filter((run) => isAbout(run, vps));
    for (const problem of findProblems(command, own, posts.length)) violations.push(`"${text}" ${problem}`);
  }
  // An interrupted run is reported without the name of its VPS, so such reports are counted.
  const untold = sent.filter(
    ({ vps }) => runs.some((run) => isAbout(run, vps)) && !texts.some((text) => text.includes(vps)),
  );
  const unnamed = texts.filter((text) => /Rackhand (restarted|stopped)|can't reach its database/.test(text));
  if (untold.length > unnamed.length) {
    violations.push(`nothing in the channel tells of ${untold.map(({ text }) => `"${text}"`).join(', ')}`);
  }
  const excused = lost.filter(({ atMs }) => isNearGap(atMs, fleet.gaps())).length;
  // A person whose command can't be stored is told so, without the VPS's name.
  const outageNotices = texts.filter((text) => text.includes("can't reach its database")).length;
  if (lost.length > excused + outageNotices) {
    violations.push(
      `${lost.length} acknowledged commands left no run; ${outageNotices} people were told, ${excused} went with a killed process: ${lost.map(({ text, atMs }) => `${text} at ${new Date(atMs).toISOString()}`).join(', ')}`,
    );
  }
  for (const replica of fleet.replicas()) violations.push(...(await checkReplica(replica.url)));
  const stopTimes = fleet.stopTimes();
  const slowestStopMs = Math.round(Math.max(0, ...stopTimes));
  if (slowestStopMs > maxStopMs) violations.push(`a stop took ${slowestStopMs} ms`);

  const acks = sent.filter(({ isAcknowledged }) => isAcknowledged).map(({ ackMs }) => ackMs);
  return {
    violations,
    lost: lost.length,
    outageNotices,
    commands: sent.length,
    notAcknowledged: sent.length - acks.length,
    ackP99Ms: acks.toSorted((a, b) => a - b)[Math.floor(acks.length * 0.99)] ?? 0,
    worstMinute,
    slowestStopMs,
    statuses: countBy(runs.map(({ status }) => status)),
  };
}

const isAbout = ({ input }: RunRow, vps: string) => input.includes(`"${vps}"`);

/** Returns what is wrong with the runs of one command, and with its calls. */
function findProblems(
  { isChange }: SentCommand,
  runs: readonly RunRow[],
  postCount: number,
): readonly string[] {
  const [run] = runs;
  const problems: string[] = [];
  if (runs.length > 1) problems.push(`has ${runs.length} runs`);
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
