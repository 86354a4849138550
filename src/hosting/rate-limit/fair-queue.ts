interface Waiting {
  /** Returns whether the call still waits to be sent. */
  isWaiting(): boolean;
}

interface Line<T> {
  readonly calls: T[];
  /** The line gets no turn before this time. */
  heldUntilMs: number;
}

/**
 * The waiting calls of a lane. Each person, report or workspace has a line of its own, and the
 * lines take turns, so that no line waits for all calls of another line.
 */
export interface FairQueue<T> {
  add(line: string, call: T): void;
  /** Returns the next call. */
  next(nowMs: number): { readonly line: string; readonly call: T } | undefined;
  /** Removes a call from a line. The line's next turn is after those of all other lines. */
  take(line: string, call: T): void;
  /** Puts a call before all others. */
  putBack(line: string, call: T): void;
  /** Skips a line until `untilMs`. */
  hold(line: string, untilMs: number): void;
  /** Ends all holds. */
  releaseHolds(): void;
  /** Returns when the first hold ends, or undefined if no call waits. */
  nextTurnMs(): number | undefined;
  /** Returns whether another call would get a turn if `call` was removed. */
  hasOther(call: T, nowMs: number): boolean;
  /**
   * Counts the calls that get their turn before `call`, or before a new call of the line. `inLine`
   * counts those of the same line.
   */
  countBefore(line: string, call?: T): { readonly all: number; readonly inLine: number };
  isHeld(line: string, nowMs: number): boolean;
  /** Lists the calls of one line, or of all. A call that waits in several lines is listed once. */
  list(line?: string): readonly T[];
}

export function createFairQueue<T extends Waiting>(): FairQueue<T> {
  /** The lines in the order of their turns. */
  let lines = new Map<string, Line<T>>();

  function waitingIn({ calls }: Line<T>): T[] {
    return calls.filter((call) => call.isWaiting());
  }

  /** Removes calls that no longer wait, and empty lines. */
  function dropEnded() {
    for (const [name, { calls }] of lines) {
      while (calls[0] && !calls[0].isWaiting()) calls.shift();
      if (calls.length === 0) lines.delete(name);
    }
  }

  function getLine(name: string): Line<T> {
    const line = lines.get(name) ?? { calls: [], heldUntilMs: Number.NEGATIVE_INFINITY };
    lines.set(name, line);
    return line;
  }

  return {
    add: (name, call) => void getLine(name).calls.push(call),
    next(nowMs) {
      dropEnded();
      for (const [line, { calls, heldUntilMs }] of lines) {
        const [call] = calls;
        if (call && heldUntilMs <= nowMs) return { line, call };
      }
      return undefined;
    },
    take(name, call) {
      const line = lines.get(name);
      if (!line) return;
      const index = line.calls.indexOf(call);
      if (index >= 0) line.calls.splice(index, 1);
      lines.delete(name);
      lines.set(name, line);
    },
    putBack(name, call) {
      const line = getLine(name);
      line.calls.unshift(call);
      lines = new Map([[name, line], ...lines]);
    },
    hold(name, untilMs) {
      getLine(name).heldUntilMs = untilMs;
    },
    releaseHolds() {
      for (const line of lines.values()) line.heldUntilMs = Number.NEGATIVE_INFINITY;
    },
    nextTurnMs() {
      dropEnded();
      return lines.size === 0
        ? undefined
        : Math.min(...[...lines.values()].map(({ heldUntilMs }) => heldUntilMs));
    },
    hasOther: (call, nowMs) =>
      [...lines.values()].some(
        (line) =>
          line.heldUntilMs <= nowMs && line.calls.some((other) => other !== call && other.isWaiting()),
      ),
    countBefore(name, call) {
      const own = lines.get(name);
      const ownCalls = own ? waitingIn(own) : [];
      const inLine = call && ownCalls.includes(call) ? ownCalls.indexOf(call) : ownCalls.length;
      let all = inLine;
      let isEarlier = true;
      for (const [otherName, other] of lines) {
        if (otherName === name) isEarlier = false;
        else all += Math.min(waitingIn(other).length, isEarlier ? inLine + 1 : inLine);
      }
      return { all, inLine };
    },
    isHeld: (name, nowMs) => (lines.get(name)?.heldUntilMs ?? nowMs) > nowMs,
    list(name) {
      const listed = name === undefined ? [...lines.values()] : [lines.get(name) ?? []].flat();
      return [...new Set(listed.flatMap(waitingIn))];
    },
  };
}
