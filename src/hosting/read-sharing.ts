import type { Lane } from './quota/quota.ts';

interface Answered {
  readonly atMs: number;
  readonly answer: Promise<unknown>;
}

export interface ReadSharing {
  /**
   * Gives the answer of the same question: the one in flight, or one at most `maxAgeMs` old, or else of `ask`. A person never waits for
   * a question of the background lane.
   */
  share<T>(question: string, options: { lane: Lane; maxAgeMs?: number }, ask: () => Promise<T>): Promise<T>;
}

/** Answers kept for callers who accept an older one. */
const maxKept = 200;

/** Creates what lets identical reads of one key be one call. */
export function createReadSharing(now: () => number): ReadSharing {
  const inFlight = new Map<string, Promise<unknown>>();
  const kept = new Map<string, Answered>();

  function keep(question: string, answer: Promise<unknown>) {
    kept.delete(question);
    kept.set(question, { atMs: now(), answer });
    const [oldest] = kept.keys();
    if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
  }

  return {
    share<T>(
      question: string,
      { lane, maxAgeMs = 0 }: { lane: Lane; maxAgeMs?: number },
      ask: () => Promise<T>,
    ) {
      // The question is a URL and its answer is always of the endpoint that asked, hence of the same type.
      const earlier = kept.get(question);
      if (earlier && now() - earlier.atMs <= maxAgeMs && maxAgeMs > 0) return earlier.answer as Promise<T>;
      const lanes: Lane[] = lane === 'people' ? ['people'] : ['people', 'background'];
      for (const joined of lanes) {
        const asked = inFlight.get(`${joined} ${question}`);
        if (asked) return asked as Promise<T>;
      }
      const place = `${lane} ${question}`;
      const answer = ask().finally(() => inFlight.delete(place));
      inFlight.set(place, answer);
      answer.then(
        () => keep(question, answer),
        () => undefined,
      );
      return answer;
    },
  };
}
