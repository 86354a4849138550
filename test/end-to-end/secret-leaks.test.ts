import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { hostingOperations } from '../../src/operations/hosting-operations.ts';
import { createJumpingClock } from '../jobs/clocks/jumping-clock.ts';
import { createKeyModalDriver } from '../slack/modals/api-key/api-key-driver.ts';
import { installAs } from '../slack/oauth/install-driver.ts';
import { allCases } from '../slack/operations/cases/all-cases.ts';
import { everyCommand } from '../slack/operations/every-command.ts';
import { findSecrets } from '../slack/operations/expect-secret.ts';
import { alertCommands, alertingWatch, localCommands } from '../slack/operations/local-commands.ts';
import type { OperationCase } from '../slack/operations/operation-case.ts';
import { readReply } from '../slack/operations/read-reply.ts';
import { runByCommand } from '../slack/operations/run-case.ts';
import { type StackFixture, startStackFixture } from '../slack/stack-fixture.ts';

const catalogue = hostingOperations();
const cases = Object.values(allCases).flat();
const encryptionKey = randomBytes(32);
const clock = createJumpingClock();

/** Keys that people type in the right and the wrong places. */
const typedKeys = {
  connected: 'hunted-key-connected',
  replacing: 'hunted-key-replacing',
  mistyped: 'hunted-key-mistyped',
  inCommand: 'hunted-key-in-a-command',
  inMention: 'hunted-key-in-a-mention',
} as const;

const configuredTokens = ['xoxb-sandbox-acme', 'xoxb-sandbox-globex'];

const configuredSecrets = [
  'sandbox-key-full',
  ...configuredTokens,
  'xapp-sandbox',
  'sandbox-client-secret',
  encryptionKey.toString('base64'),
  encryptionKey.toString('base64url'),
  encryptionKey.toString('hex'),
];

const audiences = [
  { team: 'T0ACME', users: ['U0ALICE', 'U0BOB', 'U0CAROL'], channels: ['C0OPS', 'C0GENERAL', 'C0QUIET'] },
  { team: 'T0GLOBEX', users: ['U0GWEN'], channels: ['C0GLOBEX'] },
  { team: 'T0INITECH', users: ['U0ERIN'], channels: ['C0INITECH'] },
] as const;

let stage: StackFixture;
let close = async () => {};
afterAll(() => close());

/** Starts a new workspace and service, so that the test can be repeated. */
async function openStage(): Promise<void> {
  await close();
  // At trace level, libraries log what they send and receive.
  const hosting = { port: 0, windowMs: 200 };
  stage = await startStackFixture({ logLevel: 'trace', encryptionKey, hosting, clock });
  close = stage.close;
}

/** Runs operations with and without secrets; returns the secrets that they produced. */
async function exerciseEverything(): Promise<readonly string[]> {
  const { slack, service } = stage;
  const { connected, replacing, mistyped, inCommand, inMention } = typedKeys;
  for (const key of [connected, replacing]) await service.addKey(key);

  const gwen = createKeyModalDriver(slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
  await gwen.type('connect');
  expect(await gwen.send(mistyped)).toMatchObject({ response_action: 'errors' });
  await gwen.send(connected);
  await gwen.shows('Connected to ');
  await gwen.closeDialog();
  await gwen.type('list');
  await gwen.says('12 VPS');
  await gwen.type('rotate');
  await gwen.send(replacing);
  await gwen.shows('was replaced');
  await gwen.closeDialog();

  await slack.slash(`connect ${inCommand}`);
  await slack.mention(`@Rackhand connect ${inMention}`);
  await installAs(stage.serverUrl, 'T0INITECH/U0ERIN');

  // A reinstalled VPS accepts no other operation, so this is last.
  const isLast = ({ operation }: OperationCase) => Number(operation === 'reinstall');
  const checked = cases.filter(
    ({ command, hasSecret }) => hasSecret || command === 'password reset VPS-10001',
  );
  for (const one of checked.toSorted((a, b) => isLast(a) - isLast(b))) await runByCommand(stage, one);
  for (const { command, operation } of cases) {
    if (catalogue.find(operation)?.kind === 'read') await slack.slash(command, { channel: 'C0GENERAL' });
  }
  await exerciseLocalOperations();
  for (const command of everyCommand) await readReply(stage, command, { channel: 'C0GENERAL' });
  await slack.slash('backup show VPS-10001', { user: 'U0CAROL' });
  await slack.message('Backup space of web-01 (VPS-10001)', 'C0OPS', 'U0CAROL');

  const answered = (await stage.answers()).flatMap((answer) => findSecrets(JSON.parse(answer)));
  expect(answered.length, 'secrets in the answers of the service').toBeGreaterThan(5);
  await injectFaults();
  const tokens = await readBotTokens();
  expect(tokens.length).toBeGreaterThan(configuredTokens.length);
  return [...new Set([...answered, ...tokens])];
}

/** Runs the operations on Rackhand's own data. Each of them must succeed. */
async function exerciseLocalOperations(): Promise<void> {
  const { slack, service } = stage;
  const read = (command: string) => readReply(stage, command, { channel: 'C0GENERAL' });
  const replies: string[] = [];
  for (const command of [...localCommands, alertingWatch]) replies.push(await read(command));
  let listed = -1;
  await slack.untilSeen(async () => {
    // Each evaluation of the watches lists the VPS. The next one is a minute later.
    const lists = (await service.calls()).filter(({ path }) => path === '/v1/vps').length;
    if (lists > listed) clock.jump(60_000);
    listed = lists;
    const messages = await slack.newMessages('C0GENERAL');
    expect(messages.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^⚠ legacy-01/));
  });
  for (const command of alertCommands) replies.push(await read(command));
  expect(replies.filter((text) => /Nothing was changed/.test(text))).toEqual([]);
}

