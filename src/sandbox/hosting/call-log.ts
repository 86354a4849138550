/** One call of the API as it arrived. */
export interface LoggedCall {
  /** Milliseconds of its arrival, by the service's clock. */
  readonly at: number;
  readonly method: string;
  /** As it stood on the wire, percent-encoding included. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed where it was JSON, otherwise its text; `null` without one. */
  body: unknown;
  /** 0 as long as nothing was answered. */
  status: number;
  /** The key that was recognised. */
  key: string | null;
}

/** Remembers the calls of the API. */
export interface CallLog {
  /** Notes a call at its arrival; what is learnt of it later is set on the returned entry. */
  begin(call: Pick<LoggedCall, 'at' | 'method' | 'path' | 'query'>): LoggedCall;
  all(): readonly LoggedCall[];
  clear(): void;
}

/** Keeps the newest `limit` calls, in the order of their arrival. */
export function createCallLog(limit = 10_000): CallLog {
  let calls: LoggedCall[] = [];
  return {
    begin(call) {
      const logged: LoggedCall = { ...call, body: null, status: 0, key: null };
      calls.push(logged);
      if (calls.length > limit) calls.shift();
      return logged;
    },
    all: () => calls,
    clear() {
      calls = [];
    },
  };
}
