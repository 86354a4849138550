import { z } from 'zod';
import { coveredEventNames } from '../../src/platform/coverage.ts';
import { drawAvatar } from '../../src/web-api/objects/avatar.ts';
import { startApp, type TestApp } from '../start-app.ts';

type Answer = z.output<typeof answerSchema>;

const answerSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
const named = (field: string, inner: string) => (answer: Answer) =>
  String(z.record(z.string(), z.unknown()).parse(answer[field])[inner]);

const scopes = [
  ...['assistant:write', 'bookmarks:read', 'bookmarks:write', 'calls:read', 'calls:write', 'channels:manage'],
  ...['dnd:read', 'emoji:read', 'groups:history', 'groups:read', 'groups:write', 'links:read', 'links:write'],
  ...['mpim:history', 'mpim:read', 'mpim:write', 'pins:read', 'pins:write', 'reactions:read'],
  ...['reactions:write', 'remote_files:read', 'remote_files:share', 'remote_files:write'],
  ...['metadata.message:read', 'usergroups:write', 'users.profile:read', 'users:write'],
];
const userScopes = [
  ...['dnd:write', 'files:read', 'files:write', 'identity.basic', 'openid', 'reminders:read'],
  ...['reminders:write', 'search:read', 'stars:read', 'stars:write', 'users.profile:write'],
];

type Event = Awaited<ReturnType<TestApp['events']>>[number];

interface Exchanged {
  /** The answers by method. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** The events that Slack sent meanwhile. */
  readonly events: readonly Event[];
}

