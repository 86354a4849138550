import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStack, type SlackMessage, startStack } from '../stack.ts';
import { inFrontOf, type KeyDialog } from './connect-dialog.ts';

const directory = mkdtempSync(join(tmpdir(), 'rackhand-connect-'));
let running: RunningStack;
let gwen: KeyDialog;
let alice: KeyDialog;

beforeEach(async () => {
  running = await startStack();
  gwen = inFrontOf(running.slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
  alice = inFrontOf(running.slack, { user: 'U0ALICE', channel: 'C0OPS', team: 'T0ACME' });
});
afterEach(() => running.close());

describe('connect', () => {
  test('lets a workspace without a key use the service, and says what the key may do', async () => {
    await gwen.type('list');
    await gwen.says('not connected');
    await gwen.type('connect');
    await gwen.shows('no password field');
    expect(await gwen.send('sandbox-key-full')).toMatchObject({ response_action: 'update' });
    await gwen.shows('Connected to ');
    await gwen.shows('Everything that Rackhand offers works');
    await gwen.type('list');
    await gwen.says('12 VPS');
  });

  test('is offered where a key is missing', async () => {
    await gwen.type('list');
    const message = await gwen.says('not connected');
    await gwen.click(message, 'step:0');
    expect(await gwen.send('sandbox-key-full')).toMatchObject({ response_action: 'update' });
    await gwen.shows('Connected to ');
  });

  test('names what will not work without the missing permissions', async () => {
    await running.service.addKey('narrow-key', { permissions: ['vps.read', 'vps.monitoring', 'ip.read'] });
    await gwen.type('connect');
    await gwen.send('narrow-key');
    await gwen.shows(/Without vps\.manage these do not work: [^.]*reboot[^.]*snapshot create/);
    await gwen.shows(/Without webgate\.read these do not work: [^.]*webgate/);
    expect(await gwen.text()).not.toContain('Without vps.read');
  });

  test.each([
    ['', /Paste the API key|required|complete/i],
    ['has a space', /no spaces/],
    ['Bearer sandbox-key-full', /word Bearer/],
    ['xoxb-1234-5678', /token of Slack/],
    ['schlüssel', /plain letters/],
    ['never-made', /does not accept this key/],
    ['revoked-key', /does not accept this key/],
    ['barred-key', /refuses it/],
    ['empty-key', /may do nothing/],
  ])('says beside the field what is wrong with "%s", and takes a better one then', async (key, words) => {
    await running.service.addKey('empty-key', { permissions: [] });
    await running.service.addKey('barred-key');
    if (key === 'barred-key') await running.service.fault('status:403', { path: '/v1' });
    await gwen.type('connect');
    const answer = await gwen.send(key);
    expect(answer).toMatchObject({
      response_action: 'errors',
      errors: { api_key: expect.stringMatching(words) },
    });
    expect(JSON.stringify(answer.errors)).not.toContain(key || 'never');
    expect(await gwen.send('  sandbox-key-full\n')).toMatchObject({ response_action: 'update' });
    await gwen.shows('Connected to ');
  });

  test.each([
    ['html', 'is not the API of the hosting service'],
    ['malformed', 'is not the API of the hosting service'],
  ])('says that a service which answers %s is another', async (fault, words) => {
    await running.service.fault(fault, { path: '/v1', times: 9 });
    await gwen.type('connect');
    const { errors } = await gwen.send('sandbox-key-full');
    expect(errors?.api_key).toContain(words);
  });

  test('sends nowhere what cannot be a key', async () => {
    await gwen.type('connect');
    await gwen.send('xoxb-1234-5678');
    await gwen.send('two words');
    expect(await running.service.calls()).toEqual([]);
  });

  test('lets nobody read the key afterwards: not in Slack, the database or the log', async () => {
    await running.close();
    const databaseUrl = `sqlite:${join(directory, 'rackhand.db')}`;
    const logged: string[] = [];
    const log = pino({ level: 'trace' }, { write: (line) => logged.push(line) });
    running = await startStack({ databaseUrl, log });
    const person = inFrontOf(running.slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
    const key = 'globex-key-very-secret';
    await running.service.addKey(key);
    await person.type('connect');
    await person.send(key);
    await person.shows('Connected to ');
    await person.type('rotate');
    await person.send(`${key}-mistyped`);
    expect(JSON.stringify(await person.blocks())).not.toContain('very-secret');
    expect(JSON.stringify(await person.messages())).not.toContain('very-secret');
    await running.close();
    expect(logged.join()).not.toContain('very-secret');
    for (const file of readdirSync(directory)) {
      expect(readFileSync(join(directory, file)).includes('very-secret')).toBe(false);
    }
    rmSync(directory, { recursive: true });
    running = await startStack();
  });
});

describe('what is wrong with the key', () => {
  const labels = ({ blocks }: SlackMessage) => JSON.stringify(blocks);

  test('is put right by a button for those who may connect one; others are told whom to ask', async () => {
    const bob = inFrontOf(running.slack, { user: 'U0BOB', channel: 'C0OPS', team: 'T0ACME' });
    await alice.type('disconnect');
    await alice.shows('Delete the API key');
    await alice.press();
    await alice.shows('was deleted');
    await alice.type('list');
    const offered = labels(await alice.says('not connected'));
    expect(offered).toContain('Connect…');
    expect(offered).not.toContain('Ask for an API key');
    await bob.type('list');
    const told = labels(await bob.says('not connected'));
    expect(told).toContain('owners and admins of this workspace');
    expect(told).not.toContain('Connect…');
  });

  test('is that it may not do something: another is offered in its place', async () => {
    const bob = inFrontOf(running.slack, { user: 'U0BOB', channel: 'C0OPS', team: 'T0ACME' });
    await running.service.addKey('narrow-key', { permissions: ['vps.read'] });
    await alice.type('rotate');
    await alice.send('narrow-key');
    await alice.shows('was replaced');
    await alice.type('webgate');
    const message = await alice.says('lacks the permission webgate.read');
    expect(labels(message)).toContain('Give the key this permission');
    await alice.closeDialog();
    await alice.click(message, 'step:0');
    await alice.send('sandbox-key-full');
    await alice.shows('was replaced');
    await alice.type('rotate');
    await alice.send('narrow-key');
    await alice.shows('was replaced');
    await bob.type('webgate');
    const told = labels(await bob.says('lacks the permission webgate.read'));
    expect(told).toContain('Ask for a key that has it: owners and admins');
    expect(told).not.toContain('Replace Key…');
  });
});

describe('a key that takes its time', () => {
  const slow = (ms: number, times = 1) => running.service.fault(`slow:${ms}`, { path: '/v1', times });

  test('leaves a view that says so, and that shows how it ended', async () => {
    await slow(2_300);
    await gwen.type('connect');
    const answer = await gwen.send('sandbox-key-full');
    expect(answer).toMatchObject({ acknowledged: true, response_action: 'update' });
    expect(answer.ack_ms).toBeLessThan(3_000);
    await gwen.shows('Checking the key');
    await gwen.shows('Connected to ');
  });

  test('and is wrong is asked for again, with what is wrong beside the field, and without the key', async () => {
    await running.service.fault('slow:2300', { path: '/v1' });
    await running.service.addKey('slow-and-empty', { permissions: [] });
    await gwen.type('connect');
    await gwen.send('slow-and-empty', '70');
    await gwen.shows('Checking the key');
    await gwen.shows('may do nothing');
    const text = await gwen.text();
    expect(text).toContain('"initial_value":"70"');
    expect(text).not.toContain('slow-and-empty');
    await gwen.send('sandbox-key-full');
    await gwen.shows('Connected to ');
  });

  test('is told of in a message where the view was closed meanwhile', async () => {
    await slow(2_300);
    await gwen.type('connect');
    await gwen.send('sandbox-key-full');
    await gwen.shows('Checking the key');
    await gwen.closeDialog();
    await gwen.says('Connected to ');
  });
});

describe('rotate', () => {
  test('replaces the key by one that works, and by no other', async () => {
    await running.service.addKey('the-next-key');
    await alice.type('rotate');
    await alice.shows('It stays until the new one');
    expect(await alice.send('never-made')).toMatchObject({ errors: { api_key: expect.any(String) } });
    await alice.type('status');
    await alice.says('answers');
    await alice.send('the-next-key', '70');
    await alice.shows('was replaced');
    await alice.type('status');
    await expect
      .poll(async () => (await running.service.calls()).at(-1))
      .toMatchObject({ path: '/v1', key: 'the-next-key' });
    await alice.type('quota');
    await alice.says('of 70 calls');
  });

  test('with the key that is there already changes nothing but the quota', async () => {
    await alice.type('rotate');
    await alice.send('sandbox-key-full', '50');
    await alice.shows('by this key already');
    await alice.type('rotate');
    await alice.send('sandbox-key-full', '60');
    await alice.shows('The quota of the API key');
  });
});

describe('disconnect', () => {
  test('asks, deletes the key, and offers to connect again', async () => {
    await alice.type('disconnect');
    await alice.shows('Delete the API key');
    await alice.type('status');
    await alice.says('answers');
    await alice.press();
    await alice.shows('was deleted');
    await alice.type('list');
    await alice.says('not connected');
  });

  test('says that there is nothing to delete', async () => {
    await gwen.type('disconnect');
    await gwen.shows('there is nothing to delete');
  });
});

test('somebody who may not administer is told so in place of the dialog, and sees no key of others', async () => {
  for (const command of ['connect', 'rotate', 'disconnect']) {
    const bob = inFrontOf(running.slack, { user: 'U0BOB', channel: 'C0OPS', team: 'T0ACME' });
    await bob.type(command);
    await bob.shows('administer');
    expect(await bob.text()).not.toMatch(/api_key|"submit":\{/);
    await bob.closeDialog();
  }
  await alice.type('status');
  await alice.says('answers');
});

describe('the ways to the dialog', () => {
  test('a mention is answered by how things stand, with the button that opens it', async () => {
    await running.slack.mention('connect', {
      team: 'T0GLOBEX',
      user: 'U0GWEN',
      channel: 'C0GLOBEX',
    });
    const message = await gwen.says('is not connected');
    await gwen.click(message, 'step:0');
    await gwen.send('sandbox-key-full');
    await gwen.shows('Connected to ');
  });

  test('what is typed after the command is not read, and not repeated', async () => {
    await gwen.type('connect sandbox-key-full');
    await gwen.shows('no password field');
    await running.slack.mention('connect sandbox-key-full', {
      team: 'T0GLOBEX',
      user: 'U0GWEN',
      channel: 'C0GLOBEX',
    });
    const answer = await gwen.says('takes no words');
    expect(JSON.stringify(answer)).not.toContain('sandbox-key-full');
    await gwen.click(answer, 'step:0');
    await gwen.shows('no password field');
  });

  test('a trigger that has expired leaves the button', async () => {
    await running.slack.fault('expire_trigger');
    await alice.type('rotate');
    const message = await alice.says('Connected to ');
    await alice.click(message, 'step:0');
    await alice.shows('New API key');
  });

  test('what is mistyped is suggested, and help explains it', async () => {
    await alice.type('conect');
    await alice.says('Did you mean "connect"');
    await alice.type('help team');
    expect(JSON.stringify((await alice.says('What you can do: team')).blocks)).toContain('/vps disconnect');
  });

  test('a dialog that Slack delivers twice ends well', async () => {
    await running.service.addKey('the-next-key');
    await alice.type('rotate');
    await alice.shows('New API key');
    await running.slack.fault('duplicate');
    await alice.send('the-next-key');
    await alice.shows(/was replaced|by this key already/);
    await expect
      .poll(async () => (await running.service.calls()).filter(({ path }) => path === '/v1'))
      .toHaveLength(2);
  });
});
