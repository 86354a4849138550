import { RackhandError } from '../../../src/errors.ts';
import { parseConfirmationToken } from '../../../src/runs/pipeline/confirmation/confirmation-card.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import type { World } from '../world.ts';
import type { CardBoard, SimulatedCard } from './card-board.ts';
import { type Changes, createChanges, requesters, teamId } from './changes.ts';
import type { Deliveries } from './deliveries.ts';
import { vpsNames } from './hosting-service.ts';
import { oldSnapshot } from './service-snapshots.ts';

// Nobody else changes these VPS.
const firstBatchVps = 8;
const firstRestoreVps = 13;

/** Lets people run changes that consist of several runs, and stop them. */
function createPartedChanges(world: World, { change }: Changes, { deliver }: Deliveries) {
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

const approvers = ['U1', 'U7', 'U8'];

/** People who type commands and press buttons. */
export function createPeople(
  world: World,
  board: CardBoard,
  deliveries: Deliveries,
  findReady: () => readonly SimulatedProcess[],
) {
  const { begin, deliver } = deliveries;
  const { random, time, scenario } = world;

  const changes = createChanges(world, deliveries);
  const partedChanges = createPartedChanges(world, changes, deliveries);

  const request = (name: string, vps: string, userId: string, requestKey: string) =>
    changes.request(name, { vps }, userId, requestKey);

  /** Decides about a card, or leaves it alone. */
  async function decide({ token, vps: targets }: SimulatedCard): Promise<void> {
    const userId = random.pick(approvers);
    await time.sleep(random.between(300, 30_000));
    if (random.chance(0.1)) return;
    const verdict = random.chance(0.2) ? 'declined' : 'approved';
    for (const vps of targets) world.record({ kind: verdict, vps, userId });
    await deliver(async (_, asks) => {
      const click = { actor: { teamId, userId }, origin: {}, verdict } as const;
      // What a person is told who can't decide is no reply about the run.
      await asks.decide(token, click).catch((error) => {
        if (!(error instanceof RackhandError)) throw error;
      });
      return { kind: 'duplicate' };
    });
  }

  async function flood(): Promise<void> {
    const userId = random.pick(requesters);
    await time.sleep(random.between(0, 60_000));
    for (let count = 0; count < scenario.floodSize; count += 1)
      begin(async () => void (await request('show', random.pick(vpsNames), userId, `show ${count}`)));
  }

  /** One person reads many VPS at once, and another person reads one more. */
  async function compete(): Promise<void> {
    while (findReady().length === 0) await time.sleep(1_000);
    const [last = '', ...others] = [...vpsNames].reverse();
    for (const name of ['show', 'live'])
      for (const vps of others)
        begin(async () => void (await request(name, vps, 'U8', `competing ${name} ${vps}`)));
    await time.sleep(10);
    const startedMs = time.now();
    const reply = await request('show', last, 'U9', 'behind the others');
    world.record({ kind: 'competed', waitMs: reply && time.now() - startedMs });
  }

  board.onCard = (card) => begin(() => decide(card));
  return {
    begin() {
      for (const vps of vpsNames.slice(0, scenario.requestCount))
        begin(async () => {
          await time.sleep(random.between(0, 90_000));
          const userId = random.pick(requesters);
          await changes.change({ operation: 'reboot', input: { vps }, vps: [vps], userId });
        });
      begin(flood);
      if (scenario.batchSize > 0) begin(partedChanges.rebootSeveral);
      for (let index = 0; index < scenario.restoreCount; index += 1)
        begin(() => partedChanges.restore(index));
    },
    compete: () => begin(compete),
  };
}