/** Calls nearly every method with success. */
export async function callMethods(): Promise<Exchanged> {
  const answers = new Map<string, Answer>();
  const { sandbox, events: sentEvents } = await startApp({
    scopes,
    userScopes,
    events: coveredEventNames.filter((name) => !name.startsWith('star_')),
    features: {
      agent_view: { agent_description: 'Helps' },
      assistant_view: { assistant_description: 'Helps' },
      unfurl_domains: ['tasks.example'],
    },
  });

  async function call(token: string, method: string, args: Record<string, unknown> = {}): Promise<Answer> {
    const text = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
    const response = await fetch(`${sandbox.url}/api/${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(
        Object.fromEntries(Object.entries(args).map(([name, value]) => [name, text(value)])),
      ),
    });
    const answer = answerSchema.parse(await response.json());
    if (!answer.ok) throw new Error(`${method}: ${JSON.stringify(answer)}`);
    answers.set(method, answer);
    return answer;
  }

  const bot = (method: string, args?: Record<string, unknown>) => call('xoxb-sandbox-acme', method, args);
  const alice = (method: string, args?: Record<string, unknown>) => call('xoxp-sandbox-acme', method, args);
  const channel = 'C0OPS';
  const blocks = [{ type: 'section', text: { type: 'mrkdwn', text: 'hi' } }];

  await bot('api.test');
  await call('xapp-sandbox', 'apps.connections.open');
  await bot('auth.test');
  await bot('auth.teams.list');
  await bot('blocks.validate', { blocks });
  await bot('bots.info', { bot: 'B0ACME' });
  await bot('team.info');
  await bot('team.profile.get');
  await bot('emoji.list');

  const posted = await bot('chat.postMessage', { channel, text: 'hi', blocks });
  const ts = String(posted.ts);
  await bot('chat.postMessage', { channel, text: 'reply', thread_ts: ts });
  await bot('chat.update', { channel, ts, text: 'changed' });
  await bot('chat.getPermalink', { channel, message_ts: ts });
  await bot('chat.meMessage', { channel, text: 'waves' });
  await bot('chat.postEphemeral', { channel, user: 'U0ALICE', text: 'psst' });
  await bot('reactions.add', { channel, timestamp: ts, name: 'eyes' });
  await bot('reactions.get', { channel, timestamp: ts });
  await bot('reactions.list');
  await bot('pins.add', { channel, timestamp: ts });
  await bot('pins.list', { channel });
  await bot('conversations.history', { channel });
  await bot('conversations.replies', { channel, ts });
  await alice('search.all', { query: 'changed' });
  await alice('search.files', { query: 'changed' });
  await alice('search.messages', { query: 'changed' });
  await alice('stars.add', { channel, timestamp: ts });
  await alice('stars.list');
  await alice('stars.remove', { channel, timestamp: ts });
  await bot('reactions.remove', { channel, timestamp: ts, name: 'eyes' });
  await bot('pins.remove', { channel, timestamp: ts });
  const later = await bot('chat.scheduleMessage', { channel, text: 'later', post_at: 1_894_800_000 });
  await bot('chat.scheduledMessages.list');
  await bot('chat.deleteScheduledMessage', { channel, scheduled_message_id: later.scheduled_message_id });
  const link = await sandbox.post('message', {
    user: 'alice',
    channel: 'ops',
    text: 'https://tasks.example/1',
  });
  const url = 'https://tasks.example/1';
  const entity = {
    ...{ app_unfurl_url: url, url, external_ref: { id: '1' }, entity_type: 'slack#/entities/task' },
    entity_payload: { attributes: { title: { text: 'Task 1' } } },
  };
  await bot('chat.unfurl', { channel, ts: link.ts, metadata: { entities: [entity] } });

  const recipient = { recipient_user_id: 'U0ALICE', recipient_team_id: 'T0ACME' };
  const stream = await bot('chat.startStream', { channel, thread_ts: ts, ...recipient });
  await bot('chat.appendStream', { channel, ts: stream.ts, markdown_text: 'more' });
  await bot('chat.stopStream', { channel, ts: stream.ts });
  await bot('agents.sessions.setStatus', {
    channel_id: channel,
    thread_ts: ts,
    status: 'active',
    title: 'Work',
  });
  await bot('agents.sessions.rename', { channel_id: channel, thread_ts: ts, title: 'Other work' });
  const thread = await sandbox.post('assistant', { user: 'alice' });
  const place = { channel_id: thread.channel, thread_ts: thread.thread_ts };
  await bot('assistant.threads.setStatus', { ...place, status: 'thinks' });
  await bot('assistant.threads.setTitle', { ...place, title: 'Fleet' });
  await bot('assistant.threads.setSuggestedPrompts', { ...place, prompts: [{ title: 'a', message: 'b' }] });
  await bot('chat.delete', { channel, ts });

  const created = await bot('conversations.create', { name: 'new-channel' });
  const made = { channel: named('channel', 'id')(created) };
  await bot('conversations.invite', { ...made, users: 'U0ALICE,U0BOB' });
  await bot('conversations.info', { channel });
  await bot('conversations.list');
  await bot('users.conversations');
  await bot('conversations.members', { channel });
  await bot('conversations.mark', { ...made, ts: '1.000001' });
  await bot('conversations.setTopic', { ...made, topic: 'Topic' });
  await bot('conversations.setPurpose', { ...made, purpose: 'Purpose' });
  await bot('conversations.rename', { ...made, name: 'newer-channel' });
  await bot('conversations.kick', { ...made, user: 'U0BOB' });
  await bot('conversations.archive', made);
  await bot('conversations.unarchive', made);
  await bot('conversations.leave', made);
  await bot('conversations.join', { channel: 'C0QUIET' });
  const direct = await bot('conversations.open', { users: 'U0ALICE' });
  await bot('conversations.close', { channel: named('channel', 'id')(direct) });

  const bookmark = { channel_id: channel, title: 'Docs', type: 'link', link: 'https://example.com' };
  const bookmark_id = named('bookmark', 'id')(await bot('bookmarks.add', bookmark));
  await bot('bookmarks.edit', { channel_id: channel, bookmark_id, title: 'Guide' });
  await bot('bookmarks.list', { channel_id: channel });
  await bot('bookmarks.remove', { channel_id: channel, bookmark_id });

  const external = { external_unique_id: '1', join_url: 'https://example.com', created_by: 'U0ALICE' };
  const id = named('call', 'id')(await bot('calls.add', external));
  await bot('calls.info', { id });
  await bot('calls.update', { id, title: 'Stand-up' });
  await bot('calls.participants.add', { id, users: [{ slack_id: 'U0BOB' }] });
  await bot('calls.participants.remove', { id, users: [{ slack_id: 'U0BOB' }] });
  await bot('calls.end', { id });

  const image = drawAvatar('A0-8.png') ?? new Uint8Array();
  const announced = { filename: 'a.png', length: String(image.length) };
  const upload = await alice('files.getUploadURLExternal', announced);
  await fetch(String(upload.upload_url), { method: 'POST', body: new Uint8Array(image) });
  await alice('files.completeUploadExternal', { files: [{ id: upload.file_id }], channel_id: channel });
  await sandbox.advance(1000);
  await alice('files.info', { file: upload.file_id });
  await alice('files.list');
  await alice('files.sharedPublicURL', { file: upload.file_id });
  await alice('files.revokePublicURL', { file: upload.file_id });
  await alice('files.delete', { file: upload.file_id });
  const remote = { external_id: 'r1', external_url: 'https://example.com/r1', title: 'Remote' };
  await bot('files.remote.add', remote);
  await bot('files.remote.info', { external_id: 'r1' });
  await bot('files.remote.list');
  await bot('files.remote.share', { external_id: 'r1', channels: channel });
  await bot('files.remote.update', { external_id: 'r1', title: 'Newer' });
  await bot('files.remote.remove', { external_id: 'r1' });

  const usergroup = named('usergroup', 'id')(await bot('usergroups.create', { name: 'New', handle: 'new' }));
  await bot('usergroups.users.update', { usergroup, users: 'U0ALICE' });
  await bot('usergroups.users.list', { usergroup });
  await bot('usergroups.update', { usergroup, name: 'Newer' });
  await bot('usergroups.list', { include_users: true, include_count: true });
  await bot('usergroups.disable', { usergroup });
  await bot('usergroups.enable', { usergroup });

  await bot('users.info', { user: 'U0ALICE', include_locale: true });
  await bot('users.list');
  await bot('users.lookupByEmail', { email: 'bob@example.com' });
  await bot('users.profile.get', { user: 'U0ALICE' });
  await alice('users.profile.set', { name: 'status_text', value: 'here' });
  await bot('users.getPresence', { user: 'U0ALICE' });
  await bot('users.setPresence', { presence: 'auto' });
  await alice('users.identity');
  await alice('openid.connect.userInfo');
  await alice('dnd.setSnooze', { num_minutes: '5' });
  await bot('dnd.info', { user: 'U0ALICE' });
  await bot('dnd.teamInfo', { users: 'U0ALICE' });
  await alice('dnd.endSnooze');
  await alice('dnd.setSnooze', { num_minutes: '5' });
  await alice('dnd.endDnd');
  const reminder = named(
    'reminder',
    'id',
  )(await alice('reminders.add', { text: 'tea', time: 'in 5 minutes' }));
  await alice('reminders.info', { reminder });
  await alice('reminders.list');
  await alice('reminders.complete', { reminder });
  await alice('reminders.delete', { reminder });

  const title = { type: 'plain_text', text: 'Title' };
  await bot('views.publish', { user_id: 'U0ALICE', view: { type: 'home', blocks } });
  const { trigger_id } = await sandbox.post('shortcut', { user: 'alice', callback_id: 'make' });
  const opened = await bot('views.open', { trigger_id, view: { type: 'modal', title, blocks } });
  await bot('views.update', { view_id: named('view', 'id')(opened), view: { type: 'modal', title, blocks } });
  await bot('auth.revoke', { test: true });
  return { answers, events: await sentEvents() };
}
