import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { LogLevel, webApi } from '@slack/bolt';
import { sql } from 'kysely';
import pino from 'pino';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { RackhandError } from '../../../../src/errors.ts';
import { createLocalDatabaseClock } from '../../../../src/jobs/database-clock.ts';
import { createJobs } from '../../../../src/jobs/jobs.ts';
import { hostingOperations } from '../../../../src/operations/hosting-operations.ts';
import { defaultSettings } from '../../../../src/personal/personal-settings.ts';
import { createRunNotices } from '../../../../src/personal/run-notices.ts';
import { createSettingsStore } from '../../../../src/personal/settings-store.ts';
import { declinedProblem } from '../../../../src/runs/problem.ts';
import type { Run } from '../../../../src/runs/run.ts';
import { createRunStore, type RunStore } from '../../../../src/runs/store/run-store.ts';
import { createDataTables } from '../../../../src/slack/client/data-tables.ts';
import { createRunPublisher } from '../../../../src/slack/messages/publishers/run-publisher.ts';
import { createRunMessageRenderer } from '../../../../src/slack/messages/run-message-renderer.ts';
import { startSqlite, useTestDatabase } from '../../../db/test-database.ts';
import { createRun } from '../../../runs/create-run.ts';
import { noSecrets } from '../../../runs/no-secrets.ts';
import { testVault } from '../../../runs/test-vault.ts';
import { createSlackDriver, manifestPath } from '../../../stack.ts';

let sandbox: SlackSandbox;
beforeAll(async () => {
  sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
});
// Slack accepts few messages a second in a channel, and these clients don't try again.
beforeEach(() => createSlackDriver(sandbox.url).act('clock', { advance_ms: 60_000 }));
afterAll(() => sandbox.close());

const database = useTestDatabase(startSqlite);

/** A URL at which nothing listens. */
const awayUrl = 'http://127.0.0.1:1/api/';

interface ProcessOptions {
  /** The process waits until then before it stores its first message. */
  readonly isThawed?: Promise<void>;
  /** Returns the URL of Slack's Web API. */
  readonly findApiUrl?: () => string;
  /** The URL of Slack's Web API whose response URLs are accepted. */
  readonly responseUrlsOf?: string;
  readonly overrides?: Partial<RunStore>;
  readonly onEnded?: (run: Run) => Promise<void>;
}

/** Creates a process that posts the messages of runs. */
function createProcess({
  isThawed = Promise.resolve(),
  findApiUrl = () => `${sandbox.url}/api/`,
  responseUrlsOf = findApiUrl(),
  overrides = {},
  onEnded = async () => {},
}: ProcessOptions = {}) {
  const catalogue = hostingOperations();
  const createClient = () =>
    new webApi.WebClient('xoxb-sandbox-acme', {
      slackApiUrl: findApiUrl(),
      retryConfig: { retries: 0 },
      logLevel: LogLevel.ERROR,
    });
  const runs = createRunStore(database.db, testVault);
  return createRunPublisher({
    clients: Object.assign(async () => createClient(), { apiUrl: responseUrlsOf, ...createDataTables() }),
    runs: {
      ...runs,
      ...overrides,
      async saveMessage(...saved) {
        await isThawed;
        return runs.saveMessage(...saved);
      },
    },
    catalogue,
    runMessages: createRunMessageRenderer(catalogue, { findDisplayName: async (_, id) => id }, noSecrets),
    onEnded,
    log: pino({ level: 'silent' }),
  });
}

const result = { kind: 'outcome', outcome: { title: 'VPS-10001 is rebooting' } } as const;
const unsettled = { origin: { channel: 'C0OPS' }, settledMs: null, queuedMs: 1 } as const;
const queued = createRun({ ...unsettled, status: 'queued' });
const done: Run = { ...queued, status: 'done', settledMs: 2, result };

const texts = async () =>
  (await createSlackDriver(sandbox.url).messages()).map(({ text }) => text.replace(/ · .*/, ''));

