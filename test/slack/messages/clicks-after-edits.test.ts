import { expect, onTestFinished, test } from 'vitest';
import { createSystemClock } from '../../../src/jobs/clock.ts';
import { createAdjustableClock } from '../../../src/sandbox/adjustable-clock.ts';
import { findEditTime, stampEdit } from '../../../src/slack/blocks/elements/edit-stamp.ts';
import { startStack } from '../../stack.ts';

test('a click right after a confirmation was replaced is ignored', async () => {
  const clock = createAdjustableClock(createSystemClock());
  // Longer than the default, so that a busy machine doesn't click too late.
  const ignoreClicksMs = 60_000;
  const { slack, service, close } = await startStack({ ignoreClicksMs, clock, hosting: { now: clock.now } });
  onTestFinished(close);
  await slack.slash('reboot VPS-10001');
  const card = await slack.message('Reboot web-01');
  await service.call('POST', '/v1/vps/VPS-10001/action', { action: 'stop' });
  await clock.advance(60_000);
  await slack.click(card, 'Reboot');
  const renewed = await slack.message('Reboot web-01');
  await slack.click(renewed, 'Reboot');
  await slack.message('This message changed right before you clicked');
  expect(await service.changes()).toHaveLength(1);
  await clock.advance(ignoreClicksMs);
  await slack.click(renewed, 'Reboot');
  await slack.message('Reboot web-01');
  await slack.waitForCall('chat.update');
  expect(await service.changes()).toHaveLength(2);
});

test('an edit marks buttons beside a text too', () => {
  const section = { type: 'section', accessory: { type: 'button' } };
  const { blocks } = stampEdit({ blocks: [section] }, 5_000);
  const ids = Array.isArray(blocks) ? blocks.map(({ block_id }) => findEditTime(String(block_id))) : [];
  expect(ids).toEqual([5_000]);
});
