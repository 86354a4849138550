import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { allOperations } from '../src/operations/all.ts';
import { eventually } from './eventually.ts';
import { inFrontOf } from './slack/connect-dialog.ts';
import { installAs } from './slack/install-acts.ts';
import type { Case } from './slack/operations/case.ts';
import { allCases } from './slack/operations/cases/all.ts';
import { driveByCommand } from './slack/operations/drive.ts';
import { secretsIn } from './slack/operations/secrecy.ts';
import { type Stage, startStage } from './slack/operations/stage.ts';

const catalogue = allOperations();
const cases = Object.values(allCases).flat();
const encryptionKey = randomBytes(32);

/** Keys that people type, where they belong and where they do not. */
const typedKeys = {
  connected: 'hunted-key-connected',
  replacing: 'hunted-key-replacing',
  mistyped: 'hunted-key-mistyped',
  inCommand: 'hunted-key-in-a-command',
  inMention: 'hunted-key-in-a-mention',
} as const;

const settings = [
  'sandbox-key-full',
  'xoxb-sandbox-acme',
  'xoxb-sandbox-globex',
  'xapp-sandbox',
  'sandbox-client-secret',
  encryptionKey.toString('base64'),
  encryptionKey.toString('base64url'),
  encryptionKey.toString('hex'),
];

const people = [
  { team: 'T0ACME', users: ['U0ALICE', 'U0BOB', 'U0CAROL'], channels: ['C0OPS', 'C0GENERAL', 'C0QUIET'] },
  { team: 'T0GLOBEX', users: ['U0GWEN'], channels: ['C0GLOBEX'] },
  { team: 'T0INITECH', users: ['U0ERIN'], channels: ['C0INITECH'] },
] as const;

let stage: Stage;
beforeAll(async () => {
  // Trace: the libraries tell what they send and receive.
  stage = await startStage({ logLevel: 'trace', encryptionKey, hosting: { port: 0, windowMs: 200 } });
});
afterAll(() => stage.close());

/** Does whatever has to do with secrets, and much that has not; gives the secrets that came of it. */
async function useEverything(): Promise<readonly string[]> {
  const { slack, service } = stage;
  const { connected, replacing, mistyped, inCommand, inMention } = typedKeys;
  for (const key of [connected, replacing]) await service.addKey(key);

  const gwen = inFrontOf(slack, { user: 'U0GWEN', channel: 'C0GLOBEX', team: 'T0GLOBEX' });
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

  // What is reinstalled cannot be asked for anything else: it comes last.
  const isLast = ({ operation }: Case) => Number(operation === 'reinstall');
  const withSecret = cases.filter(({ secret }) => secret).toSorted((a, b) => isLast(a) - isLast(b));
  for (const one of withSecret) await driveByCommand(stage, one);
  for (const { typed, operation } of cases) {
    if (catalogue.find(operation)?.kind === 'read') await slack.slash(typed, { channel: 'C0GENERAL' });
  }
  await slack.slash('backup show VPS-10001', { user: 'U0CAROL' });
  await slack.message('Backup space of VPS-10001', 'C0OPS', 'U0CAROL');

  const answered = (await stage.answers()).flatMap((answer) => secretsIn(JSON.parse(answer)));
  expect(answered.length, 'secrets in the answers of the service').toBeGreaterThan(5);
  await goWrong();
  const traffic = JSON.stringify(await stage.traffic());
  const tokens = traffic.match(/xox[a-z]-[\w-]+/g) ?? [];
  return [...new Set([...answered, ...tokens])];
}

/** Lets go wrong what carries secrets: an answer that is cut in half, and the connection to Slack. */
async function goWrong(): Promise<void> {
  const { slack, service } = stage;
  await slack.fault('drop_socket');
  await service.fault('malformed', { method: 'GET', path: '/v1/vps/VPS-10001/backup-ftp', times: 9 });
  await slack.slash('backup show VPS-10001', { user: 'U0BOB' });
  await slack.message(/service/i, 'C0OPS', 'U0BOB');
}

const shared = z.object({ files: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/** Asks for the record as a file, and reads it. */
async function exported(format: 'csv' | 'jsonl'): Promise<string> {
  const { slack } = stage;
  await slack.slash(`history --export ${format}`);
  const id = await eventually(async () => {
    const messages = await slack.messages('U0ALICE');
    const files = messages.flatMap((message) => shared.safeParse(message).data?.files ?? []);
    const file = files.find(({ name }) => name.endsWith(`.${format}`));
    if (!file) throw new Error('no file has come');
    return file.id;
  });
  const response = await fetch(`${slack.url}/files/${id}`, { headers: { 'sec-fetch-site': 'same-origin' } });
  return response.text();
}

/** Gives everything of the app that anybody can see in Slack; what people write themselves stands where they wrote it. */
async function seen(): Promise<string> {
  const { slack } = stage;
  const sights = people.flatMap(({ team, users, channels }) =>
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

/** Every place in which a secret could have stayed, with what must stand there for the search to mean anything. */
const places: Readonly<Record<string, { words: string; read: () => string | Promise<string> }>> = {
  'the log, whatever its level': { words: '"level":', read: () => stage.log() },
  'the files of the database': { words: 'VPS-10001', read: () => stage.bytes().toString('latin1') },
  'messages, views and Homes': { words: 'Backup space of VPS-10001', read: seen },
  'the record, as CSV': { words: 'backup regenerate', read: () => exported('csv') },
  'the record, as JSON lines': { words: 'backup regenerate', read: () => exported('jsonl') },
  'the metrics': {
    words: 'rackhand_',
    read: async () => (await fetch(`${stage.serverUrl}/metrics`)).text(),
  },
};

test('of all keys, tokens, passwords and credentials that were used, none has stayed anywhere', async () => {
  const secrets = [...settings, ...Object.values(typedKeys), ...(await useEverything())];
  const found: string[] = [];
  for (const [place, { words, read }] of Object.entries(places)) {
    const text = await read();
    expect(text.includes(words), `${words} in ${place}`).toBe(true);
    const stayed = secrets.filter((secret) => text.includes(secret) || text.includes(writtenAsJson(secret)));
    found.push(...stayed.map((secret) => `${secret} in ${place}`));
  }
  expect(found).toEqual([]);
}, 60_000);

function writtenAsJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
