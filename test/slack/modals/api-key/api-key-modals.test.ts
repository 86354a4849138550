import { beforeEach, describe, expect, test } from 'vitest';
import type { SlackMessage } from '../../../stack.ts';
import { useStack } from '../../../use-stack.ts';
import { createKeyModalDriver, type KeyModalDriver } from './api-key-driver.ts';

const running = useStack();
let gwen: KeyModalDriver;
let alice: KeyModalDriver;
beforeEach(() => {
  gwen = createKeyModalDriver(running.slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
  alice = createKeyModalDriver(running.slack, { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME' });
});

describe('/vps connect', () => {
  test("connects a workspace to the service and shows the key's permissions", async () => {
    await gwen.type('list');
    await gwen.says("isn't connected");
    await gwen.type('connect');
    await gwen.shows('The key is visible while you type');
    expect(await gwen.send('sandbox-key-full')).toMatchObject({ response_action: 'update' });
    await gwen.shows('Connected to ');
    await gwen.shows('The key has every permission');
    await gwen.type('list');
    await gwen.says('12 VPS');
  });

  test('shows at the field what is wrong with a key, and accepts a correction', async () => {
    await running.service.addKey('empty-key', { permissions: [] });
    await running.service.addKey('barred-key');
    await gwen.type('connect');
    for (const [key, words] of [
      ['has a space', /no spaces/],
      ['never-made', /rejected this key/],
      ['barred-key', /denied access to this key/],
      ['empty-key', /has no permissions/],
    ] as const) {
      if (key === 'barred-key') await running.service.fault('status:403', { path: '/v1' });
      const answer = await gwen.send(key);
      expect(answer, key).toMatchObject({
        response_action: 'errors',
        errors: { api_key: expect.stringMatching(words) },
      });
      expect(JSON.stringify(answer.errors)).not.toContain(key);
    }
    expect(await gwen.send('  sandbox-key-full\n')).toMatchObject({ response_action: 'update' });
    await gwen.shows('Connected to ');
  });
});

describe('a problem with the key', () => {
  const labels = ({ blocks }: SlackMessage) => JSON.stringify(blocks);

  test('comes with a button for those allowed to connect one; others read whom to ask', async () => {
    const bob = createKeyModalDriver(running.slack, { user: 'U0BOB', channel: 'C0OPS', team: 'T0ACME' });
    await alice.type('disconnect');
    await alice.click(await alice.says("Delete this workspace's API key?"), 'Delete Key');
    await alice.says('was deleted');
    await alice.type('list');
    const offered = labels(await alice.says("isn't connected"));
    expect(offered).toContain('Connect…');
    expect(offered).not.toContain('to connect one');
    await bob.type('list');
    const told = labels(await bob.says("isn't connected"));
    expect(told).toContain('a workspace owner or admin, or someone with the admin right');
    expect(told).not.toContain('Connect…');
  });
});

describe('a key whose check takes long', () => {
  const slow = (ms: number, times = 1) => running.service.fault(`slow:${ms}`, { path: '/v1', times });

  test('shows a waiting modal, then the result in it', async () => {
    await slow(2_300);
    await gwen.type('connect');
    const answer = await gwen.send('sandbox-key-full');
    expect(answer).toMatchObject({ acknowledged: true, response_action: 'update' });
    await gwen.shows('Checking the key');
    await gwen.shows('Connected to ');
  });
});

describe('/vps rotate', () => {
  test('replaces the key only with a working one', async () => {
    await running.service.addKey('the-next-key');
    await alice.type('rotate');
    await alice.shows('It stays in use until the new key');
    expect(await alice.send('never-made')).toMatchObject({ errors: { api_key: expect.any(String) } });
    await alice.type('status');
    await alice.says('answers');
    await alice.send('the-next-key', '70');
    await alice.shows('was replaced');
    await alice.type('status');
    await expect
      .poll(async () => (await running.service.calls()).findLast(({ path }) => path === '/v1'))
      .toMatchObject({ key: 'the-next-key' });
    await alice.type('quota');
    await alice.says('of 70 calls');
  });
});

test('/vps rotate takes a key that can do less only if that is accepted', async () => {
  await alice.type('rotate');
  const answer = await alice.send('sandbox-key-read');
  expect(answer).toMatchObject({
    response_action: 'errors',
    errors: { api_key: expect.stringContaining('tick “Accept a key with fewer permissions”') },
  });
  await alice.type('status');
  await alice.says('answers');
  await alice.send('sandbox-key-read', undefined, { acceptsFewer: true });
  await alice.shows('was replaced');
});

test('/vps rotate handles a submission that Slack delivers twice', async () => {
  await running.service.addKey('the-next-key');
  await alice.type('rotate');
  await alice.shows('New API key');
  await running.slack.fault('duplicate');
  await alice.send('the-next-key');
  await alice.shows(/was replaced|Already connected to/);
  await expect
    .poll(async () => (await running.service.calls()).filter(({ path }) => path === '/v1'))
    .toHaveLength(2);
});

test('a person without the right admin reads so in place of the modal, and sees nothing of the key', async () => {
  const bob = createKeyModalDriver(running.slack, { user: 'U0BOB', channel: 'C0OPS', team: 'T0ACME' });
  for (const command of ['connect', 'rotate']) {
    await bob.type(command);
    await bob.shows('admin');
    expect(await bob.text()).not.toMatch(/api_key|"submit":\{/);
    await bob.closeDialog();
  }
});
