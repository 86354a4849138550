import { performance } from 'node:perf_hooks';
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };
import { withTimeout } from '../with-timeout.ts';
import type { Route } from './server.ts';

type CountByLane = Readonly<Record<'people' | 'background', number>>;

/** Functions that are called for each request to `/metrics`. */
interface MeasuredParts {
  /** Open connections to Slack. */
  readonly connections: () => number;
  /** Whether changes are refused because the hosting service doesn't answer. */
  readonly refusesChanges: () => boolean;
  /** This process's calls that use a quota slot or wait for one. */
  readonly quota: () => { readonly used: CountByLane; readonly waiting: CountByLane };
  /** Connections to PostgreSQL, and queries that wait for one. */
  readonly pool: () => Readonly<Record<'open' | 'idle' | 'waiting', number>>;
  readonly jobs: () => Promise<{
    readonly due: ReadonlyMap<string, number>;
    readonly running: ReadonlyMap<string, number>;
    readonly deadLettered: readonly { readonly kind: string; readonly count: number }[];
  }>;
  readonly unsettledRuns: () => Promise<readonly UnsettledRuns[]>;
}

/** The number and age of unsettled runs with the same status. */
interface UnsettledRuns {
  readonly status: string;
  readonly count: number;
  /** How long ago the oldest run was requested. */
  readonly oldestAgeMs: number;
}

/** Prometheus metrics served at `/metrics`. Label values come from closed sets and contain no names or secrets. */
export interface Metrics {
  runEnded(outcome: string): void;
  /** Counts a call to the hosting service by HTTP status or, if there was no response, by the reason. */
  callEnded(status: string, durationMs: number): void;
  /** Records how long a call waited for its slot. */
  quotaWaited(lane: string, waitedMs: number): void;
  /** Records how long the ack of a Slack delivery took, even if it was too late. */
  acked(kind: string, durationMs: number): void;
  /** Counts a rejected request that claimed to come from Slack. */
  requestRejected(reason: string): void;
  /** Counts a call to Slack's Web API by its result: `ok`, `ratelimited`, Slack's error code, or `failed`. */
  slackCalled(method: string, result: string): void;
  /** Counts a delivery that Slack sent again because it wasn't acknowledged in time. */
  redelivered(kind: string): void;
  /** Counts a message that couldn't be delivered to Slack. */
  messageGivenUp(kind: string): void;
  queryFailed(): void;
  unhandledError(): void;
  /** Counts the events of background jobs. */
  readonly jobs: {
    started(kind: string, latenessMs: number): void;
    retried(kind: string): void;
    deadLettered(kind: string): void;
  };
  /** Adds functions to call for each request to `/metrics`. */
  measure(parts: Partial<MeasuredParts>): void;
  readonly routes: readonly Route[];
}

/** Histogram buckets in seconds. Most acks take milliseconds, and Slack allows three seconds. */
const ackBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** Histogram buckets in seconds. A wait can span several quota windows of 60 s. */
const waitBuckets = [0.01, 0.1, 1, 5, 15, 30, 60, 120, 300];
const latenessBuckets = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/** How long the database can take to answer before its metrics are left out. */
const readTimeoutMs = 2_000;

/** Statuses of runs that haven't ended. A status without runs is shown as 0. */
const unsettledStatuses = ['waiting', 'queued', 'sent'] as const;

