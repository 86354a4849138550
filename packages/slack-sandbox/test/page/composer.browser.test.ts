import { expect, test } from 'vitest';
import { z } from 'zod';
import { setUpPage } from './fixture/page-fixture.ts';

const { url, page, composer, lastMessage, messages, modal, post, send, waitForText } = setUpPage();

const offer = (name: RegExp) => page().getByRole('option', { name });

test('commands are completed by arrow keys and Tab, and their usage is shown', async () => {
  await composer().press('/');
  await offer(/^\/page/).waitFor();
  await composer().press('ArrowDown');
  expect(await offer(/^\/invite/).getAttribute('aria-selected')).toBe('true');
  await composer().press('ArrowUp');
  await composer().press('Tab');

  expect(await composer().inputValue()).toBe('/page ');
  await page().getByText('/page [card | form | secret]').waitFor();
  expect(await page().getByRole('listbox').count()).toBe(0);
});

test('Escape closes the completions, and Enter sends the typed text', async () => {
  await composer().fill('/pag');
  await composer().press('Escape');
  await composer().press('Enter');

  await waitForText('/pag is not a valid command.');
});

test("people, channels and groups are completed inside a text, in Slack's format", async () => {
  await composer().pressSequentially('Ask @bo');
  await composer().press('Enter');
  await composer().pressSequentially('or @on');
  await composer().press('Enter');
  await composer().pressSequentially('in #gen');
  await composer().press('Tab');
  expect(await composer().inputValue()).toBe('Ask @bob or @on-call in #general ');
  await composer().press('Enter');

  await waitForText('Ask @Bob Brown or @on-call in #general');
  const { messages: all } = await (
    await page().request.get('/sandbox/messages?channel=C0OPS&user=U0ALICE')
  ).json();
  expect(all.at(-1).text).toBe('Ask <@U0BOB> or <!subteam^S0ONCALL|@on-call> in <#C0GENERAL|general>');
});

test('an e-mail address is not a mention', async () => {
  await composer().pressSequentially('mail bob@al');

  expect(await page().getByRole('listbox').count()).toBe(0);
});

test('Shift+Enter starts a new line', async () => {
  await composer().pressSequentially('one');
  await composer().press('Shift+Enter');
  await composer().pressSequentially('two');
  await composer().press('Enter');

  await waitForText('one');
  expect(await lastMessage().innerText()).toContain('one\ntwo');
  expect(await messages().count()).toBe(1);
});

test('the up arrow restores sent messages, newest first, and the down arrow goes forward again', async () => {
  await send('first');
  await send('second');
  await composer().press('ArrowUp');
  expect(await composer().inputValue()).toBe('second');
  await composer().press('ArrowUp');
  expect(await composer().inputValue()).toBe('first');
  await composer().press('ArrowDown');
  await composer().press('ArrowDown');

  expect(await composer().inputValue()).toBe('');
});

test('a draft stays in its channel until the person returns', async () => {
  await composer().fill('half a sentence');
  await page().getByRole('link', { name: '# general' }).click();
  await page().getByRole('heading', { name: '# general' }).waitFor();
  expect(await composer().inputValue()).toBe('');
  await page().getByRole('link', { name: '# ops' }).click();

  await page().getByRole('heading', { name: '# ops' }).waitFor();
  expect(await composer().inputValue()).toBe('half a sentence');
});

test('files are attached, left out again, and posted without a text', async () => {
  const file = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from('hello') });
  await page()
    .getByLabel('Files to attach')
    .setInputFiles([file('a.txt'), file('b.txt')]);
  await page().getByRole('button', { name: 'Remove a.txt' }).click();
  await page().getByRole('button', { name: 'Send' }).click();

  await waitForText('b.txt');
  expect(await lastMessage().innerText()).toContain('5 bytes');
  expect(await page().getByRole('list', { name: 'Attached files' }).count()).toBe(0);
});

test('a form has a field for files', async () => {
  const { trigger_id } = z
    .object({ trigger_id: z.string() })
    .parse(await post('slash', { user: 'U0ALICE', channel: 'C0OPS', command: '/page', text: 'nothing' }));
  const plain = (text: string) => ({ type: 'plain_text', text });
  const element = { type: 'file_input', action_id: 'files', filetypes: ['txt'] };
  const blocks = [{ type: 'input', block_id: 'proof', label: plain('Proof'), element }];
  await fetch(`${url()}/api/views.open`, {
    method: 'POST',
    headers: { authorization: 'Bearer xoxb-sandbox-acme', 'content-type': 'application/json' },
    body: JSON.stringify({
      trigger_id,
      view: { type: 'modal', title: plain('Order'), submit: plain('Send'), blocks },
    }),
  });
  await modal()
    .getByLabel('Proof')
    .setInputFiles({ name: 'proof.txt', mimeType: 'text/plain', buffer: Buffer.from('I paid') });
  await modal().getByText('proof.txt').waitFor();
  await modal().getByRole('button', { name: 'Send' }).click();

  const traffic = async () => (await fetch(`${url()}/sandbox/traffic`)).text();
  await expect.poll(traffic).toContain('"type":"view_submission"');
  expect(await traffic()).toContain('"name":"proof.txt"');
});
