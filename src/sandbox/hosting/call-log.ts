/** An API call as received, with the fields that the control API documents. */
export interface LoggedCall {
  /** When the call arrived, in ms by the service's clock. */
  readonly at: number;
  readonly method: string;
  /** The path as received, including percent-encoding. */
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** The parsed JSON, or text if it wasn't JSON. `null` if empty. */
  body: unknown;
  /** 0 until the call is answered. */
  status: number;
  /** The API key, if recognized. */
  key: string | null;
}

/** A call with additional fields that only the page shows. */
export interface CallLogEntry extends LoggedCall {
  /** Counts from 1 in the order of arrival. */
  readonly id: number;
  /** How long the response took, in ms. `null` until then. */
  tookMs: number | null;
  /** The response's text, shortened. Only the newest calls have it. */
  answer: string | null;
  /** Whether the call exceeded the key's quota. Such a call doesn't count. */
  isOverQuota: boolean;
  /** The fault that affected the call, as requested. */
  fault: string | null;
}

export interface CallLog {
  /** Records a call when it arrives. Details known later are set on the returned entry. */
  begin(call: Pick<LoggedCall, 'at' | 'method' | 'path' | 'query'>): CallLogEntry;
  settle(call: CallLogEntry, facts: Pick<CallLogEntry, 'status' | 'tookMs' | 'answer'>): void;
  all(): readonly CallLogEntry[];
  find(id: number): CallLogEntry | undefined;
  clear(): void;
}

/** Maximum number of recent calls that keep their responses, and characters per response. */
const maxStoredResponses = 200;
const maxResponseChars = 20_000;

/**
 * Creates a log of the newest `limit` calls in the order of arrival. Calls `onChange` when a call
 * arrives and when it is answered.
 */
export function createCallLog(limit: number, onChange: (call: CallLogEntry) => void = () => {}): CallLog {
  let calls: CallLogEntry[] = [];
  let lastId = 0;
  return {
    begin(call) {
      const unknown = { body: null, status: 0, key: null, tookMs: null, answer: null };
      const logged: CallLogEntry = { ...call, ...unknown, id: ++lastId, isOverQuota: false, fault: null };
      calls.push(logged);
      if (calls.length > limit) calls.shift();
      const expired = calls.at(-maxStoredResponses - 1);
      if (expired) expired.answer = null;
      onChange(logged);
      return logged;
    },
    settle(call, { answer, ...facts }) {
      Object.assign(call, facts, { answer: answer?.slice(0, maxResponseChars) ?? null });
      onChange(call);
    },
    all: () => calls,
    find: (id) => calls.find((call) => call.id === id),
    clear() {
      calls = [];
    },
  };
}
