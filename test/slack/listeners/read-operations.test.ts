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

describe('people who ask the same within SHARED_READ_SECONDS', () => {
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

  test('never share the state on a confirmation', async () => {
    const { slack } = await start({ sharedReadMs: 600_000 });
    await slack.slash('show VPS-10005');
    await slack.message('VPS-10005');
    await slack.slash('reboot VPS-10005');
    await slack.message(/Reboot .*VPS-10005/);
    expect(await readsOf('VPS-10005')).toHaveLength(2);
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

  test('has a data table of many rows, and a plain table of few', async () => {
    const { slack } = await start();
    await slack.slash('list');
    const fleet = await slack.message('12 VPS');
    expect(fleet.blocks).toContainEqual(
      expect.objectContaining({ type: 'data_table', caption: '12 VPS', page_size: 25 }),
    );
    await slack.slash('snapshot list VPS-10001');
    expect((await slack.message(/snapshots? of web-01/)).blocks).toContainEqual(
      expect.objectContaining({ type: 'table' }),
    );
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

  test('with --public is posted in the channel, also if the app is not a member', async () => {
    const { slack } = await start();
    await slack.slash('list --public', { channel: 'C0QUIET' });
    expect((await slack.message('12 VPS', 'C0QUIET', 'U0BOB')).ephemeral).toBe(false);
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

  test('for an account without VPS says so', async () => {
    const { slack } = await start({ hosting: { vpsCount: 0 } });
    await slack.slash('list');
    expect(blocksText(await slack.message('No VPS'))).toContain("The API key's account has no VPS.");
  });

  test('to /vps status names the service, its version and the permissions of the key', async () => {
    const { slack } = await start();
    await slack.slash('status');
    const answer = blocksText(await slack.message('answers'));
    for (const words of ['v1', 'vps.manage', '"type":"date"']) expect(answer).toContain(words);
  });

  test.each(['', 'help'])('to /vps %s lists every operation', async (text) => {
    const { slack, service } = await start();
    await slack.slash(text);
    const answer = blocksText(await slack.message('What you can do'));
    for (const names of ['list, show, ips, reboot', 'snapshot list, create', 'ssh list, set', 'status']) {
      expect(answer).toContain(names);
    }
    expect(await service.calls()).toEqual([]);
  });

  test('to /vps help lb create explains its options', async () => {
    const { slack } = await start();
    await slack.slash('help lb create');
    const answer = blocksText(await slack.message('Create a load balancer'));
    for (const words of [
      'webgate.manage',
      '/vps lb create DOMAIN',
      '--sticky (optional)',
      'cookie or source',
    ]) {
      expect(answer).toContain(words);
    }
  });

  test.each([
    [
      'C0QUIET',
      '',
      "I'm not in this channel, so I sent it to your DMs. To post here, run `/invite @Rackhand`.",
    ],
    ['C0OPS', ' --private', 'I sent it to your DMs.'],
  ])('with a graph, requested in %s%s, is shown where it was requested', async (channel, flag, words) => {
    const { slack } = await start();
    await slack.slash(`graph VPS-10005 day${flag}`, { channel });
    await slack.message('db-01 (VPS-10005), last day', 'U0ALICE');
    await slack.message(words, channel);
    expect((await slack.messages(channel)).map(({ text, ephemeral }) => [text, ephemeral])).toEqual([
      [words, true],
    ]);
  });

  test('has a button for the next step', async () => {
    const { slack } = await start();
    await slack.slash('show VPS-10007');
    await slack.click(await slack.message('VPS-10007'), 'Reboot');
    await slack.message('Reboot cache-01 (VPS-10007)?');
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

describe('identical reads by several people', () => {
  test('are one API call', async () => {
    const { slack, service } = await start({ hosting: { latencyMs: 50 } });
    await Promise.all(['U0ALICE', 'U0BOB', 'U0CAROL'].map((user) => slack.slash('list', { user })));
    for (const user of ['U0ALICE', 'U0BOB', 'U0CAROL']) await slack.message('12 VPS', 'C0OPS', user);
    expect(await listings(service)).toHaveLength(1);
  });
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
      Array.from({ length: 10 }, (_, index) => slack.slash(`show VPS-${10001 + index}`, { user: 'U0BOB' })),
    );
    await slack.slash('status');
    await slack.message('Queued, about');
    await slack.message('Hosting sandbox answers');
    expect((await service.calls()).filter(({ status }) => status === 429)).toEqual([]);
  });
});

/** The calls that listed the fleet. */
async function listings(service: RunningStack['service']) {
  return (await service.calls()).filter(({ path }) => path === '/v1/vps');
}
