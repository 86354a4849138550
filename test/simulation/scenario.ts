import type { Random } from './machine/random.ts';

/** What a seed decides before its simulation begins. */
export interface Scenario {
  /** One process that restarts, or two that share the database. */
  readonly processCount: 1 | 2;
  /** Calls that a key can make in any 60 s. */
  readonly quota: number;
  readonly requestCount: number;
  /** How many reads one person makes at once. */
  readonly floodSize: number;
  readonly faultRate: number;
  /** The chance of a crash, and of a delay, each time before and after a write or a call. */
  readonly crashRate: number;
  readonly delayRate: number;
  readonly freezeRate: number;
  /** How many processes are stopped and replaced, as in a deploy. */
  readonly stopCount: number;
  readonly maxCrashes: number;
  /** The chance that a delivery is repeated. */
  readonly duplicateRate: number;
  readonly hasClockChange: boolean;
  readonly hasRevocation: boolean;
  readonly needsApproval: boolean;
  readonly reportCount: number;
  /** How many VPS one command reboots. 0 for no such command. */
  readonly batchSize: number;
  /** How many of them at a time. 0 for all at once. */
  readonly batchPace: number;
  /** How many VPS are restored from a snapshot, mostly after another snapshot. */
  readonly restoreCount: number;
  readonly scheduleCount: number;
  readonly hasApprovedSchedules: boolean;
  readonly hasPausedSchedule: boolean;
  /** Whether the simulation goes on until the second occurrence of a schedule. */
  readonly hasSecondOccurrence: boolean;
  /** Whether people who lose their rights leave the workspace. */
  readonly doRevokedLeave: boolean;
  /** Whether somebody reads while another person fills the quota, once the trouble is over. */
  readonly hasCompetition: boolean;
  /** The share of calls to Slack that are slow, limited, or not answered. */
  readonly slackFaultRate: number;
  /** Whether the app is allowed to look for its messages. */
  readonly canSearchSlack: boolean;
  /** Whether the channel of the requests is archived, a person is deactivated, or the app is removed. */
  readonly slackChange: 'none' | 'archived' | 'deactivated' | 'removed';
  /** Whether the simulation goes on until ignored cards expire. */
  readonly waitsForExpiry: boolean;
}

export function chooseScenario(random: Random): Scenario {
  const scheduleCount = random.pick([0, 0, 1, 2]);
  const processCount = random.pick([1, 2] as const);
  const scenario = {
    processCount,
    quota: random.pick([6, 12, 50]),
    requestCount: random.between(2, 8),
    floodSize: random.pick([0, 0, 10, 40]),
    faultRate: random.pick([0, 0.05, 0.3]),
    crashRate: random.pick([0, 0.002, 0.01, 0.03]),
    delayRate: random.pick([0.05, 0.3]),
    freezeRate: random.pick([0, 0, 0.001, 0.005]),
    stopCount: random.pick([0, 0, 1, 3]),
    maxCrashes: random.between(1, 6),
    duplicateRate: random.pick([0, 0.3, 0.8]),
    // The clock of one machine. Replicas use that of PostgreSQL.
    hasClockChange: processCount === 1 && random.chance(0.3),
    hasRevocation: random.chance(0.4),
    needsApproval: random.chance(0.4),
    reportCount: random.pick([0, 0, 0, 1, 3]),
    waitsForExpiry: random.chance(0.1),
    batchSize: random.pick([0, 0, 2, 5]),
    batchPace: random.pick([0, 1, 2]),
    restoreCount: random.pick([0, 0, 0, 1, 2]),
    scheduleCount,
    hasApprovedSchedules: random.chance(0.5),
    hasPausedSchedule: scheduleCount > 0 && random.chance(0.2),
    hasSecondOccurrence: scheduleCount > 0 && random.chance(0.2),
    doRevokedLeave: random.chance(0.5),
    slackFaultRate: random.pick([0, 0.05, 0.3]),
    canSearchSlack: random.chance(0.7),
    slackChange: random.pick(['none', 'none', 'none', 'archived', 'deactivated', 'removed'] as const),
  };
  const { quota, hasClockChange, reportCount } = scenario;
  const hasCompetition = quota === 6 && processCount === 1 && !hasClockChange && reportCount === 0;
  return { ...scenario, hasCompetition };
}
