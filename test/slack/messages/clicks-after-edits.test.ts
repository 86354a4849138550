import { expect, onTestFinished, test } from 'vitest';
import { startStack } from '../../stack.ts';

test('a click right after a confirmation was replaced is ignored', async () => {
  // Longer than the default, so that a busy machine doesn't click too late.
  const { slack, service, close } = await startStack({ ignoreClicksMs: 10_000, followsSlackClock: true });
  onTestFinished(close);
  await slack.slash('reboot VPS-10001');
  const card = await slack.message('Reboot web-01');
  await service.act('VPS-10001', 'stop');
  await slack.act('clock', { advance_ms: 60_000 });
  await slack.click(card, 'Reboot');
  const renewed = await slack.message('Reboot web-01');
  await slack.click(renewed, 'Reboot');
  await slack.message('This message changed right before you clicked');
  expect(await service.changes()).toHaveLength(1);
  await slack.act('clock', { advance_ms: 11_000 });
  await slack.click(renewed, 'Reboot');
  await slack.message('Reboot web-01');
  await slack.waitForCall('chat.update');
  expect(await service.changes()).toHaveLength(2);
});
