import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findMentions } from '../../src/workspace/messages/mentions.ts';
import { fullManifest, type Sandbox, startSandbox, startSocketApp } from '../harness.ts';

type Event = Record<string, unknown>;

/** Starts a sandbox whose app records the events that it receives. */
async function startListening(
  events: string[],
  scopes: string[] = [],
): Promise<{ sandbox: Sandbox; heard: Event[] }> {
  const { oauth_config, settings } = fullManifest;
  const sandbox = await startSandbox({
    manifest: {
      ...fullManifest,
      oauth_config: { scopes: { bot: [...oauth_config.scopes.bot, ...scopes] } },
      settings: { ...settings, event_subscriptions: { bot_events: events } },
    },
  });
  const heard: Event[] = [];
  await startSocketApp(sandbox, (app) => {
    for (const type of ['app_mention', 'message', 'tokens_revoked']) {
      app.event(type, async ({ event }) => void heard.push({ ...event }));
    }
  });
  return { sandbox, heard };
}

const mention = (sandbox: Sandbox, body: object) =>
  sandbox.post('mention', { user: 'U0ALICE', channel: 'C0OPS', text: 'hi', ...body });

describe('a mention', () => {
  test('is delivered with the text as Slack encodes it', async () => {
    const { sandbox, heard } = await startListening(['app_mention']);
    const said = await mention(sandbox, { text: 'reboot web.example.com & ask @bob' });
    expect(said).toMatchObject({ acknowledged: true, ts: expect.any(String) });
    expect(heard).toMatchObject([
      {
        type: 'app_mention',
        user: 'U0ALICE',
        team: 'T0ACME',
        channel: 'C0OPS',
        ts: said.ts,
        event_ts: said.ts,
        text: '<@U0APPACME> reboot <http://web.example.com|web.example.com> &amp; ask <@U0BOB>',
      },
    ]);
    const rich = z.array(z.looseObject({ elements: z.array(z.looseObject({ elements: z.unknown() })) }));
    expect(rich.parse(heard[0]?.blocks)[0]?.elements[0]?.elements).toEqual([
      { type: 'user', user_id: 'U0APPACME' },
      { type: 'text', text: ' reboot ' },
      { type: 'link', url: 'http://web.example.com', text: 'web.example.com' },
      { type: 'text', text: ' & ask ' },
      { type: 'user', user_id: 'U0BOB' },
    ]);
  });

  test('is delivered from threads too', async () => {
    const { sandbox, heard } = await startListening(['app_mention']);
    const { ts } = await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Parent' });
    await mention(sandbox, { thread_ts: ts });
    expect(heard).toMatchObject([{ thread_ts: ts, parent_user_id: 'U0BOB' }]);
    expect(
      await sandbox.status('mention', { user: 'U0BOB', channel: 'C0OPS', text: 'hi', thread_ts: '1.0' }),
    ).toEqual({
      status: 404,
      answer: { error: 'There is no message 1.0 to reply to' },
    });
  });

  test('by someone from another organization names that organization', async () => {
    const { sandbox, heard } = await startListening(['app_mention']);
    await mention(sandbox, { user: 'U0ERIN' });
    expect(heard).toMatchObject([{ user: 'U0ERIN', team: 'T0INITECH', user_team: 'T0INITECH' }]);
  });

  test('is not delivered to an app that is not in the channel or did not subscribe', async () => {
    const { sandbox, heard } = await startListening([]);
    expect(await mention(sandbox, { channel: 'C0QUIET' })).toMatchObject({
      note: expect.stringContaining('not in'),
    });
    expect(await mention(sandbox, {})).toMatchObject({ note: expect.stringContaining('does not subscribe') });
    expect(heard).toEqual([]);
  });

  test('needs a channel and text', async () => {
    const sandbox = await startSandbox();
    expect((await sandbox.status('message', { user: 'U0BOB', channel: 'C0OPS', text: ' ' })).status).toBe(
      400,
    );
    expect((await sandbox.status('mention', { user: 'U0BOB', text: 'hi' })).answer.error).toContain(
      'channel',
    );
  });
});

