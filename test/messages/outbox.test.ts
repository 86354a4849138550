import { LogLevel, webApi } from '@slack/bolt';
import pino from 'pino';
import { createSlackSandbox, type SlackSandbox } from 'slack-sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLocalDatabaseClock } from '../../src/jobs/database-clock.ts';
import { createJobs } from '../../src/jobs/jobs.ts';
import type { Destination } from '../../src/messages/message.ts';
import { createOutbox } from '../../src/messages/outbox.ts';
import { createPostOutcome } from '../../src/messages/post-outcome.ts';
import { renderNotice } from '../../src/slack/blocks/notice.ts';
import { createDataTables } from '../../src/slack/client/data-tables.ts';
import { createOutcomeKinds } from '../../src/slack/messages/outcome-kinds.ts';
import { createTransport } from '../../src/slack/messages/transport.ts';
import { databases, useTestDatabase } from '../db/test-database.ts';
import { type FaultySlack, startFaultySlack } from '../faulty-slack.ts';
import { createJumpingClock, type JumpingClock } from '../jobs/clocks/jumping-clock.ts';
import { createSlackDriver, manifestPath } from '../stack.ts';

const ops: Destination = { teamId: 'T0ACME', channel: 'C0OPS' };

describe.each(databases)('the outbox in $name', ({ start: startDatabase }) => {
  let sandbox: SlackSandbox;
  let driver: ReturnType<typeof createSlackDriver>;
  beforeAll(async () => {
    sandbox = await createSlackSandbox({ port: 0, manifest: manifestPath });
    driver = createSlackDriver(sandbox.url);
  });
  afterAll(() => sandbox.close());

  const database = useTestDatabase(startDatabase);

  let clock: JumpingClock;
  let running: { stop(): Promise<void> }[];
  beforeEach(async () => {
    clock = createJumpingClock();
    running = [];
    await driver.act('reset', {});
  });
  afterEach(async () => {
    for (const one of running) await one.stop();
  });

  /** Starts a process that sends messages, with a Slack of its own in front of the sandbox. */
  async function start() {
    const slack: FaultySlack = await startFaultySlack(sandbox.url);
    const client = new webApi.WebClient('xoxb-sandbox-acme', {
      slackApiUrl: `${slack.url}/api/`,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      logLevel: LogLevel.ERROR,
    });
    const log = pino({ level: 'silent' });
    const databaseClock = createLocalDatabaseClock(clock);
    const jobs = createJobs({ db: database.db, databaseClock, hasReplicas: true, maxSleepMs: 20, log });
    const outbox = createOutbox({ db: database.db, jobs, log });
    outbox.connect({
      transport: createTransport({
        clients: Object.assign(async () => client, { apiUrl: `${slack.url}/api/`, ...createDataTables() }),
        kinds: {
          ...createOutcomeKinds({
            resolveMentions: async (outcome) => outcome,
            findChannelSteps: async () => () => true,
          }),
          note: { render: async ({ content }) => [renderNotice((content as { text: string }).text)] },
        },
        findConversation: outbox.findConversation,
      }),
      listAdmins: async () => ['U0ALICE'],
    });
    await jobs.start();
    let isStopped = false;
    const one = {
      client,
      outbox,
      jobs,
      slack,
      /** Puts a message that shows a text. */
      show: (key: string, text: string, to: Destination = ops) =>
        outbox.put(key, to, { kind: 'note', content: { text }, about: 'a test', creator: 'U0BOB' }),
      async stop() {
        if (isStopped) return;
        isStopped = true;
        await jobs.stop(5_000);
        await slack.close();
      },
      /** Ends the process without a trace. Its calls have no effect on the database anymore. */
      async crash() {
        isStopped = true;
        await jobs.stop(0);
      },
    };
    running.push(one);
    return one;
  }

  const texts = async (channel?: string, user?: string) =>
    (await driver.messages(channel, user)).map(({ text }) => text);
  const unsent = () =>
    database.db.selectFrom('message').select('key').where('due_at', 'is not', null).execute();
  const untilSent = () => expect.poll(unsent, { timeout: 15_000 }).toEqual([]);

  /** Resolves when the sender has stored until when Slack accepts nothing. */
  const untilLimited = () =>
    expect
      .poll(() => database.db.selectFrom('job').select('payload').where('kind', '=', 'message').execute())
      .toEqual([{ payload: expect.stringMatching(/"posts":\{"|"editsUntilMs":[1-9]/) }]);

  test('a message is posted once and then edited', async () => {
    const { show } = await start();
    await show('a', 'queued');
    await untilSent();
    await show('a', 'done');
    await untilSent();
    expect(await texts()).toEqual(['done']);
  });

  test('a post that Slack limits shows the newest state when it is accepted', async () => {
    const { show, slack } = await start();
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 30 });
    await show('a', 'queued');
    await untilLimited();
    await show('a', 'running');
    await show('a', 'done');
    clock.jump(29_000);
    await expect.poll(unsent).toHaveLength(1);
    expect(slack.calls('chat.postMessage')).toHaveLength(1);
    clock.jump(1_000);
    await untilSent();
    expect(await texts()).toEqual(['done']);
    expect(slack.calls('chat.update')).toHaveLength(0);
  });

  test('an end replaces an edit that Slack has limited, instead of waiting behind it', async () => {
    const { show, slack } = await start();
    await show('a', 'queued');
    await untilSent();
    slack.spoil('chat.update', { kind: 'limited', retryAfterSeconds: 60 }, 2);
    await show('a', 'running');
    await expect.poll(() => slack.calls('chat.update')).toHaveLength(1);
    await show('a', 'done');
    // Slack repeats its answer.
    await expect
      .poll(() => {
        clock.jump(60_000);
        return unsent();
      })
      .toEqual([]);
    expect(await texts()).toEqual(['done']);
    expect(slack.calls('chat.update')).toHaveLength(3);
  });

  test('an end does not wait until an edit that failed before it is tried again', async () => {
    const { show, slack } = await start();
    await show('a', 'queued');
    await untilSent();
    // The next pause is minutes long.
    await database.db.updateTable('message').set({ attempts: 20 }).execute();
    const fail = slack.hold('chat.update', 'internal_error');
    await show('a', 'running');
    await expect.poll(() => slack.calls('chat.update')).toHaveLength(1);
    await show('a', 'done');
    fail();
    await expect.poll(() => texts()).toEqual(['done']);
  });

  test('an edit whose answer was lost does not replace a later one for good', async () => {
    const { show, slack } = await start();
    await show('a', 'queued');
    await untilSent();
    const arrive = slack.delay('chat.update');
    await show('a', 'running');
    await expect.poll(() => slack.calls('chat.update')).toHaveLength(1);
    await show('a', 'done');
    clock.jump(1_000);
    await expect.poll(() => texts()).toEqual(['done']);
    arrive();
    await expect.poll(() => texts()).toEqual(['running']);
    clock.jump(13_000);
    await untilSent();
    expect(await texts()).toEqual(['done']);
  });

  test('a limit of one channel holds up no other channel', async () => {
    const { show, slack } = await start();
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 30 });
    await show('a', 'limited');
    await expect.poll(() => slack.calls('chat.postMessage')).toHaveLength(1);
    await show('b', 'elsewhere', { ...ops, channel: 'C0GENERAL' });
    await expect.poll(() => texts('C0GENERAL')).toEqual(['elsewhere']);
    expect(await texts()).toEqual([]);
  });

  test('a message that becomes due while another one is limited is sent in time', async () => {
    const { outbox, show, slack } = await start();
    const general = { ...ops, channel: 'C0GENERAL' };
    const dueMs = clock.now() + 60_000;
    await outbox.put('later', general, {
      kind: 'note',
      content: { text: 'later' },
      about: 'a test',
      dueMs,
    });
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 200 });
    await show('a', 'done');
    await untilLimited();
    clock.jump(60_000);
    await expect.poll(() => texts('C0GENERAL')).toEqual(['later']);
  });

  test('a reply in direct messages waits for the end of their limit', async () => {
    const { show, slack } = await start();
    const to = { teamId: 'T0ACME', channel: 'U0CAROL' };
    await show('parent', 'hello', to);
    await untilSent();
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 30 });
    await show('reply', 'the reply', { ...to, threadKey: 'parent' });
    await untilLimited();
    await show('other', 'elsewhere');
    await expect.poll(() => texts()).toEqual(['elsewhere']);
    expect(await texts('U0CAROL', 'U0CAROL')).toEqual(['hello']);
    clock.jump(30_000);
    await untilSent();
    expect(await texts('U0CAROL', 'U0CAROL')).toEqual(['hello', 'the reply']);
  });

  test('an end is shown although the edit before it was given up meanwhile', async () => {
    const { show, slack } = await start();
    await show('a', 'queued');
    await untilSent();
    const release = slack.hold('chat.update', 'msg_too_long');
    slack.spoil('chat.update', { kind: 'failed', error: 'msg_too_long' });
    await show('a', 'running');
    await expect.poll(() => slack.calls('chat.update')).toHaveLength(1);
    await show('a', 'done');
    release();
    await expect.poll(() => texts()).toEqual(['done']);
  });

  test('a post whose answer was lost is found again and not repeated', async () => {
    const { show, slack } = await start();
    const to = { teamId: 'T0ACME', channel: 'U0CAROL' };
    await show('first', 'hello', to);
    await untilSent();
    slack.spoil('chat.postMessage', { kind: 'lost' });
    await show('a', 'queued', to);
    await expect.poll(() => slack.calls('chat.postMessage')).toHaveLength(2);
    await show('a', 'done', to);
    await expect.poll(async () => (await unsent()).length).toBe(1);
    clock.jump(13_000);
    await untilSent();
    expect(await texts('U0CAROL', 'U0CAROL')).toEqual(['hello', 'done']);
  });

  test('a post that cannot be searched for is marked as a possible repeat', async () => {
    const { show, slack } = await start();
    slack.spoil('chat.postMessage', { kind: 'lost' });
    slack.spoil('conversations.history', { kind: 'failed', error: 'missing_scope' });
    await show('a', 'done');
    await expect.poll(() => slack.calls('chat.postMessage')).toHaveLength(1);
    clock.jump(13_000);
    await untilSent();
    const posted = await driver.messages();
    expect(posted).toHaveLength(2);
    expect(JSON.stringify(posted[0]?.blocks)).not.toContain('may be a repeat');
    expect(JSON.stringify(posted[1]?.blocks)).toContain('may be a repeat');
  });

  test('an edit of a process that was frozen does not replace the end that another one has shown', async () => {
    const frozen = await start();
    await frozen.show('a', 'queued');
    await untilSent();
    const thaw = frozen.slack.hold('chat.update');
    await frozen.show('a', 'running');
    await expect.poll(() => frozen.slack.calls('chat.update')).toHaveLength(1);
    // Its lease ends, and another process takes over.
    await database.db.updateTable('job').set({ claimable_at: 0 }).where('kind', '=', 'message').execute();
    const other = await start();
    await other.show('a', 'done');
    await expect.poll(() => texts()).toEqual(['done']);
    thaw();
    // The sender may then show the newest state once more.
    await expect.poll(() => frozen.slack.calls('chat.update')[0]).toMatchObject({ isAnswered: true });
    await expect.poll(() => texts()).toEqual(['done']);
    await untilSent();
    expect(await texts()).toEqual(['done']);
  });

  test('a post of a process that was frozen is deleted if another one has posted the message', async () => {
    const frozen = await start();
    const thaw = frozen.slack.hold('chat.postMessage');
    await frozen.show('a', 'queued');
    await expect.poll(() => frozen.slack.calls('chat.postMessage')).toHaveLength(1);
    await database.db.updateTable('job').set({ claimable_at: 0 }).where('kind', '=', 'message').execute();
    const other = await start();
    await other.show('a', 'done');
    await expect.poll(async () => (await unsent()).length).toBe(1);
    clock.jump(13_000);
    await expect.poll(() => texts()).toEqual(['done']);
    thaw();
    await expect
      .poll(() => other.slack.calls('chat.delete').length + frozen.slack.calls('chat.delete').length)
      .toBe(1);
    await untilSent();
    expect(await texts()).toEqual(['done']);
  });

  test('a process that stops leaves what Slack limits to the next one, at once', async () => {
    const first = await start();
    await first.show('a', 'queued');
    await untilSent();
    // Longer than a test may take.
    first.slack.spoil('chat.update', { kind: 'limited', retryAfterSeconds: 600 }, 9);
    await first.show('a', 'done');
    await expect.poll(() => first.slack.calls('chat.update')).toHaveLength(1);
    await first.stop();
    await start();
    clock.jump(600_000);
    await untilSent();
    expect(await texts()).toEqual(['done']);
  });

  test('a message of another process does not wait for the answer to a call', async () => {
    const owner = await start();
    const release = owner.slack.hold('chat.postMessage');
    await owner.show('a', 'unanswered', { ...ops, channel: 'C0GENERAL' });
    await expect.poll(() => owner.slack.calls('chat.postMessage')).toHaveLength(1);
    const other = await start();
    await other.show('b', 'done');
    await expect.poll(() => texts()).toEqual(['done']);
    expect(other.slack.calls('chat.postMessage')).toEqual([]);
    release();
  });

  test('a stop waits neither for the end of a limit nor for an answer that does not come', async () => {
    const { show, slack, jobs } = await start();
    // Longer than a test may take.
    const graceMs = 600_000;
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 600 });
    await show('a', 'limited');
    await untilLimited();
    const release = slack.hold('chat.postMessage');
    await show('b', 'unanswered', { ...ops, channel: 'C0GENERAL' });
    await expect.poll(() => slack.calls('chat.postMessage')).toHaveLength(2);
    await jobs.stop(graceMs);
    expect(await unsent()).toHaveLength(2);
    release();
  });

  test('a post that was under way when its process stopped becomes the only message', async () => {
    const to = { teamId: 'T0ACME', channel: 'U0CAROL' };
    const first = await start();
    await first.show('first', 'hello', to);
    await untilSent();
    first.slack.spoil('chat.postMessage', { kind: 'lost' });
    await first.show('a', 'queued', to);
    await expect.poll(() => texts('U0CAROL', 'U0CAROL')).toEqual(['hello', 'queued']);
    await first.stop();
    const second = await start();
    await second.show('a', 'done', to);
    clock.jump(13_000);
    await untilSent();
    expect(await texts('U0CAROL', 'U0CAROL')).toEqual(['hello', 'done']);
  });

  test('a message that the app cannot post in its channel goes to the person it is for', async () => {
    const { show } = await start();
    await show('a', 'done', { teamId: 'T0ACME', channel: 'C0QUIET', fallbacks: ['U0CAROL'] });
    await untilSent();
    expect(await texts('U0CAROL', 'U0CAROL')).toEqual(['done']);
    await show('a', 'done, and over');
    await untilSent();
    expect(await texts('U0CAROL', 'U0CAROL')).toEqual(['done, and over']);
  });

  test('the creator of a message that reaches nobody is told, and an admin, once', async () => {
    const { show, outbox } = await start();
    await show('a', 'running', { ...ops, channel: 'C0QUIET' });
    await untilSent();
    await show('a', 'done');
    await untilSent();
    for (const person of ['U0BOB', 'U0ALICE'])
      expect(await texts(person, person)).toEqual([expect.stringContaining("couldn't be delivered: a test")]);
    expect(await outbox.count()).toMatchObject({
      givenUp: [{ kind: 'note', problem: 'not_in_channel', count: 1 }],
    });
  });

  test('a message that somebody deleted stays deleted, unless it is an open alert', async () => {
    const { outbox, client } = await start();
    const post = createPostOutcome(outbox);
    const show = async (title: string, isNeeded: boolean) => {
      await post('end', ops, { title }, {});
      await post('alert', ops, { title: `alert: ${title}` }, { kind: 'alert', isNeeded });
      await untilSent();
    };
    const deleteAll = async () => {
      for (const { ts } of await driver.messages()) await client.chat.delete({ channel: ops.channel, ts });
    };
    await show('first', true);
    await deleteAll();
    await show('second', true);
    expect(await texts()).toEqual(['alert: second']);
    await deleteAll();
    await show('third', false);
    expect(await texts()).toEqual([]);
  });

  test('a message in a thread waits for the message that begins the thread', async () => {
    const { show, slack } = await start();
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 30 });
    await show('parent', 'the beginning');
    await untilLimited();
    await show('reply', 'the reply', { ...ops, threadKey: 'parent' });
    clock.jump(30_000);
    await untilSent();
    const [parent, reply] = await driver.messages();
    expect(reply).toMatchObject({ text: 'the reply', thread_ts: parent?.ts });
  });

  test('a reply is posted although an edit of the message that begins the thread was rejected', async () => {
    const { show, slack } = await start();
    await show('parent', 'the beginning');
    await untilSent();
    slack.spoil('chat.postMessage', { kind: 'limited', retryAfterSeconds: 30 });
    slack.spoil('chat.update', { kind: 'failed', error: 'msg_too_long' }, 9);
    await show('reply', 'the reply', { ...ops, threadKey: 'parent' });
    await untilLimited();
    await show('parent', 'an edit');
    await expect.poll(() => slack.calls('chat.update').length).toBeGreaterThan(0);
    clock.jump(30_000);
    await untilSent();
    await expect.poll(() => texts()).toContain('the reply');
  });
});
