import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { findTypeErrors } from '../../find-type-errors.ts';
import { createJumpingClock } from '../../jobs/clocks/jumping-clock.ts';
import { startOtlpReceiver } from '../../tracing/otlp-receiver.ts';
import { createKeyModalDriver } from '../modals/api-key/api-key-driver.ts';
import { installAs } from '../oauth/install-driver.ts';
import { type StackFixture, startStackFixture } from '../stack-fixture.ts';
import { allCases } from './cases/all-cases.ts';
import { commandGroups } from './every-command.ts';
import { alertCommands, alertingWatch, localCommands } from './local-commands.ts';
import type { OperationCase } from './operation-case.ts';
import { readReply } from './read-reply.ts';
import { findSecrets, runCase } from './run-case.ts';

// One walk over the catalogue, with one app: everything that people can do is done once in each way,
// by people who are allowed to and by others. Then all places are searched for secrets, and what was sent to
// Slack is compared with Slack's types.

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

/** Everything that must stay secret, besides what the service answers. */
const secrets = new Set<string>([
  'sandbox-key-full',
  ...configuredTokens,
  'xapp-sandbox',
  'sandbox-client-secret',
  encryptionKey.toString('base64'),
  encryptionKey.toString('base64url'),
  encryptionKey.toString('hex'),
  ...Object.values(typedKeys),
]);

/** A guest, and someone of another organization. */
const outsiders = ['U0DAVE', 'U0ERIN'];

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let stage: StackFixture;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  // At trace level, libraries log what they send and receive.
  const hosting = { windowMs: 200 };
  const grants = outsiders.map((grantee) => ({ grantee, right: 'admin', pattern: '*' }) as const);
  stage = await startStackFixture({
    logLevel: 'trace',
    encryptionKey,
    hosting,
    clock,
    grants,
    otlpEndpoint: receiver.url,
  });
});
afterAll(async () => {
  await stage?.close();
  await receiver?.close();
});

const answeredSecrets = new Set<string>();

async function collectAnsweredSecrets(): Promise<void> {
  const answers = await stage.answers();
  for (const secret of answers.flatMap((one) => findSecrets(JSON.parse(one)))) answeredSecrets.add(secret);
}

/** JSON of the blocks of all messages, and of all views, that Slack got. The sandbox checks Slack's limits. */
const sent = { blocks: new Set<string>(), views: new Set<string>(), refused: new Set<string>() };

const decoded = z.preprocess(
  (value) => (typeof value === 'string' ? JSON.parse(value) : value),
  z.unknown().optional(),
);
const sentPayload = z.looseObject({ blocks: decoded, view: decoded });

afterEach(async () => {
  for (const { direction, kind, payload, answer, refused } of await stage.traffic()) {
    if (refused !== undefined) sent.refused.add(`${kind}: ${refused}`);
    // A view can also be the answer to a submission.
    const { blocks, view } = sentPayload.safeParse(direction === 'from_app' ? payload : answer).data ?? {};
    if (blocks !== undefined) sent.blocks.add(JSON.stringify(blocks));
    if (view !== undefined) sent.views.add(JSON.stringify(view));
  }
});

describe.each(Object.entries(allCases))('%s', (_, cases) => {
  afterEach(collectAnsweredSecrets);

  test.each(cases)('/vps $command, typed', async (one) => {
    expect(await runCase(stage, one)).toBe(one.hasSecret ? 'shown once' : 'no secret');
  });

  test.each(pickFormOfEachOperation(cases))('/vps $command, by its form', async (one) => {
    expect(await runCase(stage, one, 'form')).toBe(one.hasSecret ? 'shown once' : 'no secret');
  });
});

function pickFormOfEachOperation(cases: readonly OperationCase[]): readonly OperationCase[] {
  const withForm = cases.filter(({ form }) => form).map((one) => [one.operation, one] as const);
  return [...new Map(withForm).values()];
}

const mentioned = ['show vps-10001', 'backup show VPS-10001', 'snapshot restore VPS-10005 WEEKLY'];

test.each(
  Object.values(allCases)
    .flat()
    .filter(({ command }) => mentioned.includes(command)),
)('@Rackhand $command, mentioned in a thread', async (one) => {
  expect(await runCase(stage, one, 'mention')).toBe(one.hasSecret ? 'shown once' : 'no secret');
  await collectAnsweredSecrets();
});

test("every operation on Rackhand's own data succeeds", async () => {
  const { slack, service } = stage;
  await service.reset();
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
    expect(messages.map(({ text }) => text)).toContainEqual(expect.stringMatching(/^⚠️ legacy-01/));
  });
  for (const command of alertCommands) replies.push(await read(command));
  expect(replies.filter((text) => /Nothing was changed/.test(text))).toEqual([]);
});

