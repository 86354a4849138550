import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import { withTimeout } from '../with-timeout.ts';

/** The number of background jobs of each kind. */
export interface JobCounts {
  readonly due: ReadonlyMap<string, number>;
  readonly running: ReadonlyMap<string, number>;
  readonly setAside: readonly { readonly kind: string; readonly count: number }[];
}

/** Counts the events of background jobs. Kinds are a closed set. */
export interface JobMetrics {
  started(kind: string, latenessMs: number): void;
  retried(kind: string): void;
  setAside(kind: string): void;
  /** Sets the function that reads the counts. */
  measureCounts(read: () => Promise<JobCounts>): void;
  /** Reads the counts. Leaves them out if the database doesn't answer. */
  refresh(): Promise<void>;
}

const readTimeoutMs = 2_000;

/** In seconds. */
const latenessBuckets = [0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/** Adds the metrics of background jobs. */
export function createJobMetrics(registry: Registry): JobMetrics {
  let readCounts: (() => Promise<JobCounts>) | undefined;
  const registers = [registry];
  const labelNames = ['kind'];
  const counter = (name: string, help: string) => new Counter({ name, help, labelNames, registers });
  const gauge = (name: string, help: string) => new Gauge({ name, help, labelNames, registers });
  const due = gauge('rackhand_jobs_due', 'Background jobs that are due and that no process has claimed.');
  const running = gauge('rackhand_jobs_running', 'Background jobs that this process is running.');
  const setAside = gauge(
    'rackhand_jobs_set_aside',
    "Background jobs that this version can't run. Their reasons are in /readyz.",
  );
  const lateness = new Histogram({
    name: 'rackhand_job_lateness_seconds',
    help: 'How long after their due time background jobs were started.',
    labelNames,
    buckets: latenessBuckets,
    registers,
  });
  const retried = counter('rackhand_job_retries_total', 'Attempts at background jobs that failed.');
  const setAsideTotal = counter('rackhand_jobs_set_aside_total', 'Background jobs that were set aside.');
  return {
    started: (kind, latenessMs) => lateness.observe({ kind }, latenessMs / 1_000),
    retried: (kind) => retried.inc({ kind }),
    setAside: (kind) => setAsideTotal.inc({ kind }),
    measureCounts(read) {
      readCounts = read;
    },
    async refresh() {
      if (!readCounts) return;
      const counts = await withTimeout<JobCounts | undefined>(
        readCounts(),
        readTimeoutMs,
        () => undefined,
      ).catch(() => undefined);
      for (const one of [due, running, setAside]) one.reset();
      if (!counts) return;
      for (const [kind, count] of counts.due) due.set({ kind }, count);
      for (const [kind, count] of counts.running) running.set({ kind }, count);
      for (const { kind, count } of counts.setAside) setAside.inc({ kind }, count);
    },
  };
}
