import type {
  CallJournal,
  JournaledCall,
  JournaledPause,
} from '../../../src/hosting/rate-limit/rate-limiter.ts';

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
 * in which they are sent.
 */
export function createCallRecorder() {
  const log: LoggedCall[] = [];
  return {
    log,
    names: () => log.map(({ name }) => name),
    call:
      (name: string, latencyMs = 100, failure?: Error): (() => Promise<string>) =>
      async () => {
        const logged = { name, sentAtMs: Date.now(), answeredAtMs: Date.now() + latencyMs };
        log.push(logged);
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        if (failure) throw failure;
        return name;
      },
  };
}

/** Creates a journal in memory. The successive quotas of a test share it. */
export function createMemoryJournal(): CallJournal & { readonly calls: ReadonlyMap<string, JournaledCall> } {
  const calls = new Map<string, JournaledCall>();
  const pauses = new Map<string, JournaledPause>();
  return {
    calls,
    async recordSent(call) {
      calls.set(call.callId, { ...call, answeredAtMs: null });
    },
    async recordAnswered(callId, answeredAtMs) {
      const call = calls.get(callId);
      if (call) calls.set(callId, { ...call, answeredAtMs });
    },
    async deleteCall(callId) {
      calls.delete(callId);
    },
    async listCallsSince(sinceMs) {
      return [...calls.values()].filter(
        ({ sentAtMs, answeredAtMs }) => Math.max(sentAtMs, answeredAtMs ?? Infinity) >= sinceMs,
      );
    },
    async recordPause(pause) {
      pauses.set(pause.fingerprint, pause);
    },
    async listPauses(nowMs) {
      return [...pauses.values()].filter(({ untilMs }) => untilMs > nowMs);
    },
    async deleteBefore(beforeMs) {
      for (const [id, { answeredAtMs }] of calls) if ((answeredAtMs ?? Infinity) < beforeMs) calls.delete(id);
      for (const [fingerprint, { untilMs }] of pauses) if (untilMs < beforeMs) pauses.delete(fingerprint);
    },
  };
}
