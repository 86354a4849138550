import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { CreatorStanding } from '../../../../src/auth/creator-standing.ts';
import { type OpenDatabase, openDatabase } from '../../../../src/db/engines/database.ts';
import { RackhandError } from '../../../../src/errors.ts';
import type { CallData } from '../../../../src/hosting/client/hosting-client.ts';
import type { GetEndpoint } from '../../../../src/hosting/endpoints/endpoint.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createOutbox } from '../../../../src/messages/outbox.ts';
import { createPostOutcome, outcomeKind } from '../../../../src/messages/post-outcome.ts';
import { createReportDelivery } from '../../../../src/monitoring/reports/delivery/report-delivery.ts';
import {
  reportKinds,
  reportMessageContent,
} from '../../../../src/monitoring/reports/delivery/report-messages.ts';
import { reportContent } from '../../../../src/monitoring/reports/planning/report-plan.ts';
import { createReportStore, type Report } from '../../../../src/monitoring/reports/report.ts';
import type { OccurrenceContext } from '../../../../src/monitoring/reports/report-job.ts';
import { createBaselineStore } from '../../../../src/monitoring/reports/summary/baseline.ts';
import { createPauses } from '../../../../src/monitoring/shared/pauses/pauses.ts';
import { noSilence } from '../../../../src/monitoring/shared/silence.ts';
import type { Outcome } from '../../../../src/operations/define/outcome.ts';
import type { Read } from '../../../../src/operations/define/read.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { endMs } from '../../shared/histories.ts';

const log = { warn: vi.fn(), error: vi.fn(), info: vi.fn(), debug: vi.fn() };

/**
 * Opens a database for each test. The returned function stores a report that is due in place of an
 * earlier one, and returns it with its delivery.
 */
function useReportDelivery() {
  let database: OpenDatabase;
  beforeEach(async () => {
    database = await openDatabase('sqlite::memory:', { log });
  });
  afterEach(() => database.close());

  return async function setUp(post: 'always' | 'standsOut' | 'changed' = 'always') {
    const { db } = database;
    await db.deleteFrom('plan').execute();
    const clock = createManualClock(endMs - 60_000);
    const store = createReportStore(db);
    const baselines = createBaselineStore(db);
    const addAuditEntry = vi.fn(async () => undefined);
    const runs = { addAuditEntry };
    const jobs = createJobs({ db, databaseClock: createLocalDatabaseClock(clock), hasReplicas: false, log });
    const outbox = createOutbox({ db, jobs, log });
    const { transact } = outbox;
    const postOutcome = createPostOutcome(outbox);
    await db.deleteFrom('message').execute();
    const listAdmins = async () => ['U0BOB', 'U0CAROL'];
    const others = { memory_percent: 40, disk_percent: 40 };
    const trafficPoints = [2, 1].map((hours) => ({
      time: endMs / 1_000 - hours * 3_600,
      rx_bytes_per_second: 1_000,
    }));
    const service = { state: 'running', error: undefined as RackhandError | undefined };
    const read: Read = async <E extends GetEndpoint>(endpoint: E, input: object) => {
      if (service.error) throw service.error;
      const one = { name: 'VPS-10001', status: service.state, cpu_percent: 50, ...others };
      const answer = 'query' in input ? { points: trafficPoints } : 'params' in input ? one : { vps: [one] };
      return endpoint.data.parse(answer) as CallData<E>;
    };
    const content = reportContent.parse({ vps: '*', vpsCount: 1, settings: { post } });
    const timing = { kind: 'day', at: '05:00', zone: 'UTC', quiet: [] } as const;
    const plan = { name: 'Morning', channel: 'C0OPS', timing, content };
    const report = await store.add({ teamId: 'T0ACME', userId: 'U0ALICE' }, plan, clock.now());
    if (!report) throw new Error('the name is taken');
    const creator: { standing: CreatorStanding } = { standing: 'allowed' };
    const deliver = createReportDelivery({
      baselines,
      findCreatorStanding: async () => creator.standing,
      pause: createPauses<Report>({ kind: 'report', store, postOutcome, transact, runs, listAdmins, clock })
        .pause,
      outbox,
      uploadChart: async () => 'F0PICTURE',
      readFor: () => read,
      listVpsAliases: async () => new Map(),
      listAlerts: async () => undefined,
      loadSilence: async () => noSilence,
      clock,
      log,
    });
    const due = (more: Partial<OccurrenceContext> = {}): OccurrenceContext => ({
      dueMs: endMs,
      untilMs: endMs + 6 * 3_600_000,
      willRetry: () => true,
      skippedSinceMs: null,
      signal: new AbortController().signal,
      finish: (work) => outbox.transact(work),
      ...more,
    });
    const stateOf = async ({ id }: Report) => (await store.get(id))?.state;
    return {
      deliver,
      report,
      due,
      clock,
      service,
      creator,
      baselines,
      addAuditEntry,
      stateOf,
      /** Lists what is posted in the channel. */
      async listPosts() {
        const rows = await db
          .selectFrom('message')
          .selectAll()
          .where('kind', '=', reportKinds.report)
          .orderBy('key')
          .execute();
        return rows.map(({ content }) => reportMessageContent.parse(JSON.parse(content)));
      },
      /** Lists the notices to people. */
      async listNotices() {
        const rows = await db.selectFrom('message').selectAll().where('kind', '=', outcomeKind).execute();
        return rows.map(({ channel: to, fallbacks, about }) => `${to}, or ${fallbacks}: ${about}`);
      },
    };
  };
}

