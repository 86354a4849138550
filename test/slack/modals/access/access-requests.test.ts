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

  test('reads no name of a VPS that was denied with the granted one', async () => {
    await running.close();
    running = await startStack({ grants: [] });
    const { slack } = running;
    await slack.slash('reboot VPS-10001 VPS-10002', bob);
    await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
    await slack.slash('access ask operate VPS-10001', bob);
    await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
    const card = await slack.earlierMessage('Access request', 'U0ALICE');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = blocksText(await slack.message('Granted', 'U0BOB', 'U0BOB'));
    expect(granted).toContain('web-01 (VPS-10001)');
    expect(granted).toContain('VPS-10002');
    expect(granted).not.toContain('web-02');
  });

  test('is notified when it is declined, and admins are not asked twice', async () => {
    const { slack } = running;
    await slack.slash('access ask destroy VPS-10001', bob);
    await slack.message('Asked one admin', 'C0OPS', 'U0BOB');
    await slack.slash('access ask destroy VPS-10001', bob);
    await slack.message('Already requested: destroy on web-01 (VPS-10001)', 'C0OPS', 'U0BOB');
    const cards = await slack.messages('U0ALICE');
    expect(cards).toHaveLength(1);
    const [card] = cards;
    if (!card) throw new Error('nobody was asked');
    await slack.click(card, 'request:decline', { channel: 'U0ALICE' });
    await slack.message('Declined: destroy on VPS-10001', 'U0BOB', 'U0BOB');
    await slack.slash('reboot VPS-10001', bob);
    await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
  });

  test('gets no form for an operation that would be denied', async () => {
    const { slack } = running;
    await slack.slash('reboot', bob);
    const refusal = await slack.message("You don't have permission to operate any VPS", 'C0OPS', 'U0BOB');
    expect(await slack.openModals('U0BOB')).toEqual([]);
    await slack.click(refusal, 'Request Access', bob);
    expect(blocksText(await slack.modal('U0BOB'))).toContain('web-01 VPS-200*');
  });

  test('gets the form, filled with the input, after the grant', async () => {
    const { slack } = running;
    await slack.slash('snapshot create VPS-10003', bob);
    await slack.click(
      await slack.message("You don't have permission", 'C0OPS', 'U0BOB'),
      'Request Access',
      bob,
    );
    const asked = await slack.message('Asked one admin for operate on api-01 (VPS-10003)', 'C0OPS', 'U0BOB');
    expect(blocksText(asked)).not.toContain('Post to Channel');
    const card = await slack.message('Access request', 'U0ALICE');
    await slack.click(card, 'request:grant', { channel: 'U0ALICE' });
    const granted = await slack.message('Granted: operate on api-01 (VPS-10003)', 'U0BOB', 'U0BOB');
    expect(blocksText(granted)).toContain('Take a snapshot…');
    await slack.click(granted, 'Take a snapshot…', { user: 'U0BOB', channel: 'U0BOB' });
    expect(blocksText(await slack.modal('U0BOB'))).toContain('VPS-10003');
  });

  test('requests it from the other admins', async () => {
    const { slack } = running;
    await slack.slash('access grant @carol admin');
    await slack.message('Granted: admin');
    await slack.slash('access ask operate', bob);
    await slack.message('Asked 2 admins for operate on all VPS', 'C0OPS', 'U0BOB');
    const [card] = await slack.messages('U0CAROL', 'U0CAROL');
    if (!card) throw new Error('Carol was not asked');
    await slack.slash('access revoke @carol');
    await slack.message('Revoked');
    await slack.click(card, 'request:grant', { user: 'U0CAROL', channel: 'U0CAROL' });
    await slack.message("You don't have permission to administer Rackhand", 'U0CAROL', 'U0CAROL');
    const hers = await slack.earlierMessage('Access request', 'U0ALICE');
    await slack.click(hers, 'request:grant', { channel: 'U0ALICE' });
    await slack.message('Granted: operate on all VPS', 'U0BOB', 'U0BOB');
  });
});
