import { expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText } from '../../stack.ts';
import { useStack } from '../../use-stack.ts';

const running = useStack({}, 'group');

test('a reply moves from the actor to the channel when Post to Channel is pressed', async () => {
  const { slack } = running;
  await slack.slash('show vps-10005');
  await slack.click(await slack.message('VPS-10005'), 'share');
  const posted = await slack.message('VPS-10005', 'C0OPS', 'U0BOB');
  expect(posted.ephemeral).toBe(false);
  await expect.poll(async () => (await slack.messages()).length).toBe(1);
  expect(blocksText(posted)).not.toContain('Post to Channel');
});

test('an answer waits as long as Slack asks, also twice in a row', async () => {
  const { slack } = running;
  await slack.fault('ratelimit:chat.postMessage', 2);
  await slack.slash('graph VPS-10001 day --public');
  await slack.message('web-01 (VPS-10001), last day');
  const { waiting } = z
    .looseObject({ waiting: z.array(z.unknown()) })
    .parse(await (await fetch(`${slack.url}/sandbox/faults`)).json());
  expect(waiting).toEqual([]);
});
