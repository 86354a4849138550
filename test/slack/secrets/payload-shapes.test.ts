import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SlackMessage } from '../../stack.ts';
import { startOtlpReceiver } from '../../tracing/otlp-receiver.ts';
import { type StackFixture, startStackFixture } from '../stack-fixture.ts';

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let stage: StackFixture;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  const hosting = { port: 0, quota: 10_000, windowMs: 200 };
  // At trace level, libraries log what they send and receive.
  stage = await startStackFixture({ logLevel: 'trace', hosting, otlpEndpoint: receiver.url });
  await stage.api('PATCH', '/v1/vps/VPS-10001/backup-ftp', { enabled: true });
});
afterAll(async () => {
  await stage.close();
  await receiver.close();
});

/**
 * Commands, with the call whose answer is replaced. The reinstall has a VPS of its own: while it lasts, the state
 * that a confirmation shows can change before the click.
 */
const commands = {
  reset: {
    command: 'password reset VPS-10002 --delivery api',
    method: 'POST',
    path: '/v1/vps/*/root-password/reset',
  },
  reinstall: {
    command: 'reinstall VPS-10003 --os debian-13',
    typed: 'VPS-10003',
    method: 'POST',
    path: '/v1/vps/*/reinstall',
  },
  regenerate: {
    command: 'backup regenerate VPS-10001',
    method: 'POST',
    path: '/v1/vps/*/backup-ftp/regenerate',
  },
  enable: { command: 'backup enable VPS-10001', method: 'PATCH', path: '/v1/vps/*/backup-ftp' },
  action: { command: 'action VPS-10002 rescue', method: 'POST', path: '/v1/vps/*/action' },
  space: { command: 'backup show VPS-10001', method: 'GET', path: '/v1/vps/*/backup-ftp' },
  show: { command: 'show VPS-10001', method: 'GET', path: '/v1/vps/VPS-10001' },
  list: { command: 'list', method: 'GET', path: '/v1/vps' },
  live: { command: 'live VPS-10001', method: 'GET', path: '/v1/vps/*/monitoring/live' },
  whoami: { command: 'whoami', method: 'GET', path: '/v1/me' },
} as const;

const hex = '9f8e7d6c5b4a3928';
const mixed = 'tulip42harbor';
const phrase = 'correct horse battery staple';

type Shape = readonly [command: keyof typeof commands, secret: string, data: unknown];

/**
 * Answers with a secret, in the shapes of services that Rackhand has never seen. `secret-redaction.test.ts` tries
 * many more shapes.
 */
const shapes: readonly Shape[] = [
  ['reset', mixed, mixed],
  ['reset', '48392017', { vps_name: 'VPS-10002', value: 48_392_017 }],
  ['reset', phrase, { status: 'done', message: phrase }],
  ['reset', mixed, { result: { [mixed]: true } }],
  ['reinstall', hex, { os: 'debian-13', state: 'reinstalling', initial: hex }],
  ['action', mixed, { action: 'rescue', system: { login: 'root', word: mixed } }],
  ['regenerate', phrase, { state: 'active', login: { with: phrase } }],
  ['enable', phrase, { enabled: true, note: phrase }],
  ['space', mixed, { state: 'active', command: `lftp b1:${mixed}@backup.example` }],
  ['show', mixed, { vps_name: 'VPS-10001', hostname: mixed, root_password: mixed }],
  ['show', mixed, { vps_name: 'VPS-10001', console: { kind: 'novnc', path: `/vnc/${mixed}abcdef` } }],
  ['list', mixed, { vps: [{ vps_name: 'VPS-10001', state: 'running', hint: mixed, root_password: mixed }] }],
  ['live', mixed, { cpu_percent: 3, agent: { token: mixed, command: `agent join ${mixed}` } }],
  ['whoami', mixed, { email: 'ops@acme.example', api_secret: mixed, curl: `curl -H "X: ${mixed}"` }],
];

/** Errors that contain a secret, with their status. */
const errors: readonly Shape[] = [
  ['reset', mixed, { message: `password: ${mixed}` }],
  ['reset', phrase, { success: false, error: { message: `Set to ${phrase}, but no e-mail was sent` } }],
  ['regenerate', mixed, { detail: `Could not store ${mixed}` }],
  ['show', mixed, { message: `agent ${mixed} is gone`, agent_token: mixed }],
];

