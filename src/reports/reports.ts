import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { HostingClient } from '../hosting/client.ts';
import type { Operation, Read } from '../operations/operation.ts';
import { leaseMs } from '../operations/runs/caretaker.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Database } from '../storage/database.ts';
import { createAddReport } from './add-report.ts';
import { createComings } from './comings.ts';
import { createDelivery } from './delivery.ts';
import { createEditReport } from './edit-report.ts';
import { createHoursStore } from './history/hours-store.ts';
import { createKeepReports } from './keep-reports.ts';
import { leadMs } from './lead.ts';
import { createListReports } from './list-reports.ts';
import { createReportMemory } from './memory-store.ts';
import type { MuteStore } from './mutes/mute-store.ts';
import { besideOthers } from './pace.ts';
import { createPauses } from './pauses.ts';
import { createReportSource } from './report-source.ts';
import { createRest } from './rest.ts';
import { plannedPerMinute } from './room.ts';
import { createRunReport } from './run-report.ts';
import type { Clock } from './schedule/clock.ts';
import { createDueStore } from './schedule/due-store.ts';
import type { Upcoming } from './schedule/report.ts';
import { createReportStore } from './schedule/report-store.ts';
import { createScheduler, longestLeadMs } from './schedule/scheduler.ts';
import { createShowReport } from './show-report.ts';
import type { ReportVoice } from './voice.ts';

interface ReportsParts {
  readonly db: Database;
  /** Gives the client of a workspace's key, whose calls throw `key_missing` where there is none. */
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: ReportVoice;
  readonly mutes: Pick<MuteStore, 'untilOf'>;
  /** Calls a minute that others make in the same lane, such as watches; none unless given. */
  readonly othersPerMinute?: (teamId: string) => Promise<number>;
  readonly clock: Clock;
  /** Whether other processes look at the same reports. */
  readonly shared: boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The reports of all workspaces. */
export interface Reports {
  readonly operations: readonly Operation[];
  /** Tells how many calls the reports of a workspace make in a minute, in the mean. */
  callsPerMinute(teamId: string): Promise<number>;
  /** Lets reports come from now on. */
  start(): Promise<void>;
  /** Resolves when none is worked on any more; what is not over is taken up by the next process. */
  stop(): Promise<void>;
  /** The app is not in a workspace any more: its reports are forgotten. */
  departed(teamId: string): Promise<void>;
}

/** Creates what plans, makes and posts reports. */
export function createReports({
  db,
  hostingFor,
  runs,
  voice,
  mutes,
  clock,
  shared,
  log,
  othersPerMinute = async () => 0,
}: ReportsParts): Reports {
  const { now } = clock;
  const store = createReportStore(db);
  const memory = createReportMemory(db);
  const hours = createHoursStore(db);
  const pauses = createPauses({ noun: 'report', store, runs, voice, clock, log });
  const rest = createRest(store, pauses);
  const unmade = { claim: store.claimUnmade, release: store.releaseUnmade };

  const readFor =
    (teamId: string): Read =>
    (endpoint, input, options) =>
      hostingFor(teamId).call(endpoint, input, { lane: 'background', ...options });

  const comingOf = createComings({ memory, hours, now });

  /** A report begins as early as its calls need to leave, beside those of others, and after those that wait already. */
  async function leadFor({ report, dueMs }: Upcoming): Promise<number> {
    const others = (await store.list(report.teamId)).flatMap((other) => {
      const nextMs = other.state.kind === 'active' ? other.state.nextMs : null;
      const isNear = nextMs !== null && Math.abs(nextMs - dueMs) < longestLeadMs;
      return isNear && other.id !== report.id ? comingOf(other, nextMs) : [];
    });
    const usage = await hostingFor(report.teamId).usage();
    const own = await comingOf(report, dueMs);
    const pace = besideOthers(usage, await othersPerMinute(report.teamId));
    return usage.waitMs.background + leadMs(own, await Promise.all(others), pace, !shared);
  }

  const scheduler = createScheduler({
    store: createDueStore(db),
    rest,
    clock,
    owner: randomUUID(),
    leaseMs,
    shared,
    leadFor,
    begin: createDelivery({ memory, unmade, rest, voice, readFor, hours, mutes, clock, log }),
    log,
  });
  const reports = createReportSource(store);
  const kept = { store, reports, othersPerMinute, wake: scheduler.wake, now };

  return {
    operations: [
      createRunReport({ store, reports, giveFile: voice.giveFile, hours, mutes, now }),
      createAddReport({ ...kept, voice }),
      createListReports(kept),
      createShowReport(kept),
      createEditReport({ ...kept, voice }),
      ...createKeepReports(kept),
    ],
    callsPerMinute: async (teamId) => plannedPerMinute(await store.list(teamId)),
    async start() {
      await scheduler.start();
      // Not waited for: Slack may be slow.
      void pauses.start();
    },
    async stop() {
      pauses.stop();
      await scheduler.stop();
    },
    async departed(teamId) {
      await memory.forgetAllOf(teamId);
      await hours.forgetAllOf(teamId);
      await store.forgetAllOf(teamId);
    },
  };
}
