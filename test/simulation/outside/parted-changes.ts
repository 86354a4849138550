import { parseConfirmationToken } from '../../../src/runs/pipeline/confirmation/confirmation-card.ts';
import type { World } from '../world.ts';
import { type Changes, requesters, teamId } from './changes.ts';
import type { Deliveries } from './deliveries.ts';
import { vpsNames } from './hosting-service.ts';
import { oldSnapshot } from './service-snapshots.ts';

// Nobody else changes these VPS.
const firstBatchVps = 8;
const firstRestoreVps = 13;

/** Lets people run changes that consist of several runs, and stop them. */
export function createPartedChanges(world: World, { change }: Changes, { deliver }: Deliveries) {
  const { random, time, scenario, shared } = world;

  /** Reboots several VPS with one command, and perhaps stops that. */
  async function rebootSeveral(): Promise<void> {
    const vps = vpsNames.slice(firstBatchVps, firstBatchVps + scenario.batchSize);
    const userId = random.pick(requesters);
    const choices = scenario.batchPace > 0 ? { atATime: scenario.batchPace } : {};
    await time.sleep(random.between(0, 60_000));
    const input = { targets: vps };
    await stopPerhaps(await change({ operation: 'reboot several', input, vps, userId, choices }), userId);
  }

  /** Restores a VPS from a snapshot, mostly after another snapshot, and perhaps stops that. */
  async function restore(index: number): Promise<void> {
    const vps = vpsNames[firstRestoreVps + index] ?? '';
    const userId = random.pick(requesters);
    const choices = { typed: vps, ...(random.chance(0.8) && { snapshotFirst: true as const }) };
    await time.sleep(random.between(0, 60_000));
    const input = { vps, snapshot: oldSnapshot };
    await stopPerhaps(
      await change({ operation: 'snapshot restore', input, vps: [vps], userId, choices }),
      userId,
    );
  }

  async function stopPerhaps(token: string | undefined, userId: string): Promise<void> {
    if (token === undefined || !random.chance(0.4)) return;
    await time.sleep(random.pick([1_000, 10_000, random.between(0, 90_000)]));
    const { runId } = parseConfirmationToken(token);
    const stopperId = random.pick([userId, 'U7']);
    await deliver(async (runner) => {
      await runner.stopRun(runId, { teamId, userId: stopperId });
      if (await isStopped(runId, stopperId)) world.record({ kind: 'batchStopped', runId });
      return { kind: 'duplicate' };
    });
  }

  /** A batch that had not begun, or that has ended, can't be stopped. */
  async function isStopped(runId: string, stopperId: string): Promise<boolean> {
    const found = await shared.db
      .selectFrom('run')
      .select('id')
      .where('id', '=', runId)
      .where('stopped_by', '=', stopperId)
      .execute();
    return found.length > 0;
  }

  return { rebootSeveral, restore };
}
