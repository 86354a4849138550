import { expect, test } from 'vitest';
import type { HostingClient } from '../../../src/hosting/client/hosting-client.ts';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { createLocalDatabaseClock } from '../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../src/jobs/jobs.ts';
import type { RunReply } from '../../../src/runs/run-reply.ts';
import { minuteMs, useRunnerFixture } from '../runner-fixture.ts';

const fixture = useRunnerFixture();

const createWorker = () =>
  createJobs({
    db: fixture.database.db,
    databaseClock: createLocalDatabaseClock({ ...createSystemClock(), now: () => fixture.nowMs }),
    hasReplicas: false,
    log: { warn: () => undefined, error: () => undefined },
  });

test('a card stays valid although the process that handed its request over still checks the target', async () => {
  const checking = Promise.withResolvers<void>();
  const checked = Promise.withResolvers<void>();
  const saved = Promise.withResolvers<void>();
  const hosting: HostingClient = {
    ...fixture.client,
    async call(endpoint, ...rest) {
      if (endpoint.path === '/v1/vps/{vps_name}') {
        checking.resolve();
        await checked.promise;
      }
      return fixture.client.call(endpoint, ...rest);
    },
  };
  const stopping = fixture.createRunner({
    hostingClientFor: () => hosting,
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

  const jobs = createWorker();
  const next = fixture.createRunner({ jobs, hasReplicas: true });
  const delivered = Promise.withResolvers<RunReply>();
  next.handOverEvents.on('continued', async (work) => {
    if (work.kind !== 'request') return;
    const reply = await next.resume(work);
    await next.deliver(reply, async () => undefined);
    delivered.resolve(reply);
  });
  await jobs.start();
  expect(await delivered.promise).toMatchObject({ kind: 'confirmation' });
  await jobs.stop(1_000);
  checked.resolve();
  await saved.promise;
  fixture.nowMs += minuteMs;
  await next.start();
  await next.stop();
  expect(fixture.announced).toEqual([]);
});