/** Runs a command whose answer is replaced. Returns the message that says how it ended. */
async function run(name: keyof typeof commands, fault: string): Promise<SlackMessage> {
  const { slack, service } = stage;
  const { command, method, path, ...more } = commands[name];
  await slack.act('clock', { advance_ms: 5_000 });
  await service.fault(fault, { method, path });
  // An earlier run's message can be edited meanwhile.
  const earlier = new Set((await slack.messages()).map(({ ts }) => ts));
  const untilPosted = (isExpected: (message: SlackMessage) => boolean) =>
    slack.untilSeen(async () => {
      const posted = (await slack.messages()).findLast((one) => !earlier.has(one.ts) && isExpected(one));
      if (posted) return posted;
      const seen = (await slack.messages()).slice(-3).map(({ text }) => text);
      throw new Error(`"${command}" has no such answer; the newest messages: ${seen.join(' | ')}`);
    });
  await slack.slash(command);
  if (method !== 'GET' && name !== 'enable') {
    const card = await untilPosted((one) => findConfirm(one) !== undefined);
    await slack.click(card, findConfirm(card) ?? '');
    if ('typed' in more) {
      const view = await slack.modal();
      const block = view.blocks.find(({ element }) => element !== undefined);
      const value = { type: 'plain_text_input', value: more.typed };
      await slack.submit(view, { [block?.block_id ?? '']: { [block?.element?.action_id ?? '']: value } });
    }
  }
  return untilPosted((one) => findConfirm(one) === undefined && !/⏳|🔄 Running/u.test(one.text));
}

function findConfirm({ blocks }: SlackMessage): string | undefined {
  const ids = blocks.flatMap(({ elements = [] }) => elements.map(({ action_id = '' }) => action_id));
  return ids.find((id) => id.startsWith('confirm'));
}

const showOnce = ({ blocks }: SlackMessage) =>
  blocks.flatMap(({ elements = [] }) => elements).some(({ action_id }) => action_id === 'secret');

/** The secrets of the runs so far. */
const answered: string[] = [];

/** Searches all places at once, because each search reads everything. */
async function expectNowhere(secrets: readonly string[]): Promise<void> {
  const { slack } = stage;
  const people = ['U0ALICE', 'U0BOB'];
  const messages = await Promise.all(
    people.flatMap((user) => ['C0OPS', user].map((channel) => slack.messages(channel, user))),
  );
  const places = {
    messages: JSON.stringify(messages),
    'what went between Slack and the app': JSON.stringify(await stage.traffic()),
    'the log': stage.log(),
    'the database': stage.rows(),
    'the traces': receiver.text(),
  };
  const found = Object.entries(places).flatMap(([place, text]) =>
    secrets.filter((secret) => text.includes(secret)).map((secret) => `${secret} in ${place}`),
  );
  expect(found).toEqual([]);
}

/** Makes the secret of each shape another one, so that a leak is found where it happens. */
function distinct([command, secret, data]: Shape, index: number) {
  const own = /^\d+$/.test(secret)
    ? String(Number(secret) + index)
    : `${secret}${String.fromCharCode(97 + index)}`;
  return { command, secret: own, json: JSON.stringify(data).replaceAll(secret, own) };
}

test.each(shapes.map(distinct))('offers Show Once for $command: $json', async ({ command, secret, json }) => {
  // The sandbox refuses an action that it doesn't know.
  const fault = command === 'action' ? `status:200:{"success":true,"data":${json}}` : `data:${json}`;
  answered.push(secret);
  const ended = await run(command, fault);
  if (!json.includes('"hint"')) expect(showOnce(ended), `Show Once in: ${ended.text}`).toBe(true);
});

test.each(errors.map((shape, index) => distinct(shape, index + shapes.length)))(
  'shows no message of the service for an error of $command: $json',
  async ({ command, secret, json }) => {
    answered.push(secret);
    const ended = await run(command, `status:422:${json}`);
    expect(JSON.stringify(ended.blocks)).toContain(
      "Its own message isn't shown, because it may contain a secret.",
    );
  },
);

test('an error that says only what happened is shown', async () => {
  const ended = await run('reset', 'status:409:{"message":"VPS-10002 is locked by another task."}');
  expect(JSON.stringify(ended.blocks)).toContain('VPS-10002 is locked by another task.');
});

test('the secrets in all these answers and errors reach nobody but through Show Once', async () => {
  expect(answered.length).toBe(shapes.length + errors.length);
  await expectNowhere(answered);
});