test('a process that was frozen while it posted leaves the message of the one that took over', async () => {
  const { claim } = createRunStore(database.db, testVault);
  await claim(queued, 'key', { owner: 'frozen', untilMs: 1 });
  const thawed = Promise.withResolvers<void>();
  const [frozen, other] = [createProcess({ isThawed: thawed.promise }), createProcess()];
  frozen.publish(queued);
  await expect.poll(texts).toHaveLength(1);
  other.publish(done);
  await other.drained();
  expect(await texts()).toHaveLength(2);
  thawed.resolve();
  await frozen.drained();
  expect(await texts()).toEqual([expect.stringMatching(/^Reboot VPS-10001: 🔄 In progress/)]);

  // Its later updates edit the message that stayed.
  frozen.publish({ ...done, progress: { isFinished: true, text: 'VPS-10001 is running.' } });
  await frozen.drained();
  expect(await texts()).toEqual([expect.stringMatching(/^Reboot VPS-10001: ✅ Done/)]);
});

test('the message of a queued run says how long its call waits, and no longer once it was sent', async () => {
  const { claim } = createRunStore(database.db, testVault);
  const run = createRun({ ...unsettled, id: 'waits', status: 'queued' });
  await claim(run, 'another key', { owner: 'this', untilMs: 1 });
  const publisher = createProcess();
  publisher.publish(run, { waitMs: 20_000, waitReason: 'quota' });
  await publisher.drained();
  expect((await texts()).at(-1)).toMatch(/^Reboot VPS-10001: ⏳ Queued, about 20 s/);
  publisher.publish(createRun({ ...unsettled, id: 'waits', status: 'sent' }));
  await publisher.drained();
  expect((await texts()).at(-1)).toMatch(/^Reboot VPS-10001: 🔄 Running$/);
});

/** Stores a settled run whose end this process has to report. */
async function storeEnd(run: Run): Promise<RunStore> {
  const runs = createRunStore(database.db, testVault);
  await runs.claim(run, run.id, { owner: 'this', untilMs: 1 });
  await database.db.updateTable('run').set({ settled_at: 2 }).where('id', '=', run.id).execute();
  return runs;
}

const listUndelivered = async (runs: RunStore) => (await runs.listUndelivered('this', 0)).map(({ id }) => id);

test('the end of a run that could not be posted because Slack was away is still to be reported', async () => {
  const run: Run = { ...done, id: 'not reported' };
  const runs = await storeEnd(run);
  const away = createProcess({ findApiUrl: () => awayUrl });
  away.publish(run);
  await away.drained();
  expect(await listUndelivered(runs)).toEqual([run.id]);
  const publisher = createProcess();
  publisher.publish(run);
  await publisher.drained();
  expect((await texts()).at(-1)).toMatch(/^Reboot VPS-10001: (🔄|✅)/);
  expect(await listUndelivered(runs)).toEqual([]);
});

test('a run keeps its one message if Slack edits it but answers with an error of its own servers', async () => {
  const server = createServer(async (request, response) => {
    const answer = await fetch(`${sandbox.url}${request.url}`, {
      method: 'POST',
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': request.headers['content-type'] ?? '',
      },
      body: await text(request),
    });
    const answered = await answer.text();
    const isEdit = request.url?.endsWith('chat.update');
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(retryAfter && { 'retry-after': retryAfter }),
    });
    response.end(isEdit ? '{"ok":false,"error":"internal_error"}' : answered);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const run: Run = { ...done, id: 'edited once' };
  const runs = await storeEnd(run);
  const publisher = createProcess({ findApiUrl: () => `http://127.0.0.1:${port}/api/` });
  const before = (await texts()).length;
  publisher.publish({ ...queued, id: run.id });
  await publisher.drained();
  publisher.publish(run);
  await publisher.drained();
  expect((await texts()).slice(before)).toEqual([expect.stringMatching(/^Reboot VPS-10001: (🔄|✅)/)]);
  expect(await listUndelivered(runs)).toEqual([run.id]);
  await runs.markDelivered(run.id);
});

test('the message of a run is still to be updated after only its response URL could be reached', async () => {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  const origin = { channel: 'C0OPS', responseUrl: `${url}/response` };
  const run: Run = { ...done, id: 'half reported', origin };
  const runs = await storeEnd(run);
  const away = createProcess({ findApiUrl: () => awayUrl, responseUrlsOf: `${url}/api/` });
  away.publish(run);
  await away.drained();
  expect(bodies).toEqual([expect.stringContaining('Reboot VPS-10001')]);
  expect(await listUndelivered(runs)).toEqual([run.id]);
  await runs.markDelivered(run.id);
});

