import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { HostingClient } from '../hosting/client.ts';
import type { Operation, Read } from '../operations/operation.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Database } from '../storage/database.ts';
import { createAddReport } from './add-report.ts';
import { reportContent } from './content.ts';
import { createDelivery } from './delivery.ts';
import { createKeepReports } from './keep-reports.ts';
import { createReportMemory } from './memory-store.ts';
import { collectingMs } from './pace.ts';
import { createPauses } from './pauses.ts';
import { callsOf } from './room.ts';
import { createRunReport } from './run-report.ts';
import type { Clock } from './schedule/clock.ts';
import { createDueStore } from './schedule/due-store.ts';
import type { Report } from './schedule/report.ts';
import { createReportStore } from './schedule/report-store.ts';
import { createScheduler } from './schedule/scheduler.ts';
import type { ReportVoice } from './voice.ts';

/** How long a process is taken to be alive after its last sign of life. */
const leaseMs = 60_000;

interface ReportsParts {
  readonly db: Database;
  /** Gives the client of a workspace's key, whose calls throw `key_missing` where there is none. */
  readonly hostingFor: (teamId: string) => HostingClient;
  readonly runs: Pick<RunStore, 'record'>;
  readonly voice: ReportVoice;
  readonly clock: Clock;
  /** Whether other processes look at the same reports. */
  readonly shared: boolean;
  readonly log: Pick<Logger, 'warn' | 'error'>;
}

/** The reports of all workspaces. */
export interface Reports {
  readonly operations: readonly Operation[];
  /** Lets reports come from now on. */
  start(): Promise<void>;
  /** Resolves when none is worked on any more; what is not over is taken up by the next process. */
  stop(): Promise<void>;
  /** The app is not in a workspace any more: its reports are forgotten. */
  departed(teamId: string): Promise<void>;
}

/** Creates what plans, makes and posts reports. */
export function createReports({ db, hostingFor, runs, voice, clock, shared, log }: ReportsParts): Reports {
  const { now } = clock;
  const store = createReportStore(db);
  const memory = createReportMemory(db);
  const pauses = createPauses({ store, runs, voice, now, log });

  const readFor =
    (teamId: string): Read =>
    (endpoint, input, options) =>
      hostingFor(teamId).call(endpoint, input, { lane: 'background', ...options });

  /** A report begins as early as its calls need to leave, after those that wait already. */
  async function leadFor(report: Report): Promise<number> {
    const last = await memory.find(report.id);
    const vpsCount = last ? Object.keys(last.vps).length : reportContent.parse(report.content).vpsCount;
    const { backgroundLimit, waitMs } = await hostingFor(report.teamId).usage();
    return waitMs.background + collectingMs(callsOf(report, vpsCount), backgroundLimit);
  }

  const scheduler = createScheduler({
    store: createDueStore(db),
    reports: pauses,
    clock,
    owner: randomUUID(),
    leaseMs,
    shared,
    leadFor,
    begin: createDelivery({ memory, pauses, voice, readFor, clock, log }),
    log,
  });
  const kept = { store, wake: scheduler.wake, now };

  return {
    operations: [
      createRunReport({ store, giveFile: voice.giveFile, now }),
      createAddReport({ ...kept, voice }),
      ...createKeepReports(kept),
    ],
    async start() {
      await scheduler.start();
      pauses.tell().catch((error: unknown) => {
        log.warn({ err: error }, 'the reports that rest could not be looked at');
      });
    },
    stop: scheduler.stop,
    async departed(teamId) {
      await memory.forgetAllOf(teamId);
      await store.forgetAllOf(teamId);
    },
  };
}
