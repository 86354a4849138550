import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../../src/db/engines/database.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { createEscalationJob } from '../../../../src/monitoring/watches/delivery/escalation-job.ts';
import type { Incident, IncidentResponse } from '../../../../src/monitoring/watches/evaluation/incident.ts';
import type { Watch } from '../../../../src/monitoring/watches/watch.ts';
import { createManualClock } from '../../../jobs/clocks/manual-clock.ts';
import { settle } from '../../../jobs/jobs-fixture.ts';

const minuteMs = 60_000;
const startMs = Date.parse('2026-11-25T00:00Z');

/** Starts a process with an alert that is escalated after five minutes. */
async function startEscalation(stored: Partial<IncidentResponse> = {}) {
  const { db, close } = await openDatabase('sqlite::memory:');
  onTestFinished(close);
  const clock = createManualClock(startMs);
  let incident = {
    beganMs: startMs,
    members: { 'VPS-10001': { sinceMs: startMs, endedMs: null } },
    response: {
      ...{ acknowledged: null, escalation: null, postedMs: startMs },
      ...stored,
    },
  } as unknown as Incident;
  const toWatch = () =>
    ({
      ...{ id: 'watch-1', teamId: 'T1', name: 'busy', state: { kind: 'active' } },
      condition: { measure: 'cpu', is: 'over', figure: 90, forMs: 0 },
      escalation: { afterMs: 5 * minuteMs, to: 'S0ONCALL' },
      alertState: { incident, messageTs: '1.1' },
    }) as unknown as Watch;
  const posted: string[] = [];
  const hooks = {
    label: async () => {},
    post: async () => {},
    find: async (): Promise<'found' | 'notFound' | 'unreadable'> => 'notFound',
  };
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
      async replyInThread(_watch, _ts, { ping, outcome: { notes = [] } }) {
        posted.push(notes.some((note) => note.includes('may be a repeat')) ? `${ping}, repeated` : `${ping}`);
        await hooks.post();
        return { kind: 'posted', ts: '1.2' };
      },
      findEscalation: async () => ({ kind: await hooks.find(), ts: '1.2' }),
    },
    recipients: { findProblem: async () => undefined },
    async labelVpsFor() {
      await hooks.label();
      return (name) => name;
    },
    isSilentAbout: async () => false,
    refresh: async () => {},
    log: { warn() {} },
  });
  await escalation.schedule(toWatch(), incident);
  await jobs.start();
  return {
    hooks,
    posted,
    advance: (minutes: number) => clock.advanceTo(clock.now() + minutes * minuteMs, settle),
    result: () => incident.response.escalation,
  };
}

/** Returns a function that fails at its first calls. */
function failTimes(count: number) {
  let left = count;
  return async () => {
    left -= 1;
    if (left >= 0) throw new Error('The call failed.');
  };
}

test('an escalation is sent although its message could not be built at first', async () => {
  const { hooks, posted, advance, result } = await startEscalation();
  hooks.label = failTimes(1);
  await advance(6);
  expect({ posted, result: result() }).toEqual({ posted: ['S0ONCALL'], result: 'sent' });
});

test('an escalation that Slack did not confirm is sent again after a minute, unless it arrived', async () => {
  const lost = await startEscalation();
  lost.hooks.post = failTimes(1);
  await lost.advance(7);
  expect({ posted: lost.posted, result: lost.result() }).toEqual({
    posted: ['S0ONCALL', 'S0ONCALL'],
    result: 'sent',
  });
  const arrived = await startEscalation();
  arrived.hooks.post = failTimes(1);
  arrived.hooks.find = async () => 'found';
  await arrived.advance(7);
  expect({ posted: arrived.posted, result: arrived.result() }).toEqual({
    posted: ['S0ONCALL'],
    result: 'sent',
  });
});

test('without the right to read the channel, an escalation is sent again as a possible repeat, three times at most', async () => {
  const { hooks, posted, advance, result } = await startEscalation();
  hooks.post = failTimes(10);
  hooks.find = async () => 'unreadable';
  await advance(15);
  expect(posted).toEqual(['S0ONCALL', 'S0ONCALL, repeated', 'S0ONCALL, repeated']);
  expect(result()).toBe('unknown');
});

test.each([
  { find: 'found', result: 'sent', count: 0 },
  { find: 'notFound', result: 'sent', count: 1 },
  { find: 'unreadable', result: 'unknown', count: 0 },
] as const)('a process that ends while it sends an escalation: $find', async (given) => {
  const { hooks, posted, advance, result } = await startEscalation({ escalation: 'sending' });
  hooks.find = async () => given.find;
  await advance(6);
  expect({ result: result(), count: posted.length }).toEqual({ result: given.result, count: given.count });
});
