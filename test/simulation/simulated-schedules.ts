import type { FindCreatorStanding } from '../../src/auth/creator-standing.ts';
import type { Database } from '../../src/db/engines/database.ts';
import type { HostingClient } from '../../src/hosting/client/hosting-client.ts';
import type { ResolveAccess } from '../../src/operations/define/access/access.ts';
import type { Outcome } from '../../src/operations/define/outcome.ts';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import type { Runner } from '../../src/runs/runner.ts';
import type { RunStore } from '../../src/runs/store/run-store.ts';
import { createOccurrenceExecutor } from '../../src/schedules/execution/execute-occurrence.ts';
import { createScheduleJob } from '../../src/schedules/schedule-job.ts';
import { createScheduleStore, createSnapshotStore } from '../../src/schedules/schedule-store.ts';
import type { Gate } from './machine/shared-database.ts';
import { requesters, teamId } from './outside/changes.ts';
import { vpsNames } from './outside/hosting-service.ts';
import type { World } from './world.ts';

const catalogue = hostingOperations();

/** The VPS of schedules. Nobody else changes them. */
const firstVps = 15;
const vpsPerSchedule = 2;

/** When the occurrences of the recurring schedule are due. */
export const firstOccurrenceMs = 2 * 60_000;
export const secondOccurrenceMs = 32 * 60_000;

/** Adds the schedules of the scenario: one is due at minute 2 and at minute 32, the other one at minute 3. */
export async function addSchedules({ shared, scenario, random, time }: World): Promise<void> {
  const store = createScheduleStore(shared.db);
  const nowMs = time.wallNow();
  const timings = [
    { kind: 'cron', expression: '2,32 * * * *', zone: 'UTC' },
    { kind: 'once', atMs: nowMs + 3 * 60_000, zone: 'UTC' },
  ] as const;
  for (const [index, timing] of timings.slice(0, scenario.scheduleCount).entries()) {
    const from = firstVps + index * vpsPerSchedule;
    const vps = vpsNames.slice(from, from + vpsPerSchedule);
    const words = vps.join(' ');
    const act = { operation: 'reboot', input: {}, vps: words, title: 'Reboot', command: 'reboot', when: '' };
    const plan = { name: `schedule ${index}`, channel: `C-${index}`, act, timing, keep: null, announceMs: 0 };
    const owner = { teamId, userId: random.pick(requesters) };
    const state = scenario.hasApprovedSchedules ? 'approval' : 'active';
    const added = await store.add(owner, plan, state, nowMs);
    if (state === 'approval') await store.approve(added, 'U8', vps, nowMs);
  }
}

/** Pauses a schedule, as a person does. */
export async function pauseScheduleLater({ shared, random, time, record }: World): Promise<void> {
  const store = createScheduleStore(shared.db);
  await time.sleep(random.between(100_000, 200_000));
  const [schedule] = await store.list(teamId);
  if (schedule && (await store.pause(schedule, { reason: 'person', byUserId: 'U9' }, time.wallNow())))
    record({ kind: 'schedulePaused', scheduleId: schedule.id });
}

interface ScheduleProcess {
  readonly db: Database;
  readonly client: HostingClient;
  readonly gate: Gate;
  readonly runs: RunStore;
  readonly runner: () => Runner;
  readonly resolveAccess: ResolveAccess;
}

/** Creates the real schedule job of a process. Only Slack is simulated. */
export function createSimulatedScheduleJob(world: World, process: ScheduleProcess) {
  const { db, client, gate } = process;
  const store = createScheduleStore(db);
  const { scenario, revoked } = world;

  async function tell(channel: string, outcome: Outcome) {
    await gate('before a post');
    const due = outcome.facts?.find(({ label }) => label === 'Time')?.value;
    const dueMs = typeof due === 'object' && due.kind === 'time' ? due.timeMs : undefined;
    world.record({ kind: 'scheduleTold', channel, title: outcome.title, dueMs });
    await gate('after a post');
  }

  const findCreatorStanding: FindCreatorStanding = async ({ userId }) =>
    scenario.doRevokedLeave && revoked.has(userId) ? 'left' : 'allowed';

  return createScheduleJob({
    store,
    executeOccurrence: createOccurrenceExecutor({
      ...process,
      store,
      snapshots: createSnapshotStore(db),
      catalogue: () => catalogue,
      hostingFor: () => client,
      listVpsAliases: async () => new Map(),
      findCreatorStanding,
    }),
    postOutcome: (_key, { channel }, outcome) => tell(channel, outcome),
    transact: (work) => db.transaction().execute(work),
    findCreatorStanding,
    runs: process.runs,
    listAdmins: async () => ['U9'],
    clock: { now: () => Date.now() },
  });
}
