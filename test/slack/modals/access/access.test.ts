import { expect, test } from 'vitest';
import { blocksText } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { waitForView } from './access-driver.ts';

const running = useStack();

test('a right is granted and revoked with forms', async () => {
  const { slack } = running;
  await slack.slash('access');
  const overview = await slack.message('Access in this workspace');
  await slack.click(overview, 'Grant…');
  const form = await waitForView(running, 'reveal: also see secrets');
  const offered = await slack.act('suggest', {
    user: 'U0ALICE',
    view: form.id,
    block_id: 'who',
    action_id: 'remote',
    text: 'rel',
  });
  expect(offered.options).toMatchObject([{ value: 'S0RELEASE' }]);
  await slack.submit(form, {
    who: { remote: { selected_option: { value: 'S0RELEASE' } } },
    right: { value: { selected_option: { value: 'destroy' } } },
    vps: { value: { value: 'VPS-10001 VPS-2*' } },
  });
  await slack.message('Granted: destroy on web-01 (VPS-10001), VPS-2*');
  await slack.slash('access');
  const after = await slack.message('Access in this workspace');
  expect(blocksText(after)).toContain('S0RELEASE');
  await slack.click(after, 'Revoke…');
  await slack.submit(await waitForView(running, 'Keeps the other rights'), {
    who: { remote: { selected_option: { value: 'S0RELEASE' } } },
  });
  await slack.message('Revoked');
});

test('a form says at its fields why a right is not granted', async () => {
  const { slack } = running;
  await slack.slash('access grant everyone');
  const form = await waitForView(running, '"value":"everyone"');
  const answer = await slack.submit(form, {
    who: { remote: { selected_option: { value: 'everyone' } } },
    right: { value: { selected_option: { value: 'admin' } } },
    vps: { value: { value: '' } },
  });
  expect(answer).toMatchObject({
    errors: { right: expect.stringContaining("can't be granted to everyone") },
  });
});

test('a channel is limited, and the limit is removed', async () => {
  const { slack } = running;
  await slack.slash('access channel');
  await slack.submit(await waitForView(running, 'admin: no limit'), {
    channel: { value: { selected_conversation: 'C0OPS' } },
    right: { value: { selected_option: { value: 'view' } } },
  });
  await slack.message('The channel is limited to "view"');
  await slack.slash('reboot VPS-10001');
  await slack.message('This channel allows only "view", so no one can operate a VPS from here');
  await slack.slash('reboot VPS-10001', { channel: 'C0GENERAL' });
  await slack.message('Reboot web-01 (VPS-10001)?', 'C0GENERAL');
  await slack.slash('access channel #ops admin', { channel: 'C0GENERAL' });
  await slack.message('The limit was removed', 'C0GENERAL');
  await slack.slash('reboot VPS-10001');
  await slack.message('Reboot web-01 (VPS-10001)?');
});