test('the end of a run that could not be posted because the database was away is still to be reported', async () => {
  const run: Run = { ...done, id: 'not found' };
  const runs = await storeEnd(run);
  const find = () => Promise.reject(new RackhandError('database_unreachable', 'The connection is lost.'));
  const publisher = createProcess({ overrides: { find } });
  publisher.publish(run);
  await publisher.drained();
  expect(await listUndelivered(runs)).toEqual([run.id]);
});

test('the end of a run is still to be reported if the direct message about it could not be planned', async () => {
  const run: Run = { ...done, id: 'not planned' };
  const runs = await storeEnd(run);
  const databaseClock = createLocalDatabaseClock();
  const jobs = createJobs({
    db: database.db,
    databaseClock,
    hasReplicas: false,
    log: pino({ level: 'silent' }),
  });
  const { plan } = createRunNotices({
    ...{ jobs, runs, catalogue: hostingOperations, findTimeZone: async () => 'UTC' },
    store: createSettingsStore(database.db),
    publisher: { send: async () => undefined, wasSent: async () => false },
  });
  const settings = { ...defaultSettings, notify: 'ended' } as const;
  await createSettingsStore(database.db).save(run.actor, settings);
  const publisher = createProcess({ onEnded: plan });
  await sql`alter table job rename to out_of_reach`.execute(database.db);
  publisher.publish(run);
  await publisher.drained();
  await sql`alter table out_of_reach rename to job`.execute(database.db);
  expect(await listUndelivered(runs)).toEqual([run.id]);
  publisher.publish(run);
  await publisher.drained();
  expect(await listUndelivered(runs)).toEqual([]);
  expect(await database.db.selectFrom('job').select('id').execute()).toEqual([{ id: run.id }]);
});

test.each([
  ['when Slack is back', false],
  ['after a restart, although its work goes on', true],
])(
  'the approval card of a run that ended while Slack was away loses its buttons %s',
  async (_, isRestarted) => {
    const { channel = '', ts = '' } = await new webApi.WebClient('xoxb-sandbox-acme', {
      slackApiUrl: `${sandbox.url}/api/`,
    }).chat.postMessage({ channel: 'C0OPS', text: 'the card' });
    const approval = { cards: [{ channel, ts }], approverId: null };
    const problem = { kind: 'problem', problem: declinedProblem('U0ALICE', true) } as const;
    const run = createRun({
      ...unsettled,
      id: `declined ${isRestarted}`,
      origin: {},
      queuedMs: null,
      status: 'refused',
      approval,
      settledMs: 2,
      result: problem,
    });
    const runs = await storeEnd(run);
    await database.db
      .updateTable('run')
      .set({ approval_cards: JSON.stringify(approval.cards) })
      .where('id', '=', run.id)
      .execute();
    let isAway = true;
    const findApiUrl = () => (isAway ? awayUrl : `${sandbox.url}/api/`);
    const before = createProcess({ findApiUrl });
    before.publish(run);
    await before.drained();
    isAway = false;
    const publisher = isRestarted ? createProcess({ findApiUrl }) : before;
    if (isRestarted) await runs.saveProgress(run.id, { isFinished: false, text: 'VPS-10001 is starting.' });
    for (const undelivered of await runs.listUndelivered('this', 0)) publisher.publish(undelivered);
    await publisher.drained();
    expect(await texts()).not.toContain('the card');
    expect(await listUndelivered(runs)).toEqual([]);
  },
);

test('an update that comes late shows the end that is stored', async () => {
  const runs = createRunStore(database.db, testVault);
  const run = createRun({ ...unsettled, id: 'late', status: 'sent' });
  await runs.claim(run, 'late', { owner: 'this', untilMs: 1 });
  const publisher = createProcess();
  await runs.settle({ id: run.id, from: ['sent'], owner: 'this', status: 'done', result, nowMs: 2 });
  await runs.saveProgress(run.id, { isFinished: true, text: 'VPS-10001 is running.' });
  for (const late of [run, { ...done, id: run.id }]) {
    publisher.publish(late);
    await publisher.drained();
    expect((await texts()).at(-1)).toMatch(/^Reboot VPS-10001: ✅ Done/);
  }
});
