import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Route } from './server.ts';

/** Counts what happens, for `/metrics`. Labels come from closed sets: no names, no secrets. */
export interface Metrics {
  /** A run has ended. */
  runEnded(outcome: string): void;
  /** A call of the hosting service has ended: with its status, or a word for why it has none. */
  callEnded(status: string, tookMs: number): void;
  /** A call has waited for its slot of the quota. */
  quotaWaited(lane: string, waitedMs: number): void;
  /** Something that Slack delivered has been acknowledged, or not in time. */
  acked(kind: string, tookMs: number): void;
  /** Something that came in Slack's name was refused. */
  payloadRefused(reason: string): void;
  readonly routes: readonly Route[];
}

/** Bounds in seconds: most acks take milliseconds, and Slack allows three seconds. */
const ackBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 3];
const callBuckets = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
/** A wait for the quota takes as long as its window, or a few. */
const waitBuckets = [0.01, 0.1, 1, 5, 15, 30, 60, 120, 300];

/** Creates the metrics of this process. `connections`: how many connections to Slack are open. */
export function createMetrics({ connections }: { readonly connections: () => number }): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const runs = new Counter({
    name: 'rackhand_runs_total',
    help: 'Runs that have ended, by how.',
    labelNames: ['outcome'],
    registers,
  });
  const calls = new Counter({
    name: 'rackhand_service_calls_total',
    help: 'Calls of the hosting service, by HTTP status, or by why there is none.',
    labelNames: ['status'],
    registers,
  });
  const callTimes = new Histogram({
    name: 'rackhand_service_call_seconds',
    help: 'How long calls of the hosting service took.',
    buckets: callBuckets,
    registers,
  });
  const waits = new Histogram({
    name: 'rackhand_quota_wait_seconds',
    help: 'How long calls waited for a slot of the quota of their API key.',
    labelNames: ['lane'],
    buckets: waitBuckets,
    registers,
  });
  const acks = new Histogram({
    name: 'rackhand_slack_ack_seconds',
    help: 'How long it took to acknowledge what Slack delivered.',
    labelNames: ['kind'],
    buckets: ackBuckets,
    registers,
  });
  const refused = new Counter({
    name: 'rackhand_slack_refused_total',
    help: "Requests in Slack's name that were refused, by why.",
    labelNames: ['reason'],
    registers,
  });
  const open = new Gauge({
    name: 'rackhand_slack_connections',
    help: 'Connections of Socket Mode that are open.',
    registers,
  });

  return {
    runEnded: (outcome) => runs.inc({ outcome }),
    callEnded(status, tookMs) {
      calls.inc({ status });
      callTimes.observe(tookMs / 1_000);
    },
    quotaWaited: (lane, waitedMs) => waits.observe({ lane }, waitedMs / 1_000),
    acked: (kind, tookMs) => acks.observe({ kind }, tookMs / 1_000),
    payloadRefused: (reason) => refused.inc({ reason }),
    routes: [
      {
        method: 'GET',
        path: '/metrics',
        async handle(_, response) {
          response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' });
          open.set(connections());
          response.end(await registry.metrics());
        },
      },
    ],
  };
}
