import { HostingError } from '../hosting-error.ts';

/** Refuses changes while the hosting service doesn't answer, so no more changes end with an unknown outcome. */
export interface ServiceBreaker {
  /** Records how a call ended: its HTTP status, or why there was no answer. */
  callEnded(method: string, status: string): void;
  /** Throws `service_unresponsive` while changes are refused. */
  assertAnswers(): void;
  isOpen(): boolean;
  /**
   * Repeats a read, with growing pauses, until changes are accepted again. Does nothing if a read is already
   * being repeated.
   */
  probeWith(read: () => Promise<unknown>): void;
  /** Returns the service's problem, or undefined if it answers. */
  findProblem(): string | undefined;
}

/** Number of unanswered calls in a row after which changes are refused. */
const minUnanswered = 3;

/** Pause before the first probe. Doubles with each probe, so probes use little of the quota. */
const firstPauseMs = 1_000;
const maxPauseMs = 15_000;

/** Results of failed calls that may still have taken effect. */
const uncertainEnds: ReadonlySet<string> = new Set(['service_timeout', 'service_connection_lost']);

export function createServiceBreaker(): ServiceBreaker {
  let unanswered = 0;
  let uncertain = 0;
  let isOpen = false;
  let isProbing = false;

  function answered(method: string, status: number) {
    unanswered = 0;
    uncertain = 0;
    // Only a read without a server error shows that the service works again. A gateway can answer for a
    // service that hangs, and a change that was sent earlier can still complete.
    if (method === 'GET' && status < 500) isOpen = false;
  }

  async function probe(read: () => Promise<unknown>) {
    for (let pauseMs = firstPauseMs; isOpen; pauseMs = Math.min(2 * pauseMs, maxPauseMs)) {
      await new Promise((resolve) => setTimeout(resolve, pauseMs).unref());
      if (!isOpen) return;
      try {
        await read();
      } catch (error) {
        // This workspace can no longer read. The next call from another workspace starts new probes.
        if (!(error instanceof HostingError)) return;
      }
    }
  }

  return {
    callEnded(method, status) {
      if (/^\d+$/.test(status)) return answered(method, Number(status));
      if (uncertainEnds.has(status)) uncertain += 1;
      else if (status !== 'service_unreachable') return;
      unanswered += 1;
      if (uncertain >= minUnanswered) isOpen = true;
    },
    assertAnswers() {
      if (!isOpen) return;
      throw new HostingError(
        'service_unresponsive',
        `The hosting service didn't answer ${minUnanswered} calls in a row. Rackhand won't send it changes until it answers again.`,
        { sendState: 'not-sent' },
      );
    },
    isOpen: () => isOpen,
    probeWith(read) {
      if (isProbing) return;
      isProbing = true;
      void probe(read).finally(() => {
        isProbing = false;
      });
    },
    findProblem() {
      if (isOpen)
        return `the last ${minUnanswered} calls got no answer; changes are refused until a read gets one`;
      return unanswered >= minUnanswered ? `the last ${minUnanswered} calls got no answer` : undefined;
    },
  };
}
