import { expect, test } from 'vitest';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import { actor, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

test('a card acts on the VPS that it shows, although the process that was stopped finds another one', async () => {
  const resolving = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  const saveResolvedInput: RunStore['saveResolvedInput'] = async (...args) => {
    const isSaved = await fixture.runs.saveResolvedInput(...args);
    saved.resolve();
    return isSaved;
  };
  const stopping = fixture.createRunner({
    runs: { ...fixture.runs, saveResolvedInput },
    async listVpsAliases() {
      resolving.resolve();
      await released.promise;
      return new Map([['VPS-10002', 'gate']]);
    },
  });
  const interrupted = fixture.request(stopping, 'reboot', { vps: 'gate' });
  await resolving.promise;
  stopping.interrupt();
  expect(await interrupted).toEqual({ kind: 'handedOver' });

  // Meanwhile, the team has given the name to another VPS.
  const jobs = createJobs({
    db: fixture.database.db,
    databaseClock: createLocalDatabaseClock({ ...createSystemClock(), now: () => fixture.nowMs }),
    hasReplicas: false,
    log: { warn: () => undefined, error: () => undefined },
  });
  const next = fixture.createRunner({ jobs, listVpsAliases: async () => new Map([['VPS-10001', 'gate']]) });
  const continued = Promise.withResolvers<RunReply>();
  next.handOverEvents.on('continued', async (work) => {
    if (work.kind === 'request') continued.resolve(await next.resume(work));
  });
  await jobs.start();
  const reply = await continued.promise;
  await jobs.stop(1_000);
  if (reply.kind !== 'confirmation') throw new Error(reply.kind);
  expect(reply.confirmation.title).toContain('VPS-10001');
  released.resolve();
  await saved.promise;
  expect(await next.confirm({ token: reply.confirmation.token, actor })).toEqual({ kind: 'started' });
  await next.stop();
  expect(await fixture.changingCalls()).toEqual(['POST /v1/vps/VPS-10001/action']);
});
