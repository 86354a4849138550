import { afterEach, beforeEach, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import type { SendResult } from '../../../../src/messages/message.ts';
import { createOutbox } from '../../../../src/messages/outbox.ts';
import { outcomeContent } from '../../../../src/messages/post-outcome.ts';
import { createAlertNotifier } from '../../../../src/monitoring/watches/delivery/alert-notifier.ts';
import { createWatchPauses } from '../../../../src/monitoring/watches/delivery/close-alert.ts';
import { createEscalationJob } from '../../../../src/monitoring/watches/delivery/escalation-job.ts';
import { createUnreadNotifier } from '../../../../src/monitoring/watches/delivery/unread-notices.ts';
import { advanceAlert } from '../../../../src/monitoring/watches/evaluation/alert.ts';
import { okAlertState } from '../../../../src/monitoring/watches/evaluation/vps-alert-state.ts';
import type { Watch } from '../../../../src/monitoring/watches/watch.ts';
import { createWatchStore } from '../../../../src/monitoring/watches/watch-store.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import { createRunStore } from '../../../../src/runs/store/run-store.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { settle } from '../../../jobs/jobs-fixture.ts';
import { testVault } from '../../../runs/test-vault.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
export const nowMs = Date.parse('2026-11-23T08:00Z');
export const minuteMs = 60_000;

/** A message in Slack, as the outbox has posted and edited it. */
interface Posted {
  readonly kind: string;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly ping: string | undefined;
  readonly shown: Outcome[];
}

export const breached = {
  ...okAlertState,
  isAlerting: true,
  sinceMs: nowMs - 12 * minuteMs,
  worst: 97,
  latest: 93,
};
export const recovered = { ...okAlertState, backMs: nowMs };
export const begins = (vps: string) => ({ vps, before: okAlertState, after: breached });
export const ends = (vps: string) => ({ vps, before: breached, after: recovered });

/**
 * Opens a database for each test. The returned function stores a watch with alerting VPS, and returns it
 * with what it shows by the outbox.
 */
export function useAlertNotifier() {
  let database: OpenDatabase;
  const stops: (() => Promise<unknown>)[] = [];
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:', { log });
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
    await database.close();
  });

  return async function setUp(vps: readonly string[] = ['VPS-10004']) {
    const { db } = database;
    const clock = createManualClock(nowMs);
    const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: false, log });
    stops.push(() => jobs.stop(0));
    const outbox = createOutbox({ db, jobs, log });
    const posted: Posted[] = [];
    const unreachable = new Set<string>();
    const edit = (ts: string, content: unknown): SendResult => {
      posted[Number(ts)]?.shown.push(outcomeContent.parse(content).outcome);
      return { kind: 'sent', ref: { channel: 'C0OPS', ts } };
    };
    outbox.connect({
      transport: {
        async post({ kind, channel, threadTs, content }) {
          if (unreachable.has(channel)) return { kind: 'unreachable', reason: 'is_archived' };
          const { ping, outcome } = outcomeContent.parse(content);
          posted.push({ kind, channel, threadTs, ping, shown: [outcome] });
          return { kind: 'sent', ref: { channel, ts: String(posted.length - 1) } };
        },
        edit: async ({ content }, { ts }) => edit(ts, content),
        remove: async () => ({ kind: 'empty' }),
        find: async () => ({ kind: 'notFound' }),
      },
      listAdmins: async () => [],
    });
    const store = createWatchStore(db);
    const hooks = { label: async () => {} };
    const parts = {
      store,
      outbox,
      recipients: { findProblem: async () => undefined },
      async labelVpsFor() {
        await hooks.label();
        return (text: string) => text;
      },
    };
    const { pauseIn } = createWatchPauses(store, outbox, {
      runs: createRunStore(db, testVault),
      listAdmins: async () => [],
      clock,
    });
    const notifyAlert = createAlertNotifier({
      ...parts,
      pauseIn,
      scheduleEscalation: (...alert) => escalation.schedule(...alert),
      schedulePicture: async () => {},
      clock,
    });
    const escalation = createEscalationJob({
      ...parts,
      jobs,
      isActive: async () => true,
      isSilentAbout: async () => false,
      refresh: notifyAlert.refresh,
    });
    await jobs.start();
    const condition = { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs } as const;
    const plan = {
      ...{ name: 'CPU', channel: 'C0OPS', vps: '*', condition, notify: 'U0BOB' },
      escalation: { afterMs: 5 * minuteMs, to: 'U0CAROL' },
    };
    const set = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, nowMs);
    if (!set) throw new Error('the name is taken');

    const current = async (): Promise<Watch> => {
      const [watch] = await store.list('T0ACME');
      if (!watch) throw new Error('the watch is gone');
      return watch;
    };
    const step = async (steps: Parameters<typeof advanceAlert>[1]) => {
      const watch = await current();
      const alert = advanceAlert(watch.alertState.alert ?? undefined, steps, clock.now()) ?? null;
      await store.saveAlertState(watch, { ...watch.alertState, alert });
    };
    await step(vps.map(begins));
    /** Lets time pass, and waits until everything that is due was sent. */
    async function advance(minutes = 0) {
      await clock.advanceTo(clock.now() + minutes * minuteMs, settle);
      for (let turn = 0; turn < 20; turn += 1) await settle();
    }
    const notifyOf = async (...watches: readonly Watch[]) => {
      await Promise.all(watches.map(notifyAlert));
      await advance();
    };
    return {
      db,
      outbox,
      notifier: notifyAlert,
      posted,
      unreachable,
      hooks,
      store,
      current,
      step,
      advance,
      notifyOf,
      notifyUnread: createUnreadNotifier({
        store,
        outbox,
        pauseIn,
        labelVpsFor: parts.labelVpsFor,
        clock,
      }),
      notify: async () => notifyOf(await current()),
    };
  };
}
