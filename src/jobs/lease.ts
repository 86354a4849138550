import type { Clock } from './clock.ts';

/** One process's claim to a piece of work, such as an occurrence of a report. */
export interface ClaimLease {
  /** Unique to this claim. */
  readonly token: string;
  readonly untilMs: number;
}

interface LeaseRenewalOptions {
  readonly clock: Clock;
  /** How long a process counts as alive after its last heartbeat. */
  readonly leaseMs: number;
  /** Extends the lease. Resolves to false if another process has taken it over. */
  readonly renew: (untilMs: number) => Promise<boolean>;
  readonly onLost: () => void;
  /** Called when a renewal fails. The next renewal still happens on schedule. */
  readonly onError: (error: unknown) => void;
}

/**
 * Renews a lease periodically until another process takes it over. Returns a function that stops
 * the renewals.
 */
export function startLeaseRenewal({
  clock,
  leaseMs,
  renew,
  onLost,
  onError,
}: LeaseRenewalOptions): () => void {
  let isStopped = false;
  let cancel = () => {};

  function again(): void {
    if (isStopped) return;
    cancel = clock.setTimer(clock.now() + leaseMs / 3, () => {
      renew(clock.now() + leaseMs).then(
        (isHeld) => (isHeld ? again() : onLost()),
        (error: unknown) => {
          onError(error);
          again();
        },
      );
    });
  }

  again();
  return () => {
    isStopped = true;
    cancel();
  };
}
