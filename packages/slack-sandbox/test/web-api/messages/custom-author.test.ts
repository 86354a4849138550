import { expect, test } from 'vitest';
import { startApp } from '../../start-app.ts';

const named = { channel: 'C0OPS', text: 'Moo', username: 'Cow', icon_emoji: 'cow' };

test('a message has the name and avatar that the app chose, and can be edited', async () => {
  const { client } = await startApp({ scopes: ['chat:write.customize'] });
  const { message, ts = '' } = await client.chat.postMessage(named);
  const author = { subtype: 'bot_message', username: 'Cow', icons: { emoji: ':cow:' }, bot_id: 'B0ACME' };
  expect(message).toMatchObject(author);
  const { icon_emoji: _, ...rest } = named;
  const second = await client.chat.postMessage({ ...rest, icon_url: 'https://example.com/cow.png' });
  expect(second.message).toMatchObject({ icons: { image_48: 'https://example.com/cow.png' } });
  await client.chat.update({ channel: 'C0OPS', ts, text: 'Mooo' });
  const { messages } = await client.conversations.history({ channel: 'C0OPS' });
  expect(messages?.at(-1)).toMatchObject({ ...author, text: 'Mooo' });
});

test('name and avatar are ignored without chat:write.customize', async () => {
  const { client } = await startApp({ scopes: [] });
  const { message } = await client.chat.postMessage(named);
  expect(message).toMatchObject({ text: 'Moo' });
  for (const key of ['subtype', 'username', 'icons']) expect(message).not.toHaveProperty(key);
});
