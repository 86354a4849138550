/** Knows whether the hosting service answers. */
export interface ServiceHealth {
  /** Records a call's end: its HTTP status, or why there was no answer. */
  callEnded(status: string): void;
  /** Returns what is wrong with the service, if something is. */
  findProblem(): string | undefined;
}

/** After this many calls in a row without an answer, the service is said not to answer. */
const minUnanswered = 3;

export function createServiceHealth(): ServiceHealth {
  let unanswered = 0;
  return {
    callEnded(status) {
      // A call that Rackhand itself aborted says nothing about the service.
      if (status === 'aborted') return;
      unanswered = /^\d+$/.test(status) ? 0 : unanswered + 1;
    },
    findProblem: () =>
      unanswered >= minUnanswered ? `the last ${minUnanswered} calls got no answer` : undefined,
  };
}
