import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

const bob = { user: 'U0BOB', channel: 'C0GENERAL' };

test('an agent has sessions, which people can stop', async () => {
  const { client, sandbox, events, outcome } = await startApp({
    scopes: ['assistant:write'],
    events: ['agent_session_stopped', 'agent_session_title_changed', 'app_context_changed'],
    features: { agent_view: { agent_description: 'Helps' } },
  });
  const { ts: thread_ts } = await sandbox.post('message', { ...bob, text: 'please count' });
  const session = { channel_id: 'C0GENERAL', thread_ts: String(thread_ts) };
  const working = await client.apiCall('agents.sessions.setStatus', {
    ...session,
    status: 'processing',
    title: 'Count',
  });
  expect(working).toMatchObject({ status: 'processing', title: 'Count' });
  expect(working).not.toHaveProperty('warning');
  await client.apiCall('agents.sessions.rename', { ...session, title: 'Count to ten' });
  await client.apiCall('chat.startStream', {
    channel: 'C0GENERAL',
    thread_ts: session.thread_ts,
    recipient_user_id: 'U0BOB',
    recipient_team_id: 'T0ACME',
  });
  await sandbox.post('stop-agent', { ...bob, thread_ts: session.thread_ts });
  await sandbox.post('look-at', { user: 'U0BOB', channel: 'C0OPS' });
  expect(await events()).toMatchObject([
    { type: 'agent_session_title_changed', title: 'Count to ten', previous_title: 'Count' },
    { type: 'agent_session_stopped', user: 'U0BOB', streaming_message_ts: [expect.any(String)] },
    { type: 'app_context_changed', context: { entities: [{ value: 'C0OPS' }] } },
  ]);
  expect((await sandbox.get('agent-sessions')).sessions).toMatchObject([
    { status: 'processing', title: 'Count to ten' },
  ]);
  await client.apiCall('agents.sessions.setStatus', { ...session, status: 'active' });
  await expect(sandbox.post('stop-agent', { ...bob, thread_ts: session.thread_ts })).rejects.toThrow(
    'No agent is working',
  );
  expect(await outcome('agents.sessions.setStatus', { ...session, status: 'asleep' })).toBe('invalid_status');
  expect(await outcome('agents.sessions.rename', { channel_id: 'C0GENERAL', title: 'x' })).toBe(
    'thread_ts_required',
  );
  const plain = await startApp({ scopes: [] });
  expect(await plain.outcome('agents.sessions.setStatus', { ...session, status: 'active' })).toBe(
    'feature_disabled',
  );
});

test('a person opens a work object, and the app presents its details', async () => {
  const { client, sandbox, events, outcome } = await startApp({
    scopes: ['links:read', 'links:write'],
    events: ['entity_details_requested'],
    features: { unfurl_domains: ['tasks.example'] },
  });
  const url = 'https://tasks.example/1';
  const posted = await sandbox.post('message', { ...bob, text: `see ${url}` });
  const entity = {
    app_unfurl_url: url,
    url,
    external_ref: { id: '1' },
    entity_type: 'slack#/entities/task',
    entity_payload: { attributes: { title: { text: 'Task 1' } } },
  };
  const ts = String(posted.ts);
  await client.apiCall('chat.unfurl', { channel: 'C0GENERAL', ts, metadata: { entities: [entity] } });
  const click = { ...bob, ts, entity: '1' };
  const { trigger_id } = await sandbox.post('open-entity', click);
  expect(await events()).toMatchObject([{ external_ref: { id: '1' }, entity_url: url, trigger_id }]);
  const { app_unfurl_url: _, ...metadata } = entity;
  const other = { ...metadata, external_ref: { id: '2' } };
  const present = (args: object) =>
    outcome('entity.presentDetails', { trigger_id, metadata: JSON.stringify({ ...metadata, ...args }) });
  expect(await present({ external_ref: other.external_ref })).toBe('entity_metadata_does_not_match_trigger');
  expect(await outcome('entity.presentDetails', { trigger_id })).toBe('invalid_metadata');
  expect(await outcome('entity.presentDetails', { trigger_id, user_auth_required: true })).toBe(
    'user_auth_url_missing',
  );
  expect(await present({})).toBe('ok');
  expect((await sandbox.get('entity-details')).opened).toMatchObject([
    { user: 'U0BOB', details: { metadata: { external_ref: { id: '1' } } } },
  ]);
  await sandbox.advance(3001);
  expect(await present({})).toBe('invalid_trigger_id');
  await expect(sandbox.post('open-entity', { ...click, entity: '9' })).rejects.toThrow('no work object 9');
});

