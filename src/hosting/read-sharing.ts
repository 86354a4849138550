import type { Lane } from './quota/quota.ts';

type OnQueued = (waitMs: number) => void;

interface ReadOptions {
  readonly lane: Lane;
  readonly notAfterMs?: number;
  readonly maxAgeMs?: number;
  readonly onQueued?: OnQueued;
}

interface Answered {
  readonly atMs: number;
  readonly answer: Promise<unknown>;
}

interface Asked {
  readonly answer: Promise<unknown>;
  readonly wait: Wait;
}

export interface ReadSharing {
  /**
   * Gives the answer of the same question: the one in flight, or one at most `maxAgeMs` old, or else of `ask`. A person never
   * waits for a question of the background lane, and a question with a deadline only joins one with the same.
   */
  share<T>(question: string, options: ReadOptions, ask: (onQueued?: OnQueued) => Promise<T>): Promise<T>;
  /** Lets nobody who asks from now on have an answer to what was asked before. */
  forget(): void;
}

/** Answers kept for callers who accept an older one. */
const maxKept = 200;

/** Creates what lets identical reads of one key be one call. */
export function createReadSharing(now: () => number): ReadSharing {
  const inFlight = new Map<string, Asked>();
  const kept = new Map<string, Answered>();
  let generation = 0;

  function keep(question: string, answer: Promise<unknown>) {
    kept.delete(question);
    kept.set(question, { atMs: now(), answer });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  }

  return {
    share<T>(
      question: string,
      { lane, notAfterMs, maxAgeMs = 0, onQueued }: ReadOptions,
      ask: (onQueued?: OnQueued) => Promise<T>,
    ) {
      // The question is a URL and its answer is always of the endpoint that asked, hence of the same type.
      const earlier = kept.get(question);
      if (earlier && now() - earlier.atMs <= maxAgeMs && maxAgeMs > 0) return earlier.answer as Promise<T>;
      const askedIn = generation;
      const placeIn = (joined: Lane) => `${askedIn} ${joined} ${notAfterMs} ${question}`;
      const asked =
        inFlight.get(placeIn('people')) ?? (lane === 'people' ? undefined : inFlight.get(placeIn(lane)));
      if (asked) {
        asked.wait.join(onQueued);
        return asked.answer as Promise<T>;
      }
      const wait = createWait(now);
      wait.join(onQueued);
      const answer = ask(onQueued && wait.tell).finally(() => inFlight.delete(placeIn(lane)));
      inFlight.set(placeIn(lane), { answer, wait });
      answer.then(
        () => askedIn === generation && keep(question, answer),
        () => undefined,
      );
      return answer;
    },

    forget() {
      generation += 1;
      kept.clear();
    },
  };
}

/** The wait for a call, and all who want to be told of it. */
interface Wait {
  /** Has somebody told of the wait, at once where it has been told already. */
  join(onQueued: OnQueued | undefined): void;
  readonly tell: OnQueued;
}

function createWait(now: () => number): Wait {
  const listeners: OnQueued[] = [];
  let untilMs = Number.NEGATIVE_INFINITY;
  return {
    join(onQueued) {
      if (!onQueued) return;
      listeners.push(onQueued);
      if (untilMs > now()) onQueued(untilMs - now());
    },
    tell(waitMs) {
      untilMs = now() + waitMs;
      for (const onQueued of listeners) onQueued(waitMs);
    },
  };
}
