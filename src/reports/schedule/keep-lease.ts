import type { Clock } from './clock.ts';

interface LeaseParts {
  readonly clock: Clock;
  /** How long a process is taken to be alive after its last sign of life. */
  readonly leaseMs: number;
  /** Says that the process still works on it; `false` where another has taken it. */
  readonly extend: (untilMs: number) => Promise<boolean>;
  readonly onLost: () => void;
  /** Told where it could not be said; it is said again. */
  readonly onTrouble: (error: unknown) => void;
}

/** Keeps a hold on something from now on, for as long as nobody else has it; gives what ends that. */
export function keepLease({ clock, leaseMs, extend, onLost, onTrouble }: LeaseParts): () => void {
  let isOver = false;
  let cancel = () => {};

  function again(): void {
    if (isOver) return;
    cancel = clock.setTimer(clock.now() + leaseMs / 3, () => {
      extend(clock.now() + leaseMs).then(
        (isHeld) => (isHeld ? again() : onLost()),
        (error: unknown) => {
          onTrouble(error);
          again();
        },
      );
    });
  }

  again();
  return () => {
    isOver = true;
    cancel();
  };
}