const setUp = useReportDelivery();
const notesOf = (post: { readonly outcome: Outcome } | undefined) => post?.outcome.notes?.join(' ') ?? '';

describe('a report that cannot be made', () => {
  test('waits while Slack does not say what its creator can view, and pauses if it is too little', async () => {
    const { deliver, report, due, listPosts, creator, stateOf, listNotices } = await setUp();
    creator.standing = 'unknown';
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'member_unknown' });
    creator.standing = 'denied';
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'creator' });
    expect(await listPosts()).toEqual([]);
    // Whoever resumes it becomes its creator, so the admins decide.
    expect(await listNotices()).toEqual([
      'U0BOB, or []: Report "Morning" is paused',
      'U0CAROL, or []: Report "Morning" is paused',
      'C0OPS, or []: Report "Morning" is paused',
    ]);
  });

  const failed = new RackhandError('service_failed', 'The hosting service failed.');

  test('is retried for a quarter of its period, and then says so in its channel', async () => {
    const { deliver, report, due, listPosts, service, baselines } = await setUp();
    service.error = failed;
    await expect(deliver(report, due())).rejects.toBe(failed);
    expect(await listPosts()).toEqual([]);
    await deliver(report, due({ willRetry: () => false }));
    expect((await listPosts()).map(({ outcome }) => outcome.title)).toEqual(['Report "Morning" failed']);
    expect(notesOf((await listPosts())[0])).toContain('The hosting service failed.');
    expect(await baselines.find(report.id)).toBeUndefined();
  });
});

describe('the delivery of a report', () => {
  test('posts it with its chart, and stores its baseline', async () => {
    const { deliver, report, due, listPosts, baselines } = await setUp();
    await deliver(report, due());
    expect(await listPosts()).toHaveLength(1);
    expect((await listPosts())[0]?.outcome.title).toBe('Nothing stands out about VPS-10001');
    expect(notesOf((await listPosts())[0])).not.toMatch(/repeat|\blate\b|No reports were posted/);
    expect(await baselines.find(report.id)).toMatchObject({ untilMs: endMs, vps: { 'VPS-10001': {} } });
  });

  test('posts nothing while nothing changes, if the team wants that', async () => {
    const { deliver, report, due, listPosts, service } = await setUp('changed');
    await deliver(report, due());
    await deliver(report, due({ dueMs: endMs + 1 }));
    expect(await listPosts()).toHaveLength(1);
    service.state = 'stopped';
    await deliver(report, due({ dueMs: endMs + 2 }));
    await deliver(report, due({ dueMs: endMs + 3 }));
    expect((await listPosts()).map(({ outcome }) => outcome.title)).toEqual([
      'Nothing stands out about VPS-10001',
      'The VPS needs a look: VPS-10001 stopped',
    ]);
  });

  test('is paused if the key is rejected, and tried again if the service fails', async () => {
    const { deliver, report, due, listNotices, service, stateOf } = await setUp();
    service.error = new RackhandError('service_failed', 'The service failed.');
    await expect(deliver(report, due())).rejects.toMatchObject({ code: 'service_failed' });
    expect(await stateOf(report)).toMatchObject({ kind: 'active' });
    service.error = new RackhandError('key_rejected', 'The key is not accepted.');
    await deliver(report, due());
    expect(await stateOf(report)).toMatchObject({ kind: 'paused', reason: 'key' });
    expect(await listNotices()).toEqual([
      'U0ALICE, or ["U0BOB","U0CAROL"]: Report "Morning" is paused',
      'C0OPS, or []: Report "Morning" is paused',
    ]);
  });
});
