import type { Logger } from 'pino';
import type { Activity } from './activity.ts';
import type { Following } from './following.ts';
import { lapsed } from './problem.ts';
import type { Recover } from './recovery.ts';
import type { Announce, Run } from './run.ts';
import type { Lease } from './run-leases.ts';
import type { RunStore } from './run-store.ts';
import type { SecretKeeper } from './secret-keeper.ts';

/** How long a process is taken to be alive after its last sign of life. */
export const leaseMs = 30_000;

/** How long an end is worth telling that nobody has told. */
const tellWithinMs = 24 * 60 * 60_000;

interface CaretakerParts {
  readonly runs: RunStore;
  readonly activity: Activity;
  readonly recover: Recover;
  readonly announce: Announce;
  readonly following: Pick<Following, 'adopt' | 'stop'>;
  readonly secrets: Pick<SecretKeeper, 'forgetExpired'>;
  readonly owner: string;
  /** Whether other processes work on the same runs. */
  readonly shared: boolean;
  readonly now: () => number;
  readonly log: Pick<Logger, 'error'>;
}

/** Sees to it that every run ends: those of a process that is gone, those that a failure has left behind, and those that wait past their time; and that each end is told. */
export interface Caretaker {
  /** Looks after the runs now, and from time to time. */
  start(): Promise<void>;
  stop(): void;
}

/** Creates the caretaker of this process. */
export function createCaretaker(parts: CaretakerParts): Caretaker {
  const { runs, activity, recover, announce, following, secrets, owner, shared, now, log } = parts;
  let heartbeat: NodeJS.Timeout | undefined;

  const takeUp = (run: Run) => activity.begin(run.id, () => recover(run));

  /** Ends what nobody has confirmed. Who was never shown a card is told; the others read it when they press it. */
  async function endLapsed(lease: Lease): Promise<void> {
    const result = { kind: 'problem', problem: lapsed() } as const;
    for (const { isUntold, ...run } of await runs.lapse(result, lease, now())) {
      if (isUntold) announce(run);
    }
  }

  async function look(leaseBeforeMs: number): Promise<void> {
    const lease = { owner, untilMs: now() + leaseMs };
    const sinceMs = now() - tellWithinMs;
    await runs.extendLeases(lease, sinceMs);
    for (const run of await runs.adopt(lease, leaseBeforeMs)) takeUp(run);
    for (const run of await runs.ownedBy(owner)) if (!activity.has(run.id)) takeUp(run);
    for (const run of await runs.adoptUntold(lease, leaseBeforeMs, sinceMs)) announce(run);
    await endLapsed(lease);
    await following.adopt(leaseBeforeMs);
    await secrets.forgetExpired();
  }

  return {
    async start() {
      heartbeat = setInterval(() => {
        look(shared ? now() : 0).catch((error) =>
          log.error({ err: error }, 'the runs could not be looked after'),
        );
      }, leaseMs / 3);
      heartbeat.unref();
      // A database of our own was held by one process at a time: whatever it left is without an owner.
      await look(shared ? now() : Number.MAX_SAFE_INTEGER);
    },
    stop() {
      clearInterval(heartbeat);
      following.stop();
    },
  };
}
