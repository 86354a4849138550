import { Counter, Gauge, type Registry } from 'prom-client';

type PoolCounts = Readonly<Record<'open' | 'idle' | 'waiting', number>>;

/** Counts calls and failures of Slack's API and the database. */
export interface DependencyMetrics {
  /** Counts a call of Slack's Web API by its result: `ok`, `ratelimited`, Slack's error code, or `failed`. */
  slackCalled(method: string, result: string): void;
  /** Counts a delivery that Slack has sent again, because it got no acknowledgement. */
  redelivered(kind: string): void;
  /** Counts a query that failed. */
  queryFailed(): void;
  /**
   * Sets the function that reads the counts of the pool. Not called for SQLite, which has no pool.
   */
  measurePool(read: () => PoolCounts): void;
  refresh(): void;
}

/** Adds the metrics of Slack's API and the database. */
export function createDependencyMetrics(registry: Registry): DependencyMetrics {
  const registers = [registry];
  let readPool: (() => PoolCounts) | undefined;
  const slackCalls = new Counter({
    name: 'rackhand_slack_calls_total',
    help: "Calls to Slack's Web API, by method and result. A result is ok, ratelimited, Slack's error, or failed.",
    labelNames: ['method', 'result'],
    registers,
  });
  const redeliveries = new Counter({
    name: 'rackhand_slack_redelivered_total',
    help: 'Deliveries that Slack has sent again, because it got no acknowledgement in time.',
    labelNames: ['kind'],
    registers,
  });
  const failedQueries = new Counter({
    name: 'rackhand_database_errors_total',
    help: 'Queries that failed, including those that could not reach the database.',
    registers,
  });
  const pool = new Gauge({
    name: 'rackhand_database_pool',
    help: 'Connections to PostgreSQL that are open and idle, and queries that wait for one.',
    labelNames: ['state'],
    registers,
  });
  return {
    slackCalled: (method, result) => slackCalls.inc({ method, result }),
    redelivered: (kind) => redeliveries.inc({ kind }),
    queryFailed: () => failedQueries.inc(),
    measurePool(read) {
      readPool = read;
    },
    refresh() {
      for (const [state, count] of Object.entries(readPool?.() ?? {})) pool.set({ state }, count);
    },
  };
}
