import { expect, onTestFinished, test } from 'vitest';
import { startStack } from '../stack.ts';

test('a schedule follows the clock that someone advances in the Slack workspace', async () => {
  const { slack, service, close } = await startStack({ followsSlackClock: true });
  onTestFinished(close);
  await slack.slash('schedule snapshot VPS-10001 cron 0 * * * * --name hourly --zone UTC');
  await slack.message('is scheduled');
  const hourMs = 60 * 60_000;
  await slack.act('clock', { advance_ms: hourMs });
  const done = await slack.message('✅ Take a snapshot of web-01 (VPS-10001)');
  expect(done.text).not.toContain('Missed');
  const taken = await service.changes();
  expect(taken).toHaveLength(1);
  expect(taken[0]?.path).toBe('/v1/vps/VPS-10001/snapshots');
});
