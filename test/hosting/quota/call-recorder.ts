/** A recorded call. It arrived at the service some time between being sent and being answered. */
export interface LoggedCall {
  readonly name: string;
  readonly sentAtMs: number;
  answeredAtMs: number;
}

/** Returns the maximum number of calls that can have arrived within one window. */
export function maxCallsInWindow(
  calls: readonly Pick<LoggedCall, 'sentAtMs' | 'answeredAtMs'>[],
  windowMs: number,
): number {
  const inWindowFrom = (startMs: number) =>
    calls.filter((call) => call.answeredAtMs >= startMs && call.sentAtMs < startMs + windowMs).length;
  return Math.max(0, ...calls.map(({ answeredAtMs }) => inWindowFrom(answeredAtMs)));
}

/**
 * Creates calls that take `latencyMs` and then return their name or fail. Records them in the order
 * in which they are sent, with times of a clock that never jumps.
 */
export function createCallRecorder() {
  const log: LoggedCall[] = [];
  return {
    log,
    names: () => log.map(({ name }) => name),
    call:
      (name: string, latencyMs = 100, failure?: Error): (() => Promise<string>) =>
      async () => {
        const sentAtMs = performance.now();
        log.push({ name, sentAtMs, answeredAtMs: sentAtMs + latencyMs });
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        if (failure) throw failure;
        return name;
      },
  };
}
