/** One call of the API as it arrived, with the fields that the control API documents. */
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

/** A call with what only the page shows of it. */
export interface Call extends LoggedCall {
  /** From 1, in the order of arrival. */
  readonly id: number;
  /** Milliseconds until it was answered; `null` as long as it was not. */
  tookMs: number | null;
  /** Text of the answer, cut; kept for the newest calls only. */
  answer: string | null;
  /** Whether the key's quota refused it, so that it does not count. */
  isOverQuota: boolean;
  /** The fault that struck it, as it was asked for. */
  fault: string | null;
}

/** Remembers the calls of the API. */
export interface CallLog {
  /** Notes a call at its arrival; what is learnt of it later is set on the returned entry. */
  begin(call: Pick<LoggedCall, 'at' | 'method' | 'path' | 'query'>): Call;
  /** Notes that everything is known of a call. */
  settle(call: Call, facts: Pick<Call, 'status' | 'tookMs' | 'answer'>): void;
  all(): readonly Call[];
  find(id: number): Call | undefined;
  clear(): void;
}

/** How many of the newest calls keep their answers, and how much of each. */
const answersKept = 200;
const answerCharsMax = 20_000;

/** Keeps the newest `limit` calls, in the order of their arrival; `changed` hears of each call, and again when it is settled. */
export function createCallLog(limit: number, changed: (call: Call) => void = () => {}): CallLog {
  let calls: Call[] = [];
  let lastId = 0;
  return {
    begin(call) {
      const unknown = { body: null, status: 0, key: null, tookMs: null, answer: null };
      const logged: Call = { ...call, ...unknown, id: ++lastId, isOverQuota: false, fault: null };
      calls.push(logged);
      if (calls.length > limit) calls.shift();
      const forgetful = calls.at(-answersKept - 1);
      if (forgetful) forgetful.answer = null;
      changed(logged);
      return logged;
    },
    settle(call, { answer, ...facts }) {
      Object.assign(call, facts, { answer: answer?.slice(0, answerCharsMax) ?? null });
      changed(call);
    },
    all: () => calls,
    find: (id) => calls.find((call) => call.id === id),
    clear() {
      calls = [];
    },
  };
}
