import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandboxes } from '../sandboxes.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';
import { findFreePort } from '../services/find-free-port.ts';

const quota = 50;
const windowMs = 5_000;

test("a process that was started before the old one stopped takes over how much of the key's quota is used", async () => {
  const { slack, service, startApp, close } = await startSandboxes({ windowMs, vpsCount: 60 });
  onTestFinished(close);
  const databaseUrl = `sqlite:${join(makeScratchDirectory('restart'), 'rackhand.db')}`;
  const options = { databaseUrl, encryptionKey: randomBytes(32) };
  const first = await startApp(options);
  await Promise.all(
    Array.from({ length: quota - 1 }, (_, index) =>
      slack.slash(`show VPS-${10001 + index}`, { user: index % 2 ? 'U0BOB' : 'U0CAROL' }),
    ),
  );
  await expect.poll(async () => (await service.calls()).length).toBe(quota);
  const appPort = await findFreePort();
  const starting = startApp({ ...options, appPort });
  const isWaiting = () => fetch(`http://127.0.0.1:${appPort}/readyz`).then((response) => response.text());
  await expect.poll(() => isWaiting().catch(String)).toContain('is waiting for it to stop');
  await first.stop();

  const second = await starting;
  await slack.slash('status');
  await slack.message('Hosting sandbox answers');
  await second.stop();
  const calls = await service.calls();
  expect(calls.filter(({ status }) => status === 429)).toEqual([]);
  expect((calls[quota]?.at ?? 0) - (calls[0]?.at ?? 0)).toBeGreaterThanOrEqual(windowMs);
});