/** Returns the tokens of all workspaces, with those that were issued at an installation. */
async function readBotTokens(): Promise<readonly string[]> {
  const settings = await (await fetch(`${stage.slack.url}/sandbox/settings`)).json();
  return z.object({ bot_tokens: z.array(z.string()) }).parse(settings).bot_tokens;
}

/** Returns how many Socket Mode connections are open. */
async function countConnections(): Promise<number> {
  const workspace = await (await fetch(`${stage.slack.url}/sandbox/workspace`)).json();
  return z.object({ app: z.object({ connections: z.number() }) }).parse(workspace).app.connections;
}

/** Breaks a response with secrets, and the connection to Slack. */
async function injectFaults(): Promise<void> {
  const { slack, service } = stage;
  await slack.fault('drop_socket');
  // On a busy machine, the second connection can be lost too.
  await expect.poll(countConnections).toBe(2);
  await service.fault('malformed', { method: 'GET', path: '/v1/vps/VPS-10001/backup-ftp', times: 9 });
  await slack.slash('backup show VPS-10001', { user: 'U0BOB' });
  await slack.message(/service/i, 'C0OPS', 'U0BOB');
}

const sharedFilesSchema = z.object({ files: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** Exports the audit log and returns the file's text. */
async function exportAuditLog(format: 'csv' | 'jsonl'): Promise<string> {
  const { slack } = stage;
  await slack.slash(`history --export ${format}`);
  const id = await slack.untilSeen(async () => {
    const messages = await slack.newMessages('U0ALICE');
    const files = messages.flatMap((message) => sharedFilesSchema.safeParse(message).data?.files ?? []);
    const file = files.find(({ name }) => name.endsWith(`.${format}`));
    if (!file) throw new Error('no file has come');
    return file.id;
  });
  const response = await fetch(`${slack.url}/files/${id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  return response.text();
}

/** Returns everything that the app shows in Slack, without people's own messages. */
async function readAllMessages(): Promise<string> {
  const { slack } = stage;
  const sights = audiences.flatMap(({ team, users, channels }) =>
    users.flatMap((user) => [
      ...[...channels, user].map(async (channel) =>
        (await slack.messages(channel, user, team)).filter(({ bot_id }) => bot_id !== undefined),
      ),
      slack.openModals(user, team),
      slack.home(user, team),
    ]),
  );
  return JSON.stringify(await Promise.all(sights));
}

/**
 * Every place where a secret could leak, each with a text that must be there to prove the search
 * works.
 */
const searchedPlaces: Readonly<Record<string, { words: string; read: () => string | Promise<string> }>> = {
  'the log, whatever its level': { words: '"level":', read: () => stage.log() },
  'the files of the database': { words: 'VPS-10001', read: () => stage.bytes().toString('latin1') },
  'messages, views and Homes': { words: 'Backup space of web-01 (VPS-10001)', read: readAllMessages },
  'the record, as CSV': { words: 'backup regenerate', read: () => exportAuditLog('csv') },
  'the record, as JSON lines': { words: 'backup regenerate', read: () => exportAuditLog('jsonl') },
  'the metrics': {
    words: 'rackhand_',
    read: async () => (await fetch(`${stage.serverUrl}/metrics`)).text(),
  },
};

test('no key, token, password or credential is left in messages, logs or the database', async () => {
  await openStage();
  const secrets = [...configuredSecrets, ...Object.values(typedKeys), ...(await exerciseEverything())];
  const found: string[] = [];
  for (const [place, { words, read }] of Object.entries(searchedPlaces)) {
    const text = await read();
    expect(text.includes(words), `${words} in ${place}`).toBe(true);
    const stayed = secrets.filter((secret) => text.includes(secret) || text.includes(escapeJson(secret)));
    found.push(...stayed.map((secret) => `${secret} in ${place}`));
  }
  expect(found).toEqual([]);
});

test('no response URL is stored in plain text, and an hour later no e-mail address is left', async () => {
  const mailOrUrl = new RegExp(`ops@acme\\.example|${stage.slack.url}/(commands|actions)/[^"\\\\]*`, 'g');
  const search = (text: string) => [...new Set(text.match(mailOrUrl))];
  expect(search(stage.rows()), 'what is stored at first').toEqual(['ops@acme.example']);
  expect(search(stage.bytes().toString('latin1'))).toEqual(['ops@acme.example']);
  clock.jump(61 * 60_000);
  await expect.poll(() => search(stage.rows())).toEqual([]);
  expect(search(stage.log())).toEqual([]);
  expect(search(await (await fetch(`${stage.serverUrl}/metrics`)).text())).toEqual([]);
});

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
