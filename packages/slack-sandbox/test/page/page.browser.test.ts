import { beforeEach, describe, expect, test } from 'vitest';
import { setUpPage } from './fixture/page-fixture.ts';

const { url, page, composer, messages, lastMessage, modal, send, waitForText, visitAs, expectRefusal } =
  setUpPage();

describe('a command', () => {
  test('is suggested while its name is typed, and its reply is shown only to its author', async () => {
    await composer().fill('/p');
    await page()
      .getByRole('option', { name: /^\/page/ })
      .click();
    await page().keyboard.type('hello & "you"');
    await composer().press('Enter');

    await waitForText('You typed hello & “you”');
    expect(await lastMessage().innerText()).toContain('Only visible to you');
    expect(await composer().inputValue()).toBe('');

    const bobs = await visitAs('U0BOB');
    await bobs.getByText('Nothing here yet.').waitFor();
    await bobs.context().close();
  });

  test('that nobody declared gets a reply from Slackbot', async () => {
    await send('/nothing at all');

    await waitForText('/nothing is not a valid command.');
    expect(await lastMessage().innerText()).toContain('Slackbot');
  });

  test('loses a reply that only its author sees when the page is reloaded', async () => {
    await send('/page hello');
    await waitForText('You typed hello');

    await page().reload();

    await page().getByText('Nothing here yet.').waitFor();
  });
});

describe('a message with blocks', () => {
  beforeEach(async () => {
    await send('/page card');
    await waitForText('VPS-10001');
  });

  test('shows markup, links and tables, but no foreign HTML', async () => {
    expect(await lastMessage().getByRole('link', { name: 'watched' }).getAttribute('href')).toBe(
      'https://example.com',
    );
    expect(await lastMessage().locator('strong', { hasText: 'running' }).count()).toBe(1);
    expect(await lastMessage().getByRole('cell', { name: '<b>VPS-10001</b>' }).count()).toBe(1);
  });

  test('is edited in place by a button, after a confirmation', async () => {
    await lastMessage().getByRole('button', { name: 'Reboot' }).click();
    await page()
      .getByRole('dialog', { name: 'Reboot VPS-10001?' })
      .getByRole('button', { name: 'Reboot Now' })
      .click();

    await waitForText('Rebooting for @Alice Adams');
    expect(await messages().count()).toBe(1);
    expect(await lastMessage().innerText()).toContain('(edited)');
  });

  test('stays unchanged if the confirmation is declined', async () => {
    await lastMessage().getByRole('button', { name: 'Reboot' }).click();
    await page().getByRole('button', { name: 'Keep Running' }).click();

    await modal().waitFor({ state: 'detached' });
    expect(await lastMessage().innerText()).toContain('It is running');
  });

  test('sends what is chosen in its menus, by mouse and keyboard', async () => {
    await lastMessage().getByRole('button', { name: 'More actions' }).click();
    await page().getByRole('menuitem', { name: 'Mute' }).click();
    await waitForText('You chose mute');

    const menu = messages().first().getByRole('combobox', { name: 'Period' });
    await menu.press('ArrowDown');
    await page().getByRole('option', { name: 'day' }).waitFor();
    await menu.press('ArrowDown');
    await menu.press('ArrowDown');
    await menu.press('Enter');
    await waitForText('You chose day');
  });
});

test('a global shortcut opens its modal', async () => {
  await page().getByRole('button', { name: 'Shortcuts' }).click();
  await page().getByRole('menuitem', { name: 'New form' }).click();

  await modal().getByRole('heading', { name: 'New domain' }).waitFor();
});

test('a mention gets a reply in its thread', async () => {
  await page().getByRole('button', { name: 'Mention someone' }).click();
  await page().keyboard.type('page');
  await page().keyboard.press('Tab');
  await page().keyboard.type('look at web.example.com');
  await page().keyboard.press('Enter');

  await lastMessage().getByRole('button', { name: '1 reply' }).click();
  const thread = page().getByRole('log', { name: 'Thread' });
  await thread
    .getByText(/I read: <@U0APPACME> look at <http:\/\/web\.example\.com\|web\.example\.com>/)
    .waitFor();
  expect(await messages().count()).toBe(1);

  await page().getByRole('button', { name: 'Close thread' }).click();
  await thread.waitFor({ state: 'hidden' });
});

test('the Home tab is published when it is opened', async () => {
  await page().getByRole('link', { name: 'Pagetest' }).click();

  await page().getByRole('region', { name: 'Home tab' }).getByText('Your fleet').waitFor();
});

test('another person and another workspace can be chosen', async () => {
  await page().getByRole('button', { name: 'You are Alice Adams owner' }).click();
  await page().getByRole('menuitemradio', { name: 'Dave Dunn' }).click();
  await page().getByRole('link', { name: '# quiet' }).click();
  await page().getByText('U0DAVE cannot read C0QUIET').waitFor();
  expectRefusal(400);

  await page().getByRole('button', { name: 'Workspace Acme' }).click();
  await page().getByRole('menuitemradio', { name: 'Globex' }).click();
  await page().getByRole('heading', { name: '# globex' }).waitFor();
});

test('on a phone nothing is wider than the screen', async () => {
  await page().setViewportSize({ width: 390, height: 844 });
  await send('/page card');
  await waitForText('VPS-10001');

  const overflow = () => page().evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  expect(await overflow()).toBeLessThanOrEqual(0);
  await send('/page form');
  await modal().waitFor();
  expect(await overflow()).toBeLessThanOrEqual(0);
});

test("only the page's own files are served from its folder", async () => {
  const statusOf = async (path: string) => (await fetch(`${url()}${path}`)).status;

  expect(await statusOf('/page/client.js')).toBe(200);
  expect(await statusOf('/page/page.css')).toBe(200);
  expect(await statusOf('/page/routes.ts')).toBe(404);
  expect(await statusOf('/page/client/main.tsx')).toBe(404);
  expect(await statusOf('/page/%2e%2e%2froutes.ts')).toBe(404);
});
