import type { SlashCommand } from '@slack/bolt';
import { describe, expect, test } from 'vitest';
import { fullManifest, type Sandbox, startSandbox, startSocketApp } from '../harness.ts';

/** Starts a sandbox whose app acknowledges and records commands. */
async function startListening(): Promise<{ sandbox: Sandbox; heard: SlashCommand[] }> {
  const sandbox = await startSandbox();
  const heard: SlashCommand[] = [];
  await startSocketApp(sandbox, (app) => {
    app.command(/.*/, async ({ ack, command }) => {
      heard.push(command);
      await ack();
    });
  });
  return { sandbox, heard };
}

const type = (sandbox: Sandbox, command: string, text: string, channel = 'C0OPS') =>
  sandbox.post('slash', { user: 'U0ALICE', channel, command, text });

test('a command has the person, place and text', async () => {
  const { sandbox, heard } = await startListening();
  await type(sandbox, '/vps', '  list ');
  expect(heard).toMatchObject([
    {
      token: 'sandbox-verification-token',
      team_id: 'T0ACME',
      team_domain: 'acme',
      channel_id: 'C0OPS',
      channel_name: 'ops',
      user_id: 'U0ALICE',
      user_name: 'alice',
      command: '/vps',
      text: 'list',
      api_app_id: 'A0SANDBOX',
      is_enterprise_install: 'false',
    },
  ]);
});

test('a command in direct messages has the channel name directmessage', async () => {
  const { sandbox, heard } = await startListening();
  await type(sandbox, '/vps', 'list', 'U0ALICE');
  expect(heard).toMatchObject([{ channel_id: 'D0ALICE', channel_name: 'directmessage' }]);
});

test('typed names are encoded only if the manifest sets should_escape', async () => {
  const { sandbox, heard } = await startListening();
  await type(sandbox, '/vps', 'add @bob & #ops');
  await type(sandbox, '/raw', 'add @bob & #ops');
  expect(heard.map(({ text }) => text)).toEqual([
    'add <@U0BOB|bob> &amp; <#C0OPS|ops>',
    'add @bob &amp; #ops',
  ]);
});

describe('Slack itself rejects, without telling the app,', () => {
  test('a command that the manifest does not declare', async () => {
    const { sandbox, heard } = await startListening();
    expect(await type(sandbox, '/nope', '')).toEqual({
      acknowledged: false,
      ack_ms: 0,
      error: '/nope is not a valid command.',
    });
    expect(await sandbox.messages('C0OPS', 'U0ALICE')).toMatchObject([
      { user: 'USLACKBOT', ephemeral: true },
    ]);
    expect(heard).toEqual([]);
  });

  test('a command in a thread', async () => {
    const { sandbox, heard } = await startListening();
    const { ts } = await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Hi' });
    const typed = { user: 'U0ALICE', channel: 'C0OPS', command: '/vps', thread_ts: ts };
    expect(await sandbox.post('slash', typed)).toMatchObject({
      error: '/vps is not supported in threads. Sorry!',
    });
    expect(heard).toEqual([]);
  });
});

describe('nobody can type', () => {
  test.each([
    ['where one is not a member', { user: 'U0DAVE', channel: 'C0QUIET' }, 400, 'U0DAVE is not in C0QUIET'],
    [
      "in someone else's direct messages",
      { user: 'U0BOB', channel: 'U0ALICE' },
      404,
      'There is no channel U0ALICE',
    ],
    [
      'in a channel that is not there',
      { user: 'U0BOB', channel: 'C0NONE' },
      404,
      'There is no channel C0NONE',
    ],
    ['for nobody', { user: 'U0GWEN', channel: 'C0OPS' }, 404, 'There is no person U0GWEN in T0ACME'],
    [
      'in no workspace',
      { user: 'U0BOB', channel: 'C0OPS', team: 'T0NONE' },
      404,
      'There is no workspace T0NONE',
    ],
  ])('%s', async (_what, typed, status, error) => {
    const sandbox = await startSandbox();
    const response = await sandbox.status('slash', { command: '/vps', text: 'list', ...typed });
    expect(response).toEqual({ status, answer: { error: expect.stringContaining(error) } });
  });

  test('in direct messages, unless the manifest allows it', async () => {
    const { bot_user, slash_commands } = fullManifest.features;
    const sandbox = await startSandbox({
      manifest: { ...fullManifest, features: { bot_user, slash_commands } },
    });
    const response = await sandbox.status('slash', { user: 'U0BOB', channel: 'U0BOB', command: '/vps' });
    expect(response.status).toBe(400);
    expect(response.answer.error).toContain('messages_tab_read_only_enabled: false');
  });
});

test('an acknowledgement that is not a message is an error', async () => {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack }) => {
      const text = { type: 'mrkdwn' as const, text: 'x'.repeat(3001) };
      await ack({ blocks: [{ type: 'section', text }] });
    });
  });
  expect(await type(sandbox, '/vps', '')).toMatchObject({
    acknowledged: true,
    error: 'invalid_command_response',
  });
});

test('an acknowledgement can be public', async () => {
  const sandbox = await startSandbox();
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack }) => ack({ text: 'For all', response_type: 'in_channel' }));
  });
  await type(sandbox, '/vps', '');
  expect(await sandbox.messages('C0OPS', 'U0BOB')).toMatchObject([{ text: 'For all' }]);
});

test('people can add the app to a channel and remove it, as in Slack', async () => {
  const sandbox = await startSandbox();
  const joined: string[] = [];
  await startSocketApp(sandbox, (app) => {
    app.event(
      'member_joined_channel',
      async ({ event }) => void joined.push(`${event.user} ${event.inviter}`),
    );
  });
  const post = () => sandbox.client().chat.postMessage({ channel: 'C0QUIET', text: 'Hi' });
  expect(await type(sandbox, '/invite', '@Tester', 'C0QUIET')).toMatchObject({ acknowledged: true });
  await expect(post()).resolves.toMatchObject({ ok: true });
  await expect.poll(() => joined).toEqual(['U0APPACME U0ALICE']);
  await type(sandbox, '/remove', '@Tester', 'C0QUIET');
  await expect(post()).rejects.toThrow('not_in_channel');
  expect(await type(sandbox, '/invite', 'nobody', 'C0QUIET')).toMatchObject({ acknowledged: false });
});
