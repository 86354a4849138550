import { parseConfirmationToken } from '../../../src/runs/pipeline/confirmation/confirmation-token.ts';
import type { World } from '../world.ts';
import { type Changes, requesters, teamId } from './changes.ts';
import type { Deliveries } from './deliveries.ts';
import { vpsNames } from './hosting-service.ts';

/** The VPS of batches. Nobody reboots these alone. */
const firstBatchVps = 8;

/** Reboots several VPS with one command, and perhaps stops that. */
export async function rebootSeveral(
  world: World,
  { change }: Changes,
  { deliver }: Deliveries,
): Promise<void> {
  const { random, time, scenario, shared } = world;
  const vps = vpsNames.slice(firstBatchVps, firstBatchVps + scenario.batchSize);
  const userId = random.pick(requesters);
  const choices = scenario.batchPace > 0 ? { atATime: scenario.batchPace } : {};
  await time.sleep(random.between(0, 60_000));
  const token = await change({
    operation: 'reboot several',
    input: { targets: vps },
    vps,
    userId,
    choices,
  });
  if (token === undefined || !random.chance(0.4)) return;
  await time.sleep(random.pick([1_000, 10_000, random.between(0, 90_000)]));
  const { runId } = parseConfirmationToken(token);
  const stopperId = random.pick([userId, 'U7']);
  await deliver(async (runner) => {
    await runner.stopBatch(runId, { teamId, userId: stopperId });
    const stopped = await shared.db
      .selectFrom('run')
      .select('id')
      .where('id', '=', runId)
      .where('stopped_by', '=', stopperId)
      .execute();
    if (stopped.length > 0) world.record({ kind: 'batchStopped', runId });
    return { kind: 'duplicate' };
  });
}
