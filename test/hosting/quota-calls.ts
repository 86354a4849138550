import type { CallJournal, JournaledCall, JournaledPause } from '../../src/hosting/quota/quota.ts';

/** A call as the log of a test knows it: it arrived at the service at some time from its departure to its answer. */
export interface LoggedCall {
  readonly name: string;
  readonly leftAtMs: number;
  answeredAtMs: number;
}

/** Counts the most calls that can have arrived within one window, whenever on its way each of them did. */
export function worstWindow(
  calls: readonly Pick<LoggedCall, 'leftAtMs' | 'answeredAtMs'>[],
  windowMs: number,
): number {
  const inWindowFrom = (startMs: number) =>
    calls.filter((call) => call.answeredAtMs >= startMs && call.leftAtMs < startMs + windowMs).length;
  return Math.max(0, ...calls.map(({ answeredAtMs }) => inWindowFrom(answeredAtMs)));
}

/** Makes calls that take `latencyMs` and then answer their name, or fail, and keeps a log of them in the order in which they left. */
export function createCaller() {
  const log: LoggedCall[] = [];
  return {
    log,
    names: () => log.map(({ name }) => name),
    call:
      (name: string, latencyMs = 100, failure?: Error): (() => Promise<string>) =>
      async () => {
        const logged = { name, leftAtMs: Date.now(), answeredAtMs: Date.now() + latencyMs };
        log.push(logged);
        await new Promise((resolve) => setTimeout(resolve, latencyMs));
        if (failure) throw failure;
        return name;
      },
  };
}

/** Keeps calls and pauses as storage would, for the quotas that one test creates after each other. */
export function createMemoryJournal(): CallJournal & { readonly calls: ReadonlyMap<string, JournaledCall> } {
  const calls = new Map<string, JournaledCall>();
  const pauses = new Map<string, JournaledPause>();
  return {
    calls,
    async leaving(call) {
      calls.set(call.callId, { ...call, answeredAtMs: null });
    },
    async answered(callId, answeredAtMs) {
      const call = calls.get(callId);
      if (call) calls.set(callId, { ...call, answeredAtMs });
    },
    async since(sinceMs) {
      return [...calls.values()].filter(({ leftAtMs }) => leftAtMs >= sinceMs);
    },
    async pause(pause) {
      pauses.set(pause.key, pause);
    },
    async pauses(nowMs) {
      return [...pauses.values()].filter(({ untilMs }) => untilMs > nowMs);
    },
    async forget(beforeMs) {
      for (const [id, { leftAtMs }] of calls) if (leftAtMs < beforeMs) calls.delete(id);
      for (const [key, { untilMs }] of pauses) if (untilMs < beforeMs) pauses.delete(key);
    },
  };
}
