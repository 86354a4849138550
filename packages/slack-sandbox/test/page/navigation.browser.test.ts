import { expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { page, composer, messages, send, waitForText, visitAs, post, modal, expectRefusal } = setUpPage();

const place = (name: string) => page().getByRole('link', { name });
const become = async (name: string) => {
  await page()
    .getByRole('button', { name: /^You are/ })
    .click();
  await page().getByRole('menuitemradio', { name }).click();
};

test("a conversation with new messages is highlighted, with a count of the person's mentions", async () => {
  await post('message', { user: 'U0BOB', channel: 'C0GENERAL', text: 'Lunch?' });
  await place('# general new messages').waitFor();
  expect(await page().locator('.count').count()).toBe(0);
  await post('message', { user: 'U0BOB', channel: 'C0GENERAL', text: '@alice @on-call lunch?' });
  await post('message', { user: 'U0BOB', channel: 'C0GENERAL', text: '@carol lunch?' });
  await place('# general new messages 1 for you').waitFor();

  await place('# general').click();

  await waitForText('@carol lunch?'.replace('@carol', '@Carol Chen'));
  await place('new messages').waitFor({ state: 'detached' });
  expect(await page().locator('.message.calling').count()).toBe(1);
});

test('everyone has their own unread marks, but none for their own messages', async () => {
  await send('@bob are you there?');
  await waitForText('are you there?');
  await place('# general').click();
  await become('Bob Brown');

  await place('# ops shared new messages 1 for you').waitFor();
  await become('Alice Adams');
  await page().getByRole('button', { name: 'You are Alice Adams' }).waitFor();
  expect(await place('new messages').count()).toBe(0);
});

test('guests and people from other organizations are labelled', async () => {
  await page()
    .getByRole('button', { name: /^You are/ })
    .click();
  const people = page().getByRole('menu', { name: 'You are' });
  expect(await people.getByRole('menuitemradio').allInnerTexts()).toEqual([
    expect.stringMatching(/Alice Adams.*owner/s),
    expect.stringMatching(/Bob Brown.*member/s),
    expect.stringMatching(/Carol Chen.*member/s),
    expect.stringMatching(/Dave Dunn.*guest/s),
    expect.stringMatching(/Erin Eze.*other organization/s),
  ]);
  await page().keyboard.press('End');
  await page().keyboard.press('Enter');

  await page().getByRole('button', { name: 'You are Erin Eze other organization' }).waitFor();
});

test("the app's direct messages are one of its tabs, updated live and counted", async () => {
  const say = async (text: string) => {
    const form = { channel: 'U0ALICE', text };
    const headers = { authorization: 'Bearer xoxb-sandbox-acme' };
    await page().request.post('/api/chat.postMessage', { headers, form });
  };
  await say('Your report is ready');
  await place('Pagetest new messages 1 for you').click();
  await page().getByRole('link', { name: 'Messages', exact: true }).click();
  await waitForText('Your report is ready');
  await place('new messages').waitFor({ state: 'detached' });

  await say('Here is another');
  await waitForText('Here is another');
  await send('Thank you');
  await waitForText('Thank you');
});

test("two people see each other's messages in a channel", async () => {
  const bobs = await visitAs('U0BOB');
  await send('Good morning');

  await bobs.getByRole('log', { name: 'Messages' }).getByText('Good morning').waitFor();
  await bobs.context().close();
});

test('the quick switcher finds conversations, people and panels by keyboard', async () => {
  await page().keyboard.press('Control+k');
  await page().keyboard.type('gener');
  await page().keyboard.press('Enter');
  await page().getByRole('heading', { name: '# general' }).waitFor();
  await page().keyboard.press('Control+k');
  await page().keyboard.type('carol');
  await page().keyboard.press('Enter');
  await page().getByRole('button', { name: 'You are Carol Chen' }).waitFor();
  await page().keyboard.press('Control+k');
  await page().keyboard.type('faults');
  await page().keyboard.press('Enter');
  await page().getByRole('tab', { name: 'Faults', selected: true }).waitFor();
  await page().keyboard.press('Control+k');
  await page().keyboard.type('nowhere');
  await modal().getByText('No results for “nowhere”.').waitFor();
  await page().keyboard.press('Escape');
  await modal().waitFor({ state: 'detached' });
});

test('the composer has the focus on open, and when the quick switcher has chosen a conversation', async () => {
  const focused = () => page().evaluate<string | null>('document.activeElement.ariaLabel');
  await expect.poll(focused).toBe('Message # ops');
  for (const [typed, label] of [
    ['gener', 'Message # general'],
    ['gener', 'Message # general'],
    ['direct', 'Message Pagetest'],
  ] as const) {
    await page().getByRole('button', { name: 'Keyboard' }).focus();
    await page().keyboard.press('Control+k');
    await page().keyboard.type(typed);
    await page().keyboard.press('Enter');
    await expect.poll(focused).toBe(label);
  }
});

test('a question mark lists the keyboard shortcuts, except while typing', async () => {
  await composer().fill('');
  await composer().press('?');
  expect(await composer().inputValue()).toBe('?');
  expect(await modal().count()).toBe(0);
  await page().getByRole('link', { name: '# ops' }).focus();
  await page().keyboard.press('?');

  await page().getByRole('dialog', { name: 'Keyboard' }).waitFor();
});

test('the colors follow the system until the person chooses', async () => {
  const ground = () =>
    page().evaluate<string>('getComputedStyle(document.querySelector(".panes")).backgroundColor');
  await page().emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).toBe('rgb(23, 25, 29)');
  await page().getByRole('button', { name: 'Use light colors' }).click();
  await expect.poll(ground).toBe('rgb(255, 255, 255)');

  await page().reload();

  await page().getByRole('button', { name: 'Use dark colors' }).waitFor();
  expect(await ground()).toBe('rgb(255, 255, 255)');
});

test('on a phone the conversations are in a drawer, and a thread fills the screen', async () => {
  await page().setViewportSize({ width: 390, height: 844 });
  await page().getByRole('button', { name: 'Conversations' }).click();
  await place('# general').click();
  await page().getByRole('heading', { name: '# general' }).waitFor();
  await place('# ops').waitFor({ state: 'hidden' });
  await send('@pagetest hello');
  await messages().last().getByRole('button', { name: '1 reply' }).click();

  const pane = page().getByRole('region', { name: 'Thread pane' });
  await pane.getByText('I read:').waitFor();
  expect((await pane.boundingBox())?.width).toBe(390);
});

test('an address of something that does not exist says so', async () => {
  await page().goto('/#T0NOWHERE');

  await page().getByText('There is no workspace T0NOWHERE').waitFor();
  expectRefusal(404);
  await page().getByRole('link', { name: 'Go to the first workspace' }).click();
  await composer().waitFor();
});

test('without an address, the page opens an ordinary channel, not one that another organization shares', async () => {
  await page().goto('about:blank');
  await page().goto('/');
  await page().getByRole('textbox', { name: 'Message # general' }).waitFor();
});
