import { expect, test } from 'vitest';
import { fullManifest, startSandbox } from '../harness.ts';

const events = ['message_metadata_posted', 'message_metadata_updated', 'message_metadata_deleted'];
const channel = 'C0OPS';
const task = (id: string) => ({ event_type: 'task_created', event_payload: { id } });

test('metadata of a type in the manifest is sent as it is posted, changed and deleted', async () => {
  const { oauth_config, settings } = fullManifest;
  const sandbox = await startSandbox({
    manifest: {
      ...fullManifest,
      oauth_config: { scopes: { bot: [...oauth_config.scopes.bot, 'metadata.message:read'] } },
      settings: {
        ...settings,
        event_subscriptions: {
          bot_events: events,
          metadata_subscriptions: [{ app_id: 'A0OTHER', event_type: 'task_created' }],
        },
      },
    },
  });
  const { chat } = sandbox.client();
  const { ts = '' } = await chat.postMessage({ channel, text: 'one', metadata: task('1') });
  await chat.update({ channel, ts, text: 'two', metadata: task('1') });
  await chat.update({ channel, ts, text: 'three', metadata: task('2') });
  await chat.delete({ channel, ts });
  await chat.postMessage({ channel, text: 'plain' });
  await chat.postMessage({ channel, text: 'other', metadata: { ...task('3'), event_type: 'unknown' } });
  const sent = (await sandbox.traffic()).filter(({ kind, retry }) => kind === 'events_api' && !retry);
  const common = { app_id: 'A0SANDBOX', user_id: 'U0APPACME', channel_id: channel, message_ts: ts };
  expect(sent.map(({ payload }) => payload.event)).toMatchObject([
    { type: 'message_metadata_posted', ...common, metadata: task('1'), event_ts: ts },
    { type: 'message_metadata_updated', ...common, previous_metadata: task('1'), metadata: task('2') },
    { type: 'message_metadata_deleted', ...common, previous_metadata: task('2'), deleted_ts: ts },
  ]);
});
