import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, startStack } from '../../../stack.ts';
import { createKeyModalDriver, type KeyModalDriver } from './api-key-driver.ts';

let running: RunningStack;
let gwen: KeyModalDriver;
let alice: KeyModalDriver;

beforeEach(async () => {
  running = await startStack();
  gwen = createKeyModalDriver(running.slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
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
  test('is offered by a button in the reply to a mention', async () => {
    await running.slack.mention('connect', {
      team: 'T0GLOBEX',
      user: 'U0GWEN',
      channel: 'C0GLOBEX',
    });
    const message = await gwen.says("isn't connected");
    await gwen.click(message, 'Connect…');
    await gwen.send('sandbox-key-full');
    await gwen.shows('Connected to ');
  });

  test('opens without reading or repeating text after the command', async () => {
    await gwen.type('connect sandbox-key-full');
    await gwen.shows('The key is visible while you type');
    await running.slack.mention('connect sandbox-key-full', {
      team: 'T0GLOBEX',
      user: 'U0GWEN',
      channel: 'C0GLOBEX',
    });
    const answer = await gwen.says('takes no arguments');
    expect(JSON.stringify(answer)).not.toContain('sandbox-key-full');
    await gwen.click(answer, 'Open Form');
    await gwen.shows('The key is visible while you type');
  });

  test('is offered by a button if the trigger expired', async () => {
    await running.slack.fault('expire_trigger');
    await alice.type('rotate');
    const message = await alice.says('Connected to ');
    await alice.click(message, 'Replace Key…');
    await alice.shows('New API key');
  });

  test('is suggested after a typo, and explained by the help', async () => {
    await alice.type('conect');
    await alice.says('Did you mean "connect"');
    await alice.type('help team');
    expect(JSON.stringify((await alice.says('What you can do: team')).blocks)).toContain('/vps disconnect');
  });

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
