import { afterEach, beforeEach, vi } from 'vitest';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import type { FindResult, PostResult } from '../../../../src/monitoring/shared/channel-publisher.ts';
import { createPauseNotifier } from '../../../../src/monitoring/shared/pauses/pause-notifier.ts';
import { createIncidentNotifier } from '../../../../src/monitoring/watches/delivery/incident-notifier.ts';
import type {
  EditResult,
  IncidentPublisher,
} from '../../../../src/monitoring/watches/delivery/incident-publisher.ts';
import { advanceIncident } from '../../../../src/monitoring/watches/evaluation/incident.ts';
import { okAlertState } from '../../../../src/monitoring/watches/evaluation/vps-alert-state.ts';
import type { Watch } from '../../../../src/monitoring/watches/watch.ts';
import { createWatchStore } from '../../../../src/monitoring/watches/watch-store.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };
export const nowMs = Date.parse('2026-11-23T08:00Z');
export const minuteMs = 60_000;

/** Returns a channel that responds with these results in turn, and then with success. */
export function createFakeChannel(
  answers: readonly (PostResult | Error)[] = [],
  edits: readonly EditResult[] = [],
) {
  const left = [...answers];
  const editsLeft = [...edits];
  const posts: Outcome[] = [];
  const edited: Outcome[] = [];
  const replies: Outcome[] = [];
  const notices: string[] = [];
  const sought = { answer: { kind: 'notFound' } as FindResult, times: 0 };
  const attempts = { count: 0 };
  const whileSpeaking = { work: async (): Promise<void> => undefined };
  const publisher: IncidentPublisher = {
    async post(_, __, { outcome }) {
      attempts.count += 1;
      const answer = left.shift() ?? { kind: 'posted', ts: '1.000100' };
      await whileSpeaking.work();
      whileSpeaking.work = async () => undefined;
      if (answer instanceof Error) throw answer;
      if (answer.kind === 'posted') posts.push(outcome);
      return answer;
    },
    async findPost() {
      sought.times += 1;
      return sought.answer;
    },
    async edit(_, ts, outcome) {
      const answer = editsLeft.shift() ?? { kind: 'posted', ts };
      await whileSpeaking.work();
      whileSpeaking.work = async () => undefined;
      if (typeof answer === 'object' && 'ts' in answer) edited.push(outcome);
      return answer;
    },
    async replyInThread(_, ts, { outcome }) {
      replies.push(outcome);
      return { kind: 'posted', ts } as const;
    },
    findEscalation: async () => ({ kind: 'notFound' }) as const,
    announce: async () => ({ kind: 'posted', ts: '1.0' }) as const,
    postText: async () => ({ kind: 'posted', ts: '1.0' }) as const,
    async sendDirectMessage({ userId }, { title }) {
      notices.push(`${userId}: ${title}`);
      return true;
    },
  };
  return { publisher, posts, edited, replies, notices, sought, attempts, whileSpeaking };
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
 * Opens a database for each test. The returned function stores a watch with alerting VPS in place of
 * an earlier one, and returns it with its notifier.
 */
export function useIncidentNotifier() {
  let database: OpenDatabase;
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:', { log });
  });
  afterEach(() => database.close());

  return async function setUp(channel = createFakeChannel(), vps: readonly string[] = ['VPS-10004']) {
    await database.db.deleteFrom('watch').execute();
    const store = createWatchStore(database.db);
    const clock = createManualClock(nowMs);
    const pauseNotifier = createPauseNotifier({
      kind: 'watch',
      store,
      runs: { addAuditEntry: vi.fn(async () => undefined) },
      publisher: channel.publisher,
      directory: { findMemberType: async () => 'member' },
      listAdmins: async () => [],
      clock,
      log,
    });
    const notifyIncident = createIncidentNotifier({
      store,
      publisher: channel.publisher,
      recipients: { findProblem: async () => undefined },
      scheduleEscalation: async () => undefined,
      labelVpsFor: async () => (text) => text,
      clock,
      log,
    });
    const condition = { measure: 'cpu', is: 'over', figure: 90, forMs: 10 * minuteMs } as const;
    const plan = { name: 'CPU', channel: 'C0OPS', vps: '*', condition };
    const set = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, nowMs);
    if (!set) throw new Error('the name is taken');
    const { signal } = new AbortController();

    const current = async (): Promise<Watch> => {
      const [watch] = await store.list('T0ACME');
      if (!watch) throw new Error('the watch is gone');
      return watch;
    };
    const step = async (steps: Parameters<typeof advanceIncident>[1]) => {
      const watch = await current();
      const incident = advanceIncident(watch.alertState.incident ?? undefined, steps, clock.now()) ?? null;
      await store.saveAlertState(watch, { ...watch.alertState, incident });
    };
    await step(vps.map(begins));
    return {
      ...channel,
      clock,
      store,
      pauseNotifier,
      current,
      step,
      close: notifyIncident.close,
      notify: async () => notifyIncident(await current(), signal),
      notifyOf: (watch: Watch) => notifyIncident(watch, signal),
    };
  };
}