describe('message events', () => {
  test('report messages that are posted, edited and deleted in channels', async () => {
    const { sandbox, heard } = await startListening(['message.channels']);
    const { chat } = sandbox.client();
    await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Hi' });
    await expect
      .poll(() => heard)
      .toMatchObject([{ channel: 'C0OPS', channel_type: 'channel', user: 'U0BOB', text: 'Hi' }]);
    await chat.postEphemeral({ channel: 'C0OPS', user: 'U0BOB', text: 'Psst' });
    const { ts = '' } = await chat.postMessage({ channel: 'C0OPS', text: 'One' });
    await chat.update({ channel: 'C0OPS', ts, text: 'Two' });
    await chat.delete({ channel: 'C0OPS', ts });
    const sent = (await sandbox.traffic()).filter(({ kind }) => kind === 'events_api');
    expect(sent.map(({ payload }) => payload.event)).toMatchObject([
      { text: 'Hi' },
      { bot_id: 'B0ACME', text: 'One' },
      { subtype: 'message_changed', message: { text: 'Two' }, previous_message: { text: 'One' } },
      { subtype: 'message_deleted', deleted_ts: ts, previous_message: { text: 'Two' } },
    ]);
  });

  test('report direct messages', async () => {
    const { sandbox, heard } = await startListening(['message.im']);
    await sandbox.post('message', { user: 'U0BOB', channel: 'U0BOB', text: 'Hi' });
    await expect.poll(() => heard).toMatchObject([{ channel: 'D0BOB', channel_type: 'im', user: 'U0BOB' }]);
  });
});

test('tokens_revoked reports a revoked token', async () => {
  const { sandbox, heard } = await startListening(['tokens_revoked']);
  await sandbox.post('faults', { fault: 'revoke' });
  await expect.poll(() => heard).toMatchObject([{ tokens: { bot: ['U0APPACME'] } }]);
});

describe('mentions', () => {
  test('are found in text, blocks and attachments, once each', async () => {
    const sandbox = await startSandbox();
    await sandbox.client().chat.postMessage({
      channel: 'C0OPS',
      text: 'For <!channel> and <@U0BOB>',
      blocks: [
        { type: 'section', text: { type: 'mrkdwn', text: '<!subteam^S0ONCALL> <!channel>' } },
        { type: 'section', text: { type: 'plain_text', text: '<!everyone>' } },
        {
          type: 'rich_text',
          elements: [{ type: 'rich_text_section', elements: [{ type: 'broadcast', range: 'here' }] }],
        },
      ],
    });
    expect(await sandbox.messages('C0OPS', 'U0BOB')).toMatchObject([
      { pings: ['channel', 'U0BOB', 'S0ONCALL', 'here'] },
    ]);
  });

  test('are not found in escaped text', () => {
    const escaped = (text: string) =>
      text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    const hostile = fc.oneof(
      fc.string(),
      fc.constantFrom('<!channel>', '<@U0BOB>', '&lt;!here&gt;', '<!subteam^S1|x>'),
    );
    fc.assert(
      fc.property(fc.array(hostile), (parts) => {
        const text = escaped(parts.join(''));
        const blocks = [{ type: 'section', text: { type: 'mrkdwn', text } }];
        expect(findMentions({ text, blocks })).toEqual([]);
      }),
    );
  });
});

test('an app whose name has punctuation can be mentioned', async () => {
  const bot_user = { display_name: 'Casey-OpenAI SDK (JavaScript)' };
  const { features } = fullManifest;
  const sandbox = await startSandbox({ manifest: { ...fullManifest, features: { ...features, bot_user } } });
  const { user } = await sandbox.client().auth.test();
  expect(user).toBe('casey-openaisdkjavascript');
  await mention(sandbox, {});
  await mention(sandbox, { text: `@${bot_user.display_name} hi` });
  const texts = (await sandbox.messages('C0OPS', 'U0ALICE')).map(({ text }) => text);
  expect(texts).toEqual(['<@U0APPACME> hi', '<@U0APPACME> hi']);
});
