import { expect, test } from 'vitest';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import { minuteMs, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

test('a card stays valid although the process that handed its request over still checks the target', async () => {
  const checking = Promise.withResolvers<void>();
  const access = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  const stopping = fixture.createRunner({
    async resolveAccess() {
      checking.resolve();
      await access.promise;
      return () => undefined;
    },
    runs: {
      ...fixture.runs,
      async saveConfirmation(...args) {
        const isSaved = await fixture.runs.saveConfirmation(...args);
        saved.resolve();
        return isSaved;
      },
    },
  });
  const interrupted = fixture.request(stopping, 'reboot', { vps: 'VPS-10001' });
  await checking.promise;
  stopping.interrupt();
  expect(await interrupted).toEqual({ kind: 'handedOver' });

  const jobs = createJobs({
    db: fixture.database.db,
    databaseClock: createLocalDatabaseClock({ ...createSystemClock(), now: () => fixture.nowMs }),
    hasReplicas: false,
    log: { warn: () => undefined, error: () => undefined },
  });
  const next = fixture.createRunner({ jobs, hasReplicas: true });
  const delivered = Promise.withResolvers<RunReply>();
  next.handOverEvents.on('continued', async (work) => {
    if (work.kind !== 'request') return;
    const reply = await next.resume(work);
    await next.markDelivered(reply);
    delivered.resolve(reply);
  });
  await jobs.start();
  expect(await delivered.promise).toMatchObject({ kind: 'confirmation' });
  await jobs.stop(1_000);
  access.resolve();
  await saved.promise;
  fixture.nowMs += minuteMs;
  await next.start();
  await next.stop();
  expect(fixture.announced).toEqual([]);
});
