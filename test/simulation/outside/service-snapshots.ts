import type { Random } from '../machine/random.ts';
import type { VirtualTime } from '../machine/virtual-time.ts';

/** The snapshot that every VPS has from the start. */
export const oldSnapshot = 'weekly';

/** A snapshot that the service was asked to take. */
interface RequestedSnapshot {
  readonly vps: string;
  readonly name: string;
  /** When the service stops working on it. */
  readonly endsAtMs: number;
  readonly isBroken: boolean;
}

export type ServiceSnapshots = ReturnType<typeof createServiceSnapshots>;

/** The snapshots of the simulated hosting service. Some take minutes, and some break. */
export function createServiceSnapshots(time: VirtualTime, random: Random) {
  const requested: RequestedSnapshot[] = [];

  const isFinished = ({ endsAtMs }: RequestedSnapshot, atMs: number) => endsAtMs <= atMs;

  function stateOf(snapshot: RequestedSnapshot): string {
    if (!isFinished(snapshot, time.now())) return 'creating';
    return snapshot.isBroken ? 'failed' : 'available';
  }

  return {
    list: (vps: string) => [
      { name: oldSnapshot, state: 'available' },
      ...requested.filter((one) => one.vps === vps).map((one) => ({ name: one.name, state: stateOf(one) })),
    ],
    take(vps: string, name: string) {
      const endsAtMs = time.now() + random.pick([1_000, 20_000, 120_000]);
      requested.push({ vps, name, endsAtMs, isBroken: random.chance(0.2) });
      return { name, state: 'creating' };
    },
    /** Whether a VPS has a complete snapshot that was requested. */
    hasComplete: (vps: string, atMs: number) =>
      requested.some((one) => one.vps === vps && !one.isBroken && isFinished(one, atMs)),
  };
}
