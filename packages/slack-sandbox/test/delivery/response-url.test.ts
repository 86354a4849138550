import { describe, expect, test } from 'vitest';
import { type Sandbox, startSandbox, startSocketApp } from '../harness.ts';

const button = {
  type: 'actions' as const,
  elements: [{ type: 'button' as const, action_id: 'go', text: { type: 'plain_text' as const, text: 'Go' } }],
};

/** Starts a sandbox whose app acknowledges everything. Returns the response URL of the last payload. */
async function startListening(): Promise<{ sandbox: Sandbox; lastUrl(): string }> {
  const sandbox = await startSandbox();
  let url = '';
  await startSocketApp(sandbox, (app) => {
    app.command('/vps', async ({ ack, command }) => {
      url = command.response_url;
      await ack();
    });
    app.action('go', async ({ ack, body }) => {
      if ('response_url' in body) url = body.response_url;
      await ack();
    });
  });
  return { sandbox, lastUrl: () => url };
}

async function respond(url: string, body: object): Promise<{ status: number; answer: string }> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, answer: await response.text() };
}

const slash = (sandbox: Sandbox) =>
  sandbox.post('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/vps' });
const texts = async (sandbox: Sandbox, user = 'U0ALICE') =>
  (await sandbox.messages('C0OPS', user)).map(({ text }) => text);

describe('the response URL of a command', () => {
  test('works five times in 30 minutes', async () => {
    const { sandbox, lastUrl } = await startListening();
    await slash(sandbox);
    for (const text of ['1', '2', '3', '4', '5'])
      expect((await respond(lastUrl(), { text })).status).toBe(200);
    expect(await respond(lastUrl(), { text: '6' })).toEqual({
      status: 404,
      answer: '{"ok":false,"error":"used_url"}',
    });
    await slash(sandbox);
    await sandbox.advance(30 * 60_000 - 1);
    expect((await respond(lastUrl(), { text: '6' })).status).toBe(200);
    await sandbox.advance(1);
    expect((await respond(lastUrl(), { text: '7' })).answer).toContain('expired_url');
    expect(await texts(sandbox)).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('never replaces or deletes what it has posted', async () => {
    const { sandbox, lastUrl } = await startListening();
    await slash(sandbox);
    await respond(lastUrl(), { text: 'Thinking' });
    await respond(lastUrl(), { text: 'Done', replace_original: true });
    expect((await respond(lastUrl(), { delete_original: true })).status).toBe(200);
    expect(await texts(sandbox)).toEqual(['Thinking', 'Done']);
  });

  test('posts for one person, for everyone with in_channel, or in a thread', async () => {
    const { sandbox, lastUrl } = await startListening();
    const { ts } = await sandbox.post('message', { user: 'U0BOB', channel: 'C0OPS', text: 'Parent' });
    await slash(sandbox);
    await respond(lastUrl(), { text: 'Mine' });
    await respond(lastUrl(), { text: 'Ours', response_type: 'in_channel', thread_ts: ts });
    expect(await texts(sandbox)).toEqual(['Parent', 'Mine', 'Ours']);
    expect(await texts(sandbox, 'U0BOB')).toEqual(['Parent', 'Ours']);
    expect((await sandbox.messages('C0OPS', 'U0BOB'))[1]).toMatchObject({ thread_ts: ts });
  });

  test('responds with 400 to anything but a message', async () => {
    const { sandbox, lastUrl } = await startListening();
    await slash(sandbox);
    expect(await respond(lastUrl(), {})).toMatchObject({
      status: 400,
      answer: expect.stringContaining('no_text'),
    });
    const blocks = [{ type: 'header' }];
    expect((await respond(lastUrl(), { text: 'Hi', blocks })).answer).toContain('invalid_blocks');
    const refusals = (await sandbox.traffic()).filter(({ kind }) => kind === 'response_url');
    expect(refusals).toMatchObject([{ refused: 'no_text' }, { refused: 'invalid_blocks' }]);
  });
});

describe('the response URL of a click', () => {
  async function clickOn(sandbox: Sandbox, isEphemeral: boolean) {
    const { chat } = sandbox.client();
    const message = { channel: 'C0OPS', text: 'Card', blocks: [button] };
    if (isEphemeral) await chat.postEphemeral({ ...message, user: 'U0ALICE' });
    else await chat.postMessage(message);
    const [card] = await sandbox.messages('C0OPS', 'U0ALICE');
    await sandbox.post('click', { user: 'U0ALICE', channel: 'C0OPS', ts: card?.ts, action_id: 'go' });
  }

  test.each([true, false])('replaces the clicked message by default (ephemeral: %s)', async (isEphemeral) => {
    const { sandbox, lastUrl } = await startListening();
    await clickOn(sandbox, isEphemeral);
    await respond(lastUrl(), { text: 'New' });
    const [message, ...others] = await sandbox.messages('C0OPS', 'U0ALICE');
    expect(others).toEqual([]);
    expect(message).toMatchObject({ text: 'New' });
    expect(message?.blocks).toMatchObject([{ type: 'rich_text' }]);
    expect(await texts(sandbox, 'U0BOB')).toEqual(isEphemeral ? [] : ['New']);
  });

  test.each([true, false])('deletes the clicked message (ephemeral: %s)', async (isEphemeral) => {
    const { sandbox, lastUrl } = await startListening();
    await clickOn(sandbox, isEphemeral);
    await respond(lastUrl(), { delete_original: true });
    expect(await texts(sandbox)).toEqual([]);
  });

  test('posts a separate message on request', async () => {
    const { sandbox, lastUrl } = await startListening();
    await clickOn(sandbox, true);
    await respond(lastUrl(), { text: 'Beside', replace_original: false });
    await respond(lastUrl(), { text: 'Loud', replace_original: false, response_type: 'in_channel' });
    expect(await texts(sandbox)).toEqual(['Card', 'Beside', 'Loud']);
    expect(await texts(sandbox, 'U0BOB')).toEqual(['Loud']);
  });

  test('reports when the message to replace is gone', async () => {
    const { sandbox, lastUrl } = await startListening();
    await clickOn(sandbox, false);
    const [card] = await sandbox.messages('C0OPS', 'U0ALICE');
    await sandbox.client().chat.delete({ channel: 'C0OPS', ts: card?.ts ?? '' });
    expect((await respond(lastUrl(), { text: 'New' })).answer).toContain('message_not_found');
  });
});

test('an unknown response URL is 404', async () => {
  const sandbox = await startSandbox();
  expect((await respond(`${sandbox.url}/actions/T0ACME/1/guess`, { text: 'Hi' })).status).toBe(404);
});
