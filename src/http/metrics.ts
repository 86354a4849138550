import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { createDependencyMetrics, type DependencyMetrics } from './dependency-metrics.ts';
import { createJobMetrics, type JobMetrics } from './job-metrics.ts';
import { createProcessMetrics } from './process-metrics.ts';
import { createQuotaMetrics, type QuotaMetrics } from './quota-metrics.ts';
import { createRunMetrics, type RunMetrics } from './run-metrics.ts';
import type { Route } from './server.ts';

/**
 * Prometheus metrics served at `/metrics`. Label values come from closed sets and contain no names
 * or secrets.
 */
export interface Metrics {
  /** Counts a settled run. */
  runEnded(outcome: string): void;
  /**
   * Counts a call to the hosting service by HTTP status or, if there was no response, by the
   * reason.
   */
  callEnded(status: string, durationMs: number): void;
  /** Records how long the ack of a Slack delivery took, even if it was too late. */
  acked(kind: string, durationMs: number): void;
  /** Counts a rejected request that claimed to come from Slack. */
  requestRejected(reason: string): void;
  /** Counts a message that couldn't be delivered to Slack. */
  messageGivenUp(kind: string): void;
  /** Counts an error that no other code handled. */
  unhandledError(): void;
  /**
   * Sets the function that returns the number of open connections to Slack. By default, it is 0.
   */
  measureConnections(count: () => number): void;
  /**
   * Sets the function that returns whether changes are refused because the service doesn't answer.
   */
  measureRefusal(isRefusing: () => boolean): void;
  readonly dependencies: DependencyMetrics;
  readonly jobs: JobMetrics;
  readonly quota: QuotaMetrics;
  readonly unsettledRuns: RunMetrics;
  readonly routes: readonly Route[];
}

/** In seconds. Most acks take milliseconds. Slack allows three seconds. */
const ackBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Creates the metrics. Measured values are read again for each request. */
export function createMetrics(): Metrics {
  let countConnections = () => 0;
  let isRefusing = () => false;
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: 'rackhand_runs_total',
    help: 'Settled runs, by outcome.',
    labelNames: ['outcome'],
    registers,
  });
  const calls = new Counter({
    name: 'rackhand_service_calls_total',
    help: 'Calls to the hosting service, by HTTP status or failure.',
    labelNames: ['status'],
    registers,
  });
  const callTimes = new Histogram({
    name: 'rackhand_service_call_seconds',
    help: 'Duration of calls to the hosting service.',
    buckets: callBuckets,
    registers,
  });
  const acks = new Histogram({
    name: 'rackhand_slack_ack_seconds',
    help: 'Time to acknowledge a delivery from Slack.',
    labelNames: ['kind'],
    buckets: ackBuckets,
    registers,
  });
  const rejectedRequests = new Counter({
    name: 'rackhand_slack_refused_total',
    help: 'Rejected requests that claimed to come from Slack, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const unhandledErrors = new Counter({
    name: 'rackhand_unhandled_errors_total',
    help: 'Errors that no code handled. Each is a defect of Rackhand, with its stack in the log.',
    registers,
  });
  const messagesGivenUp = new Counter({
    name: 'rackhand_messages_given_up_total',
    help: "Messages that couldn't be delivered to Slack. Their reasons are in /readyz.",
    labelNames: ['kind'],
    registers,
  });
  const openConnections = new Gauge({
    name: 'rackhand_slack_connections',
    help: 'Open Socket Mode connections.',
    registers,
  });

  const refusing = new Gauge({
    name: 'rackhand_service_changes_refused',
    help: "1 while changes are refused because the hosting service doesn't answer, otherwise 0.",
    registers,
  });

  const dependencyMetrics = createDependencyMetrics(registry);
  const jobMetrics = createJobMetrics(registry);
  const quotaMetrics = createQuotaMetrics(registry);
  const runMetrics = createRunMetrics(registry);
  const processMetrics = createProcessMetrics(registry);

  return {
    dependencies: dependencyMetrics,
    jobs: jobMetrics,
    quota: quotaMetrics,
    unsettledRuns: runMetrics,
    runEnded: (outcome) => runs.inc({ outcome }),
    callEnded(status, durationMs) {
      calls.inc({ status });
      callTimes.observe(durationMs / 1_000);
    },
    acked: (kind, durationMs) => acks.observe({ kind }, durationMs / 1_000),
    requestRejected: (reason) => rejectedRequests.inc({ reason }),
    messageGivenUp: (kind) => messagesGivenUp.inc({ kind }),
    unhandledError: () => unhandledErrors.inc(),
    measureConnections(count) {
      countConnections = count;
    },
    measureRefusal(read) {
      isRefusing = read;
    },
    routes: [
      {
        method: 'GET',
        path: '/metrics',
        async handle(_, response) {
          openConnections.set(countConnections());
          refusing.set(isRefusing() ? 1 : 0);
          processMetrics.refresh();
          await Promise.all([
            dependencyMetrics.refresh(),
            jobMetrics.refresh(),
            quotaMetrics.refresh(),
            runMetrics.refresh(),
          ]);
          response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' });
          response.end(await registry.metrics());
        },
      },
    ],
  };
}
