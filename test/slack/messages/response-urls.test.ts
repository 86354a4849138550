import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { webApi } from '@slack/bolt';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { renderNotice } from '../../../src/slack/blocks/notice.ts';
import { createReply } from '../../../src/slack/messages/reply.ts';
import { postToResponseUrl } from '../../../src/slack/messages/response-url.ts';
import { findFreePort } from '../../services/find-free-port.ts';
import { createSlackDriver, manifestPath } from '../../stack.ts';
import { toSlackClients } from '../use-slack.ts';

const actor = { teamId: 'T0ACME', userId: 'U0ALICE' };
const answer = renderNotice('The answer');

let app: Server;
let sandbox: SlackSandbox;
let slack: ReturnType<typeof createSlackDriver>;
/** The response URL of the latest delivery. */
let latestUrl: string;

beforeAll(async () => {
  const port = await findFreePort();
  app = createServer(async (request, response) => {
    const form = new URLSearchParams(await text(request));
    latestUrl = form.get('response_url') ?? JSON.parse(form.get('payload') ?? '{}').response_url;
    response.end();
  }).listen(port, '127.0.0.1');
  await once(app, 'listening');
  const delivery = `http:http://127.0.0.1:${port}` as const;
  sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath, delivery });
  slack = createSlackDriver(sandbox.url);
});
afterAll(async () => {
  await sandbox.close();
  app.close();
});
beforeEach(() => slack.act('reset', {}));

const connect = () => new webApi.WebClient('xoxb-sandbox-acme', { slackApiUrl: `${sandbox.url}/api/` });

/** Creates the reply to a command or, with `isClick`, to the click of a button. */
function replyTo({ channel = 'C0OPS', isClick = false } = {}) {
  const origin = { channel, responseUrl: latestUrl };
  const clicked = isClick && { clickedUrl: latestUrl };
  return createReply(toSlackClients(`${sandbox.url}/api/`), { actor, origin, ...clicked });
}

async function useUp(): Promise<void> {
  const body = { response_type: 'ephemeral', replace_original: false, text: 'Something before' };
  while (await postToResponseUrl(latestUrl, body, `${sandbox.url}/api/`));
}

const expire = () => slack.act('clock', { advance_ms: 31 * 60_000 });

const find = async (channel: string, user: string) =>
  (await slack.messages(channel, user)).find((message) => message.text === 'The answer');

describe.each([
  ['has expired', expire],
  ['was used up', useUp],
])('with a response URL that %s', (_, end) => {
  test('the actor, and nobody else, still gets the answer in the channel', async () => {
    await slack.slash('list');
    await end();
    await replyTo().sendToActor(answer);
    expect(await find('C0OPS', 'U0ALICE')).toMatchObject({ ephemeral: true });
    expect(await find('C0OPS', 'U0BOB')).toBeUndefined();
  });

  test("the actor gets the answer as a direct message if the app isn't in the channel", async () => {
    await slack.slash('list', { channel: 'C0QUIET' });
    await end();
    await replyTo({ channel: 'C0QUIET' }).sendToActor(answer);
    expect(await find('C0QUIET', 'U0ALICE')).toBeUndefined();
    expect(await find('U0ALICE', 'U0ALICE')).toMatchObject({ ephemeral: false });
  });

  test('the channel still gets the answer', async () => {
    await slack.slash('list --public');
    await end();
    await replyTo().sendToChannel(answer);
    expect(await find('C0OPS', 'U0BOB')).toMatchObject({ ephemeral: false });
  });

  test('the answer to a click is a new message, and the clicked one stays', async () => {
    const button = { type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } } as const;
    await connect().chat.postMessage({
      channel: 'C0OPS',
      text: 'A card',
      blocks: [{ type: 'actions', elements: [button] }],
    });
    await slack.click(await slack.message('A card'), 'go');
    await end();
    await replyTo({ isClick: true }).replace(answer);
    expect(await find('C0OPS', 'U0ALICE')).toMatchObject({ ephemeral: true });
    await replyTo({ isClick: true }).remove();
    expect((await slack.messages()).map((message) => message.text)).toContain('A card');
  });
});

test('a reply is sent only to Slack', async () => {
  let requests = 0;
  const other = createServer((_, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { port } = z.object({ port: z.number() }).parse(other.address());
  const own = `http://127.0.0.1:${port}`;
  for (const [url, apiUrl] of [
    [`${own}/hook`, 'https://slack.com/api/'],
    [`${own}/hook`, 'http://127.0.0.1:1/api/'],
    [`http://slack.com@127.0.0.1:${port}/`, 'http://slack.com/api/'],
    ['nonsense', 'https://slack.com/api/'],
  ] as const)
    expect(await postToResponseUrl(url, {}, apiUrl)).toBe(false);
  expect(requests).toBe(0);
  expect(await postToResponseUrl(`${own}/hook`, {}, `${own}/api/`)).toBe(true);
  expect(requests).toBe(1);
});
