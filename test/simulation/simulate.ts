import { check, hasUnfinishedWork } from './checks/check.ts';
import type { SharedDatabase } from './machine/shared-database.ts';
import { createCardBoard } from './outside/card-board.ts';
import { requesters } from './outside/changes.ts';
import { createDeliveries } from './outside/deliveries.ts';
import { createPeople } from './outside/people.ts';
import { type SimulatedProcess, startProcess } from './simulated-process.ts';
import { addReports, maxReportLateMs, secondReportMs } from './simulated-reports.ts';
import { addSchedules, pauseScheduleLater, secondOccurrenceMs } from './simulated-schedules.ts';
import { createWorld, type World } from './world.ts';

/** How long crashes, freezes and faults go on. */
const troubleMs = 4 * 60_000;

/** Longer than any card or queued run lives. */
const horizonMs = 50 * 60_000;
const stepMs = 5_000;

/** A rule is added for these. */
const guardedVps = [1, 3, 5, 10, 14, 16].map((number) => `VPS-${10_000 + number}`);

export interface SimulationResult {
  /** What was wrong. Empty if every guarantee held. */
  readonly violations: readonly string[];
  /** How the runs ended, for a summary. */
  readonly statuses: readonly string[];
  readonly world: World;
}

/** Simulates what one seed decides, and checks the guarantees at the end. */
export async function simulate(seed: number, shared: SharedDatabase): Promise<SimulationResult> {
  await shared.clear();
  const world = createWorld(seed, shared);
  const restore = world.time.install();
  const onUnhandled = (error: unknown) =>
    world.record({ kind: 'failed', message: `an unhandled rejection: ${error}` });
  process.on('unhandledRejection', onUnhandled);
  try {
    await live(world);
    const rows = await shared.db.selectFrom('run').select('status').execute();
    return { violations: await check(world), statuses: rows.map(({ status }) => status), world };
  } finally {
    process.off('unhandledRejection', onUnhandled);
    restore();
  }
}

async function live(world: World): Promise<void> {
  const { time, random, scenario } = world;
  const board = createCardBoard(world);
  world.slack.watch(board.show);
  const processes = new Map<number, SimulatedProcess>();
  const findReady = () => [...processes.values()].filter((one) => one.isReady());
  const deliveries = createDeliveries(world, findReady);
  const people = createPeople(world, board, deliveries, findReady);

  /** Starts a process, and another one whenever it has crashed. */
  async function keepRunning(index: number): Promise<void> {
    for (let generation = 1; ; generation += 1) {
      const one = startProcess(world, `${index}.${generation}`);
      processes.set(index, one);
      await one.ended;
      await time.sleep(random.pick([100, 5_000, 60_000]));
    }
  }

  await addReports(world);
  await addSchedules(world);
  for (let index = 0; index < scenario.processCount; index += 1) void keepRunning(index);
  people.begin();
  for (let count = 0; count < scenario.stopCount; count += 1) void stopLater(world, processes);
  if (scenario.hasRevocation) void revokeLater(world);
  if (scenario.needsApproval) void addRuleLater(world);
  if (scenario.hasPausedSchedule) void pauseScheduleLater(world);
  if (scenario.hasClockChange) void changeClockLater(world);
  if (scenario.slackChange !== 'none') void changeSlackLater(world);
  await time.advance(troubleMs);
  world.isTroubled = false;
  world.service.faultRate = 0;
  if (scenario.hasCompetition) people.compete();
  let untilMs = troubleMs;
  if (scenario.reportCount > 0) {
    untilMs = secondReportMs + maxReportLateMs;
    await time.advance(untilMs);
  }
  if (scenario.hasSecondOccurrence) {
    untilMs = secondOccurrenceMs + stepMs;
    await time.advance(untilMs);
  }
  const hasWork = async () =>
    !deliveries.isIdle() || (await hasUnfinishedWork(world)) || world.shared.hasTransaction();
  while (untilMs < horizonMs && (await hasWork())) {
    untilMs += stepMs;
    await time.advance(untilMs);
  }
  for (const one of processes.values()) one.end();
  await time.settle();
}

/** Stops a process, as a deploy does. Another one is started in its place. */
async function stopLater({ time, random }: World, processes: Map<number, SimulatedProcess>): Promise<void> {
  await time.sleep(random.between(0, troubleMs));
  const ready = [...processes.values()].filter((one) => one.isReady());
  if (ready.length > 0) random.pick(ready).stop();
}

async function changeSlackLater({ time, random, slack, record, scenario }: World): Promise<void> {
  await time.sleep(random.between(0, 180_000));
  if (scenario.slackChange === 'archived') slack.archive('C1');
  if (scenario.slackChange === 'removed') slack.removeApp();
  if (scenario.slackChange === 'deactivated') slack.deactivate(random.pick(requesters));
  record({ kind: 'slackChanged', what: scenario.slackChange });
}

async function revokeLater({ time, random, revoked, record }: World): Promise<void> {
  await time.sleep(random.between(0, 120_000));
  const userId = random.pick(['U1', 'U2', 'U3', 'U7']);
  revoked.add(userId);
  record({ kind: 'revoked', userId });
}

async function addRuleLater({ time, random, guarded, record }: World): Promise<void> {
  await time.sleep(random.pick([0, random.between(0, 120_000)]));
  for (const vps of guardedVps) {
    guarded.add(vps);
    record({ kind: 'ruleAdded', vps });
  }
}

/** Sets the clock of the machine an hour ahead or back. */
async function changeClockLater(world: World): Promise<void> {
  const { time, random } = world;
  await time.sleep(random.between(0, 180_000));
  const byMs = random.pick([-1, 1]) * 60 * 60_000;
  world.clockOffsetMs = byMs;
  world.record({ kind: 'clockChanged', byMs });
}
