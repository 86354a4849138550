import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../../stack.ts';
import { createKeyModalDriver, type KeyModalDriver } from './api-key-driver.ts';

let running: RunningStack;
let alice: KeyModalDriver;

beforeEach(async () => {
  running = await startStack();
  alice = createKeyModalDriver(running.slack, { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME' });
});
afterEach(() => running.close());

test('a person without the right admin reads so in place of the modal, and sees nothing of the key', async () => {
  for (const command of ['connect', 'rotate', 'disconnect']) {
    const bob = createKeyModalDriver(running.slack, { user: 'U0BOB', channel: 'C0OPS', team: 'T0ACME' });
    await bob.type(command);
    await bob.shows('admin');
    expect(await bob.text()).not.toMatch(/api_key|"submit":\{/);
    await bob.closeDialog();
  }
  await alice.type('status');
  await alice.says('answers');
});

describe('the modal for the key', () => {
  test('handles a submission that Slack delivers twice', async () => {
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
});
