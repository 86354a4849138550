import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createSystemClock } from '../../../../src/jobs/clock.ts';
import { createAdjustableClock } from '../../../../src/sandbox/adjustable-clock.ts';
import { blocksText, type RunningStack, type SlackMessage, startStack } from '../../../stack.ts';

let running: RunningStack;
beforeEach(async () => {
  running = await startStack();
});
afterEach(() => running.close());

test('a double click on Grant grants one request, and the right destroy is granted in a dialog', async () => {
  await running.close();
  const clock = createAdjustableClock(createSystemClock());
  const ignoreClicksMs = 60_000;
  running = await startStack({ ignoreClicksMs, clock });
  const { slack } = running;
  await slack.slash('access ask operate VPS-10001', { user: 'U0BOB' });
  await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
  await slack.slash('access ask destroy', { user: 'U0BOB' });
  await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
  const card = await slack.earlierMessage('Access request', 'U0ALICE');
  const grants = listGrantButtons(card);
  expect(grants.map(({ confirm }) => confirm?.title.text)).toEqual([undefined, 'Grant destroy to @bob?']);
  // The edit that added the second request was long ago.
  await clock.advance(ignoreClicksMs);
  const clickGrant = (message: SlackMessage, value = '') =>
    slack.click(message, 'request:grant', { channel: 'U0ALICE', value });
  await clickGrant(card, grants[0]?.value);
  const edited = await slack.message('✅ Granted: operate', 'U0ALICE');
  expect(blocksText(edited).indexOf('Granted')).toBeLessThan(blocksText(edited).indexOf('destroy'));
  const [next] = listGrantButtons(edited);
  expect(next?.value).toBe(grants[1]?.value);
  await clickGrant(edited, next?.value);
  await slack.message('This message changed right before you clicked', 'U0ALICE');
  expect((await slack.messages('U0BOB', 'U0BOB')).map(({ text }) => text)).toEqual([
    'Granted: operate on web-01 (VPS-10001)',
  ]);
  await slack.slash('history --kind all');
  expect(blocksText(await slack.message('Activity'))).toContain('click a button');
  await clock.advance(ignoreClicksMs);
  await clickGrant(edited, next?.value);
  await slack.message('Granted: destroy on all VPS', 'U0BOB', 'U0BOB');
});

const grantButton = z.looseObject({
  action_id: z.literal('request:grant'),
  value: z.string(),
  confirm: z.looseObject({ title: z.looseObject({ text: z.string() }) }).optional(),
});

function listGrantButtons({ blocks }: SlackMessage) {
  return blocks
    .flatMap(({ elements = [] }) => elements)
    .flatMap((element) => grantButton.safeParse(element).data ?? []);
}

const bob = { user: 'U0BOB' };

describe('a person without a right', () => {
  test('requests it and gets exactly that right', async () => {
    const { slack } = running;
    await slack.slash('reboot VPS-10001', bob);
    const refusal = await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
    await slack.click(refusal, 'Request Access', bob);
    await slack.message('Asked one admin for operate on web-01 (VPS-10001)', 'C0OPS', 'U0BOB');
    const card = await slack.message('Access request: operate on web-01 (VPS-10001)', 'U0ALICE');
    expect(blocksText(card)).toContain('<@U0BOB> requests access');
    expect(blocksText(card)).toContain('view');
    expect(blocksText(card)).toContain('Denied before: *Reboot web-01 (VPS-10001)*');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = await slack.message('Granted: operate on web-01 (VPS-10001)', 'U0BOB', 'U0BOB');
    expect((await slack.messages('U0ALICE')).map(({ text }) => text)).toEqual([
      '✅ Granted: operate on web-01 (VPS-10001)',
    ]);
    expect(blocksText(granted)).toContain('"Reboot web-01 (VPS-10001)"');
    await slack.click(granted, 'Reboot web-01 (VPS-10001)', { user: 'U0BOB', channel: 'U0BOB' });
    await slack.message('Reboot web-01 (VPS-10001)?', 'U0BOB', 'U0BOB');
    await slack.slash('reboot VPS-10002', bob);
    await slack.message("You don't have permission to operate web-02 (VPS-10002)", 'C0OPS', 'U0BOB');
  });
});