test("a work object's buttons send block_actions, with a trigger for newer details", async () => {
  const { client, sandbox, outcome } = await startApp({ scopes: [], events: ['entity_details_requested'] });
  const button = (action_id: string, value: string) => ({ text: value, action_id, value });
  const withButtons = (actions: object) => ({
    ...{ url: 'https://tasks.example/1', external_ref: { id: '1', type: 'task' } },
    entity_type: 'slack#/entities/task',
    entity_payload: { attributes: { title: { text: 'Task 1' } }, actions },
  });
  const preview = withButtons({ primary_actions: [button('close', 'yes'), button('close', 'no')] });
  const { ts = '' } = await client.chat.postMessage({
    ...{ channel: 'C0GENERAL', text: 'A task', metadata: { entities: [preview] } as never },
  });
  const click = (body: object) => sandbox.post('click-entity', { ...bob, ts, entity: '1', ...body });

  const { trigger_id } = await click({ action_id: 'close', value: 'no' });
  const sent = (await sandbox.traffic()).findLast(({ kind }) => kind === 'interactive');
  expect(sent?.payload).toMatchObject({
    type: 'block_actions',
    user: { id: 'U0BOB' },
    trigger_id,
    container: {
      entity_url: 'https://tasks.example/1',
      external_ref: { id: '1', type: 'task' },
      channel: 'C0GENERAL',
      message_ts: ts,
    },
    actions: [
      {
        type: 'button',
        action_id: 'close',
        value: 'no',
        text: { type: 'plain_text', text: 'no', emoji: true },
      },
    ],
  });
  const present = (args: object) => outcome('entity.presentDetails', { trigger_id, ...args });
  const details = withButtons({ overflow_actions: [button('remind', 'later')] });
  await expect(click({ action_id: 'remind' })).rejects.toThrow('no button remind; there are: close');
  expect(await present({ metadata: JSON.stringify(details) })).toBe('ok');
  await click({ action_id: 'remind' });
  await expect(click({ user: 'U0ALICE', action_id: 'remind' })).rejects.toThrow('no button remind');
  const failed = { status: 'restricted', actions: [button('ask', 'Ask')] };
  expect(await present({ error: JSON.stringify(failed) })).toBe('ok');
  await click({ action_id: 'ask' });
});

test('an assistant is told which channel the person looks at', async () => {
  const { sandbox, events } = await startApp({
    scopes: ['assistant:write'],
    events: ['assistant_thread_context_changed', 'message.app_home'],
    features: { assistant_view: {} },
  });
  await expect(sandbox.post('look-at', { user: 'U0BOB', channel: 'C0OPS' })).rejects.toThrow(
    'is told nothing',
  );
  const opened = await sandbox.post('assistant', { user: 'U0BOB' });
  await sandbox.post('look-at', { user: 'U0BOB', channel: 'C0OPS' });
  await sandbox.post('message', { user: 'U0BOB', channel: String(opened.channel), text: 'hi' });
  expect(await events()).toMatchObject([
    { assistant_thread: { user_id: 'U0BOB', thread_ts: opened.thread_ts, context: { channel_id: 'C0OPS' } } },
    { type: 'message', channel_type: 'app_home', text: 'hi' },
  ]);
});

test('blocks are validated without being posted', async () => {
  const { outcome } = await startApp({ scopes: [] });
  const blocks = (text: string) => JSON.stringify([{ type: 'header', text: { type: 'plain_text', text } }]);
  expect(await outcome('blocks.validate', { blocks: blocks('short') })).toBe('ok');
  expect(await outcome('blocks.validate', { blocks: blocks('x'.repeat(151)) })).toBe('invalid_blocks');
  expect(await outcome('blocks.validate', { view: '1' })).toBe('invalid_view');
  expect(await outcome('blocks.validate', {})).toBe('missing_argument');
});
