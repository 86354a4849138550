import { expect, test } from 'vitest';
import { stagePage } from './page-stage.ts';

const { page, composer, messages, last, thread, type, shows } = stagePage();

const reply = () => page().getByRole('textbox', { name: 'Reply in thread' });

test('a reply stands in its thread, and is counted in the channel', async () => {
  await type('Is web up?');
  await shows('Is web up?');
  await last().hover();
  await last().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().fill('It is.');
  await reply().press('Enter');
  await thread().getByText('It is.').waitFor();
  await reply().fill('Since Monday.');
  await reply().press('Enter');

  await last().getByRole('button', { name: '2 replies' }).waitFor();
  await thread().getByText('2 replies').waitFor();
  expect(await messages().count()).toBe(1);
  expect(await thread().locator('.message').count()).toBe(3);
  expect(await reply().inputValue()).toBe('');
});

test('a thread is in view beside a panel of the workbench, and the conversation is back after it', async () => {
  await type('Is web up?');
  await shows('Is web up?');
  await page().getByRole('button', { name: 'Inspector', exact: true }).click();
  await last().hover();
  await last().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().click();
  await reply().fill('It is.');
  await reply().press('Enter');
  await thread().getByText('It is.').waitFor();

  await page().getByRole('button', { name: 'Close thread' }).click();
  await composer().click();
  await last().getByRole('button', { name: '1 reply' }).click();
  await reply().click();
});

test('a mention in a thread is answered there', async () => {
  await type('@pagetest hello');
  await last().getByRole('button', { name: '1 reply' }).click();
  await reply().fill('@pagetest once more');
  await reply().press('Enter');

  await thread().getByText('I read: <@U0APPACME> once more').waitFor();
});

test('a command in a thread is refused in words, and what was typed elsewhere stays', async () => {
  await type('Is web up?');
  await shows('Is web up?');
  await composer().fill('half a sentence');
  await last().hover();
  await last().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().fill('/page card');
  await reply().press('Enter');

  await page().getByRole('alert').getByText('/page is not supported in threads. Sorry!').waitFor();
  expect(await composer().inputValue()).toBe('half a sentence');
});

test('a thread has an address: it opens with the page, and closes at Escape and by Back', async () => {
  await type('@pagetest hello');
  await last().getByRole('button', { name: '1 reply' }).click();
  await thread().getByText('I read:').waitFor();
  await page().reload();
  await thread().getByText('I read:').waitFor();
  await page().keyboard.press('Escape');
  await thread().waitFor({ state: 'detached' });

  await page().goBack();

  await thread().getByText('I read:').waitFor();
});

test('a deleted message with replies leaves a tombstone, above which nothing can be done', async () => {
  await type('/page card');
  await shows('VPS-10001');
  const ts = await last().getAttribute('data-ts');
  await last().hover();
  await last().getByRole('button', { name: 'Reply in thread' }).click();
  await reply().fill('Nice card');
  await reply().press('Enter');
  await last().getByRole('button', { name: '1 reply' }).waitFor();

  await page().request.post('/api/chat.delete', {
    headers: { authorization: 'Bearer xoxb-sandbox-acme' },
    form: { channel: 'C0OPS', ts: ts ?? '' },
  });

  await last().getByText('This message was deleted.').waitFor();
  expect(await last().getByRole('button').allInnerTexts()).toEqual([expect.stringContaining('1 reply')]);
});
