import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type RunningStack, type StackOptions, startStack } from '../../stack.ts';

let running: RunningStack;
async function start(options: StackOptions = {}) {
  running = await startStack(options);
  return running;
}
afterEach(() => running.close());

describe('people who ask the same within a few seconds', () => {
  const readsOf = async (vps: string) =>
    (await running.service.calls()).filter(({ path }) => path === `/v1/vps/${vps}`);

  test('share one call, until a change through Rackhand', async () => {
    const { slack } = await start({ sharedReadMs: 600_000 });
    await slack.slash('show VPS-10005', { user: 'U0BOB' });
    await slack.message('VPS-10005', 'C0OPS', 'U0BOB');
    await slack.slash('show VPS-10005', { user: 'U0CAROL' });
    await slack.message('VPS-10005', 'C0OPS', 'U0CAROL');
    expect(await readsOf('VPS-10005')).toHaveLength(1);
    await slack.slash('snapshot create VPS-10005 first');
    await slack.message(/Take snapshot first of .*In progress/);
    await slack.slash('show VPS-10005', { user: 'U0BOB' });
    await expect.poll(async () => (await readsOf('VPS-10005')).length).toBe(2);
  });
});

describe('the reply', () => {
  test('moves from the actor to the channel when Post to Channel is pressed', async () => {
    const { slack } = await start();
    await slack.slash('show vps-10005');
    await slack.click(await slack.message('VPS-10005'), 'share');
    const posted = await slack.message('VPS-10005', 'C0OPS', 'U0BOB');
    expect(posted.ephemeral).toBe(false);
    await expect.poll(async () => (await slack.messages()).length).toBe(1);
    expect(blocksText(posted)).not.toContain('Post to Channel');
  });
});

test('an answer waits as long as Slack asks, also twice in a row', async () => {
  const { slack } = await start();
  await slack.fault('ratelimit:chat.postMessage', 3);
  await slack.slash('graph VPS-10001 day --public');
  await slack.message('web-01 (VPS-10001), last day');
  const { waiting } = z
    .looseObject({ waiting: z.array(z.unknown()) })
    .parse(await (await fetch(`${slack.url}/sandbox/faults`)).json());
  expect(waiting).toEqual([]);
});
