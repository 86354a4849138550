import { expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { page, composer, messages, lastMessage, thread, send, waitForText } = setUpPage();

const reply = () => page().getByRole('textbox', { name: 'Reply in thread' });

test('a reply is shown in its thread, and counted in the channel', async () => {
  await send('Is web up?');
  await waitForText('Is web up?');
  await lastMessage().hover();
  await lastMessage().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().fill('It is.');
  await reply().press('Enter');
  await thread().getByText('It is.').waitFor();
  await reply().fill('Since Monday.');
  await reply().press('Enter');

  await lastMessage().getByRole('button', { name: '2 replies' }).waitFor();
  await thread().getByText('2 replies').waitFor();
  expect(await messages().count()).toBe(1);
  expect(await thread().locator('.message').count()).toBe(3);
  expect(await reply().inputValue()).toBe('');
});

test('a thread is shown beside a workbench panel, and the conversation returns after it', async () => {
  await send('Is web up?');
  await waitForText('Is web up?');
  await page().getByRole('button', { name: 'Inspector', exact: true }).click();
  await lastMessage().hover();
  await lastMessage().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().waitFor();
  expect(await page().locator('.conversation .message-tools').isVisible()).toBe(false);
  await reply().click();
  await reply().fill('It is.');
  await reply().press('Enter');
  await thread().getByText('It is.').waitFor();

  await page().getByRole('button', { name: 'Close thread' }).click();
  await composer().click();
  await lastMessage().getByRole('button', { name: '1 reply' }).click();
  await reply().click();
});

test('a mention in a thread gets its reply there', async () => {
  await send('@pagetest hello');
  await lastMessage().getByRole('button', { name: '1 reply' }).click();
  await reply().fill('@pagetest once more');
  await reply().press('Enter');

  await thread().getByText('I read: <@U0APPACME> once more').waitFor();
});

test('a command in a thread is rejected with an explanation, and drafts elsewhere stay', async () => {
  await send('Is web up?');
  await waitForText('Is web up?');
  await composer().fill('half a sentence');
  await lastMessage().hover();
  await lastMessage().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().fill('/page card');
  await reply().press('Enter');

  await page().getByRole('alert').getByText('/page is not supported in threads. Sorry!').waitFor();
  expect(await composer().inputValue()).toBe('half a sentence');
});

test('a thread has a URL: it opens with the page, and closes at Escape and Back', async () => {
  await send('@pagetest hello');
  await lastMessage().getByRole('button', { name: '1 reply' }).click();
  await thread().getByText('I read:').waitFor();
  await page().reload();
  await thread().getByText('I read:').waitFor();
  await page().keyboard.press('Escape');
  await thread().waitFor({ state: 'detached' });

  await page().goBack();

  await thread().getByText('I read:').waitFor();
});

test('a deleted message with replies leaves a placeholder without actions', async () => {
  await send('/page card');
  await waitForText('VPS-10001');
  const ts = await lastMessage().getAttribute('data-ts');
  await lastMessage().hover();
  await lastMessage().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().fill('Nice card');
  await reply().press('Enter');
  await lastMessage().getByRole('button', { name: '1 reply' }).waitFor();

  await page().request.post('/api/chat.delete', {
    headers: { authorization: 'Bearer xoxb-sandbox-acme' },
    form: { channel: 'C0OPS', ts: ts ?? '' },
  });

  await lastMessage().getByText('This message was deleted.').waitFor();
  expect(await lastMessage().getByRole('button').allInnerTexts()).toEqual([
    expect.stringContaining('1 reply'),
  ]);
});
