import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createEscalationJob } from '../../../../src/monitoring/watches/delivery/escalation-job.ts';
import type { Incident } from '../../../../src/monitoring/watches/evaluation/incident.ts';
import type { Watch } from '../../../../src/monitoring/watches/watch.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { settle } from '../../../jobs/jobs-fixture.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-11-25T00:00Z');

test('an escalation is sent although its message could not be built at first', async () => {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const clock = createManualClock(startMs);
  let incident = {
    beganMs: startMs,
    members: { 'VPS-10001': { sinceMs: startMs, endedMs: null } },
    response: { acknowledged: null, escalation: null, postedMs: startMs, unacknowledgedMs: null },
  } as unknown as Incident;
  const toWatch = () =>
    ({
      ...{ id: 'watch-1', teamId: 'T1', name: 'busy', state: { kind: 'active' } },
      condition: { measure: 'cpu', is: 'over', figure: 90, forMs: 0 },
      escalation: { afterMs: 5 * minuteMs, to: 'S0ONCALL' },
      alertState: { incident, messageTs: '1.1' },
    }) as unknown as Watch;
  const pings: (string | undefined)[] = [];
  let labelCount = 0;
  const jobs = createJobs({
    db,
    databaseClock: createLocalDatabaseClock(clock),
    hasReplicas: false,
    log: { warn() {}, error() {} },
  });
  onTestFinished(() => jobs.stop(0));
  const escalation = createEscalationJob({
    jobs,
    store: {
      get: async () => toWatch(),
      async changeIncident(_id, _beganMs, change) {
        const changed = change(incident);
        if (!changed) return undefined;
        incident = changed;
        return toWatch();
      },
    },
    publisher: {
      async replyInThread(_watch, _ts, { ping }) {
        pings.push(ping);
        return { kind: 'posted', ts: '1.2' };
      },
    },
    recipients: { findProblem: async () => undefined },
    async labelVpsFor() {
      labelCount += 1;
      if (labelCount === 1) throw new Error('The database failed.');
      return (name) => name;
    },
    isSilentAbout: async () => false,
    refresh: async () => {},
    log: { warn() {} },
  });
  await escalation.schedule(toWatch(), incident);
  await jobs.start();
  await clock.advanceTo(startMs + 6 * minuteMs, settle);
  expect(pings).toEqual(['S0ONCALL']);
  expect(incident.response.escalation).toBe('sent');
});