/** Creates the metrics. The process metrics are defined here, because prom-client's own would wake an idle process. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const counter = (name: string, help: string, ...labelNames: string[]) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string, ...labelNames: string[]) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = (name: string, help: string, buckets: number[], ...labelNames: string[]) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const runs = counter('rackhand_runs_total', 'Settled runs, by outcome.', 'outcome');
  const calls = counter(
    'rackhand_service_calls_total',
    'Calls to the hosting service, by HTTP status or failure.',
    'status',
  );
  const callTimes = histogram(
    'rackhand_service_call_seconds',
    'Duration of calls to the hosting service.',
    callBuckets,
  );
  const quotaWaits = histogram(
    'rackhand_quota_wait_seconds',
    "Time that calls waited for a slot of their API key's quota.",
    waitBuckets,
    'lane',
  );
  const acks = histogram(
    'rackhand_slack_ack_seconds',
    'Time to acknowledge a delivery from Slack.',
    ackBuckets,
    'kind',
  );
  const rejectedRequests = counter(
    'rackhand_slack_refused_total',
    'Rejected requests that claimed to come from Slack, by reason.',
    'reason',
  );
  const slackCalls = counter(
    'rackhand_slack_calls_total',
    "Calls to Slack's Web API, by method and result. A result is ok, ratelimited, Slack's error, or failed.",
    'method',
    'result',
  );
  const redeliveries = counter(
    'rackhand_slack_redelivered_total',
    'Deliveries that Slack sent again because they were not acknowledged in time.',
    'kind',
  );
  const messagesGivenUp = counter(
    'rackhand_messages_given_up_total',
    "Messages that couldn't be delivered to Slack. Their reasons are in /readyz.",
    'kind',
  );
  const failedQueries = counter(
    'rackhand_database_errors_total',
    'Queries that failed, including those that could not reach the database.',
  );
  const unhandledErrors = counter(
    'rackhand_unhandled_errors_total',
    'Errors that no code handled. Each is a bug in Rackhand. The log has its stack trace.',
  );
  const lateness = histogram(
    'rackhand_job_lateness_seconds',
    'How long after their due time background jobs were started.',
    latenessBuckets,
    'kind',
  );
  const retries = counter('rackhand_job_retries_total', 'Failed attempts at background jobs.', 'kind');
  const deadLetteredTotal = counter(
    'rackhand_jobs_dead_lettered_total',
    'Background jobs that were dead-lettered.',
    'kind',
  );

  const gauges = {
    connections: gauge('rackhand_slack_connections', 'Open Socket Mode connections.'),
    refusing: gauge(
      'rackhand_service_changes_refused',
      "1 while changes are refused because the hosting service doesn't answer, otherwise 0.",
    ),
    pool: gauge(
      'rackhand_database_pool',
      'Connections to PostgreSQL that are open and idle, and queries that wait for one.',
      'state',
    ),
    quotaUsed: gauge('rackhand_quota_used', 'Quota slots that calls in this process use.', 'lane'),
    quotaWaiting: gauge(
      'rackhand_quota_waiting',
      'Calls in this process that are waiting for a quota slot.',
      'lane',
    ),
    jobsDue: gauge(
      'rackhand_jobs_due',
      'Background jobs that are due and that no process has claimed.',
      'kind',
    ),
    jobsRunning: gauge('rackhand_jobs_running', 'Background jobs that this process is running.', 'kind'),
    jobsDeadLettered: gauge(
      'rackhand_jobs_dead_lettered',
      "Background jobs that this version can't run. Their reasons are in /readyz.",
      'kind',
    ),
    unsettledRuns: gauge(
      'rackhand_runs_unsettled',
      'Runs that have not ended, in the whole installation.',
      'status',
    ),
    oldestRun: gauge('rackhand_run_oldest_seconds', 'Age of the oldest run that has not ended.', 'status'),
    busy: gauge(
      'rackhand_event_loop_utilization',
      'Share of the time since the previous scrape in which the event loop was busy, 0 to 1.',
    ),
    memory: gauge(
      'process_resident_memory_bytes',
      'Memory of this process, not including the one that draws charts.',
    ),
  };
  gauge('process_start_time_seconds', 'When this process started, in seconds since 1970.').set(
    performance.timeOrigin / 1_000,
  );
  gauge('rackhand_build_info', 'Always 1. The labels say which version runs.', 'version', 'node').set(
    { version: manifest.version, node: process.versions.node },
    1,
  );

  let parts: Partial<MeasuredParts> = {};
  let previousLoop = performance.eventLoopUtilization();

  async function measureAll(): Promise<void> {
    const loop = performance.eventLoopUtilization();
    const [jobs, unsettled] = await Promise.all([readInTime(parts.jobs), readInTime(parts.unsettledRuns)]);
    fill(gauges.jobsDue, 'kind', jobs?.due ?? []);
    fill(gauges.jobsRunning, 'kind', jobs?.running ?? []);
    fill(gauges.jobsDeadLettered, 'kind', jobs?.deadLettered.map(({ kind, count }) => [kind, count]) ?? []);
    const ofStatus = (read: (runs: UnsettledRuns) => number) =>
      unsettledStatuses.map((status) => {
        const found = unsettled?.find((one) => one.status === status);
        return [status, found ? read(found) : 0] as const;
      });
    fill(gauges.unsettledRuns, 'status', unsettled ? ofStatus(({ count }) => count) : []);
    fill(gauges.oldestRun, 'status', unsettled ? ofStatus(({ oldestAgeMs }) => oldestAgeMs / 1_000) : []);
    const quota = parts.quota?.();
    fill(gauges.quotaUsed, 'lane', Object.entries(quota?.used ?? {}));
    fill(gauges.quotaWaiting, 'lane', Object.entries(quota?.waiting ?? {}));
    fill(gauges.pool, 'state', Object.entries(parts.pool?.() ?? {}));
    gauges.connections.set(parts.connections?.() ?? 0);
    gauges.refusing.set(parts.refusesChanges?.() ? 1 : 0);
    gauges.busy.set(performance.eventLoopUtilization(loop, previousLoop).utilization);
    gauges.memory.set(process.memoryUsage.rss());
    previousLoop = loop;
  }

  return {
    runEnded: (outcome) => runs.inc({ outcome }),
    callEnded(status, durationMs) {
      calls.inc({ status });
      callTimes.observe(durationMs / 1_000);
    },
    quotaWaited: (lane, waitedMs) => quotaWaits.observe({ lane }, waitedMs / 1_000),
    acked: (kind, durationMs) => acks.observe({ kind }, durationMs / 1_000),
    requestRejected: (reason) => rejectedRequests.inc({ reason }),
    slackCalled: (method, result) => slackCalls.inc({ method, result }),
    redelivered: (kind) => redeliveries.inc({ kind }),
    messageGivenUp: (kind) => messagesGivenUp.inc({ kind }),
    queryFailed: () => failedQueries.inc(),
    unhandledError: () => unhandledErrors.inc(),
    jobs: {
      started: (kind, latenessMs) => lateness.observe({ kind }, latenessMs / 1_000),
      retried: (kind) => retries.inc({ kind }),
      deadLettered: (kind) => deadLetteredTotal.inc({ kind }),
    },
    measure(added) {
      parts = { ...parts, ...added };
    },
    routes: [
      {
        method: 'GET',
        path: '/metrics',
        async handle(_, response) {
          await measureAll();
          response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' });
          response.end(await registry.metrics());
        },
      },
    ],
  };
}

/** Replaces a gauge's values. Values with the same label are added up. */
function fill(gauge: Gauge, label: string, values: Iterable<readonly [string, number]>): void {
  gauge.reset();
  for (const [name, value] of values) gauge.inc({ [label]: name }, value);
}

/** Reads from the database. Resolves to undefined if the read fails or takes too long. */
async function readInTime<Values>(read: (() => Promise<Values>) | undefined): Promise<Values | undefined> {
  return withTimeout<Values | undefined>(
    read?.() ?? Promise.resolve(undefined),
    readTimeoutMs,
    () => undefined,
  ).catch(() => undefined);
}