const isDenial = (text: string) =>
  /You don't have permission|(?:Guests|Deactivated accounts) can't|Only members of this workspace can/.test(
    text,
  );

// `test/auth/every-operation.test.ts` decides about each command for each right.
test('nobody without the right gets any, and outsiders none at all, whatever was granted', async () => {
  const { slack, service } = stage;
  const { id } = await slack.act('person', { name: 'frank', role: 'deactivated' });
  await slack.act('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/invite', text: '@frank' });
  await service.reset();
  const strangers = [...outsiders, String(id)];
  const commands = commandGroups.flatMap(({ right, commands: typed }) =>
    typed.map((command) => ({ command, isForEveryMember: right === null })),
  );
  const answered: string[] = [];
  for (const [index, { command, isForEveryMember }] of commands.entries()) {
    const people = isForEveryMember ? strangers : ['U0BOB', ...strangers];
    const user = people[index % people.length] ?? '';
    if (!isDenial(await readReply(stage, command, { user }))) answered.push(`${user}: ${command}`);
  }
  expect(answered).toEqual([]);
  expect(await service.changes()).toEqual([]);
});

test('keys are typed in the right and the wrong places, and the service and Slack fail', async () => {
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

  await slack.fault('drop_socket');
  // On a busy machine, the second connection can be lost too.
  await expect.poll(countConnections).toBe(2);
  await service.fault('malformed', { method: 'GET', path: '/v1/vps/VPS-10001/backup-ftp', times: 9 });
  await slack.slash('backup show VPS-10001');
  await slack.message(/service/i);
  const tokens = await readBotTokens();
  expect(tokens.length).toBeGreaterThan(configuredTokens.length);
  for (const token of tokens) secrets.add(token);
});

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

const audiences = [
  { team: 'T0ACME', users: ['U0ALICE', 'U0BOB', 'U0CAROL'], channels: ['C0OPS', 'C0GENERAL', 'C0QUIET'] },
  { team: 'T0GLOBEX', users: ['U0GWEN'], channels: ['C0GLOBEX'] },
  { team: 'T0INITECH', users: ['U0ERIN'], channels: ['C0INITECH'] },
] as const;

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

const readMetrics = async () => (await fetch(`${stage.serverUrl}/metrics`)).text();

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
  'the metrics': { words: 'rackhand_', read: readMetrics },
  'the traces': { words: 'backup regenerate', read: () => receiver.text() },
};

test('after all this, no key, token, password or credential is left in messages, logs or the database', async () => {
  expect(answeredSecrets.size, 'secrets in the answers of the service').toBeGreaterThan(1);
  const found: string[] = [];
  for (const [place, { words, read }] of Object.entries(searchedPlaces)) {
    const text = await read();
    expect(text.includes(words), `${words} in ${place}`).toBe(true);
    const stayed = [...secrets, ...answeredSecrets].filter(
      (one) => text.includes(one) || text.includes(escapeJson(one)),
    );
    found.push(...stayed.map((secret) => `${secret} in ${place}`));
  }
  expect(found).toEqual([]);
});

test("all messages and views have Slack's types, and Slack refused none of them", async () => {
  const parse = (texts: ReadonlySet<string>) => [...texts].map((text) => JSON.parse(text));
  expect(Math.min(sent.blocks.size, sent.views.size)).toBeGreaterThan(50);
  expect([...sent.refused]).toEqual([]);
  const errors = await findTypeErrors([
    { type: "import('@slack/types').KnownBlock[]", values: parse(sent.blocks) },
    { type: "import('@slack/types').View", values: parse(sent.views) },
  ]);
  expect(errors).toEqual([]);
});

test('no response URL is stored in plain text, and an hour later no e-mail address is left', async () => {
  const mailOrUrl = new RegExp(`ops@acme\\.example|${stage.slack.url}/(commands|actions)/[^"\\\\]*`, 'g');
  const search = (text: string) => [...new Set(text.match(mailOrUrl))];
  expect(search(stage.rows()), 'what is stored at first').toEqual(['ops@acme.example']);
  expect(search(stage.bytes().toString('latin1'))).toEqual(['ops@acme.example']);
  clock.jump(61 * 60_000);
  await expect.poll(() => search(stage.rows())).toEqual([]);
  expect(search(stage.log())).toEqual([]);
  expect(search(await readMetrics())).toEqual([]);
});

function escapeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
