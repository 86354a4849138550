import { afterEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blocksText, type RunningStack, type StackOptions, startStack } from '../../stack.ts';
import { createKeyModalDriver } from '../modals/api-key/api-key-driver.ts';

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

  test('share nothing that their rights keep from them', async () => {
    const { slack } = await start({ sharedReadMs: 600_000, grants: [] });
    await slack.slash('show VPS-10005');
    await slack.message('VPS-10005');
    await slack.slash('show VPS-10005', { user: 'U0BOB' });
    await slack.message("You don't have permission", 'C0OPS', 'U0BOB');
  });
});

describe('the reply', () => {
  test('to /vps list is a table that only the actor sees, with the state of each VPS in words', async () => {
    const { slack } = await start();
    await slack.slash('list');
    const answer = await slack.message('12 VPS');
    expect(answer.ephemeral).toBe(true);
    expect(blocksText(answer)).toContain('🟢 running');
    expect(blocksText(answer)).toContain('⚪ stopped');
    expect(await slack.messages('C0OPS', 'U0BOB')).toEqual([]);
  });

  test('moves from the actor to the channel when Post to Channel is pressed', async () => {
    const { slack } = await start();
    await slack.slash('show vps-10005');
    await slack.click(await slack.message('VPS-10005'), 'share');
    const posted = await slack.message('VPS-10005', 'C0OPS', 'U0BOB');
    expect(posted.ephemeral).toBe(false);
    await expect.poll(async () => (await slack.messages()).length).toBe(1);
    expect(blocksText(posted)).not.toContain('Post to Channel');
  });

  test('with 120 VPS has pages', async () => {
    const { slack, service } = await start({ hosting: { vpsCount: 120 } });
    await slack.slash('list');
    const first = await slack.message('120 VPS');
    expect(blocksText(first)).toContain('1 to 50 of 120');
    await slack.click(first, 'page:next');
    await expect.poll(async () => blocksText(await slack.message('120 VPS'))).toContain('51 to 100 of 120');
    await slack.click(await slack.message('120 VPS'), 'page:next');
    await expect.poll(async () => blocksText(await slack.message('120 VPS'))).toContain('101 to 120 of 120');
    expect(blocksText(await slack.message('120 VPS'))).not.toContain('page:next');
    expect(await listings(service)).toHaveLength(1);
  });
});

describe("a workspace's reply", () => {
  test('without an API key says that it is missing, and shows the help', async () => {
    const { slack, service } = await start();
    const gwen = { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' };
    await slack.slash('list', gwen);
    await slack.message("isn't connected to the hosting service", 'C0GLOBEX', 'U0GWEN', 'T0GLOBEX');
    await slack.slash('help', gwen);
    await slack.message('What you can do', 'C0GLOBEX', 'U0GWEN', 'T0GLOBEX');
    expect(await service.calls()).toEqual([]);
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

describe('when the quota is used up', () => {
  test('the person is told the estimated wait and then gets the reply', async () => {
    const { slack, service } = await start({ hosting: { quota: 10, windowMs: 5_000 } });
    const alice = createKeyModalDriver(slack, { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME' });
    await alice.type('rotate');
    await alice.send('sandbox-key-full', '10');
    await alice.shows('The quota of the API key');
    // Checking the key has used some of its quota already.
    await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        slack.slash(`show VPS-${10001 + index}`, { user: index % 2 ? 'U0BOB' : 'U0CAROL' }),
      ),
    );
    await expect.poll(async () => (await service.calls()).length).toBe(10);
    await slack.slash('status');
    await slack.message('Queued: status, about');
    await slack.message('Hosting sandbox answers');
    expect((await service.calls()).filter(({ status }) => status === 429)).toEqual([]);
  });
});

/** The calls that listed the fleet. */
async function listings(service: RunningStack['service']) {
  return (await service.calls()).filter(({ path }) => path === '/v1/vps');
}
