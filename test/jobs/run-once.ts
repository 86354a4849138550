import type { Clock } from '../../src/jobs/clock.ts';
import type { Job, JobKind, JobResult } from '../../src/jobs/job-kind.ts';

/** Runs a job's handler once, as the worker would for a job that is due now. */
export function runOnce<Payload>(
  kind: JobKind<Payload>,
  payload: Payload,
  clock: Clock,
  job: Partial<Job<Payload>> = {},
): Promise<JobResult<Payload>> {
  const claimed = { id: 'job', teamId: '', payload, dueMs: clock.now(), attempt: 1, token: 'token', ...job };
  return kind.handle(claimed, { signal: new AbortController().signal, clock });
}
