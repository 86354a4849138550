import { beforeEach, describe, expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { url, page, messages, lastMessage, modal, send, waitForText, post } = setUpPage();

const headers = { authorization: 'Bearer xoxb-sandbox-acme' };
/** A PNG of one pixel. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const clipboard = () => page().evaluate<string>('navigator.clipboard.readText()');

describe("a message's menu", () => {
  beforeEach(async () => {
    await send('Is web up?');
    await waitForText('Is web up?');
    await lastMessage().hover();
    await lastMessage().getByRole('button', { name: 'Message actions' }).click();
  });

  test("runs the app's shortcuts", async () => {
    await page().getByRole('menuitem', { name: 'Keep this' }).click();

    await waitForText('Kept: Is web up?');
  });

  test('copies the message as JSON', async () => {
    await page().getByRole('menuitem', { name: 'Copy as JSON' }).click();

    await page().getByText('JSON copied').waitFor();
    expect(JSON.parse(await clipboard())).toMatchObject({ user: 'U0ALICE', text: 'Is web up?' });
  });

  test('copies a link to the message', async () => {
    await page().getByRole('menuitem', { name: 'Copy link' }).click();
    await page().getByText('Link copied').waitFor();

    await page().goto(await clipboard());

    await page().locator('.message.pointed-at', { hasText: 'Is web up?' }).waitFor();
  });
});

test('a reaction is added by the menu, shown at the message, and removed by a click', async () => {
  await send('Is web up?');
  await waitForText('Is web up?');
  await lastMessage().hover();
  await lastMessage().getByRole('button', { name: 'Message actions' }).click();
  await page().getByRole('menuitem', { name: 'React with :eyes:' }).click();
  const reaction = lastMessage().getByRole('button', { name: '1 eyes: Alice Adams' });
  await reaction.waitFor();
  expect(await reaction.getAttribute('aria-pressed')).toBe('true');
  expect(await reaction.textContent()).toBe('👀1');
  await reaction.click();
  await reaction.waitFor({ state: 'detached' });
});

test('an image has its description and can be enlarged; any other file is a link', async () => {
  await upload('chart.png', pixel, 'Load of the last day');
  await upload('notes.txt', Buffer.from('hello'));

  await messages().getByRole('img', { name: 'Load of the last day' }).waitFor();
  await messages().getByRole('button', { name: 'Enlarge chart.png' }).click();
  await modal().getByRole('img', { name: 'Load of the last day' }).waitFor();
  await page().keyboard.press('Escape');
  await modal().waitFor({ state: 'detached' });
  expect(
    await messages()
      .getByRole('link', { name: /notes\.txt/ })
      .getAttribute('href'),
  ).toMatch(/notes\.txt$/);
});

test('a permalink to a message opens it on the page', async () => {
  await send('Is web up?');
  await waitForText('Is web up?');
  const ts = (await lastMessage().getAttribute('data-ts')) ?? '';
  const query = { channel: 'C0OPS', message_ts: ts };
  const { permalink } = await (
    await page().request.get('/api/chat.getPermalink', { headers, params: query })
  ).json();
  await post('message', { user: 'U0BOB', channel: 'C0GENERAL', text: `See ${permalink}` });
  await page().getByRole('link', { name: '# general' }).click();
  await messages()
    .getByRole('link', { name: /archives/ })
    .click();

  await page().locator('.message.pointed-at', { hasText: 'Is web up?' }).waitFor();
});

async function upload(filename: string, bytes: Buffer, altText?: string): Promise<void> {
  const call = async (method: string, form: Record<string, string>) =>
    (await page().request.post(`${url()}/api/${method}`, { headers, form })).json();
  const ticket = await call('files.getUploadURLExternal', {
    filename,
    length: `${bytes.length}`,
    ...(altText && { alt_txt: altText }),
  });
  await page().request.post(ticket.upload_url, { data: bytes });
  await call('files.completeUploadExternal', {
    files: JSON.stringify([{ id: ticket.file_id, title: filename }]),
    channel_id: 'C0OPS',
  });
  await post('clock', { advance_ms: 1000 });
}
