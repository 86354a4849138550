import { expect, test } from 'vitest';
import { createBrowserHarness } from './browser-harness.ts';

const { page, messages, modal, type } = createBrowserHarness();

/** The last message with a graph, because a repeated test posts another one. */
const graph = () =>
  messages()
    .filter({ has: page().getByRole('img', { name: /^CPU \d.*; Memory .*; Disk .*; Network in .*\.$/ }) })
    .last();

/** Natural width of an image; 0 if it could not be loaded. */
const widthOf = (selector: string) =>
  page().evaluate<number>(`document.querySelector('${selector} img').naturalWidth`);

test('a graph is shown in its message, with its description as alt text', async () => {
  await type('/vps graph VPS-10001 day');
  await graph().waitFor();
  await expect.poll(() => widthOf('.message')).toBe(720);
  await graph().getByText('web-01 (VPS-10001), last day', { exact: true }).waitFor();
  await graph().getByRole('button', { name: 'Last Week' }).waitFor();
});

test('a click enlarges a graph, and the keyboard closes it', async () => {
  await graph().waitFor();
  const enlarge = graph().getByRole('button', { name: /^Enlarge: CPU/ });
  expect(await enlarge.count()).toBe(1);
  await enlarge.click();
  await modal().getByRole('img', { name: /^CPU/ }).waitFor();
  await expect.poll(() => widthOf('dialog')).toBe(720);
  await page().keyboard.press('Escape');
  await modal().waitFor({ state: 'detached' });
});

test('a secret is shown once, in a modal, and appears nowhere afterwards', async () => {
  await type('/vps backup show VPS-10001');
  const card = messages().filter({ hasText: 'Backup space of web-01 (VPS-10001)' });
  await card.getByRole('button', { name: 'Show Once' }).click();
  await modal().getByText('Password', { exact: true }).waitFor();
  const password = (await modal().locator('pre').last().innerText()).trim();
  expect(password).toMatch(/^\S{12,}$/);
  const everywhere = () => page().locator('html').innerHTML();
  expect(await everywhere()).toContain(password);

  await modal().getByRole('button', { name: 'Done' }).click();

  await modal().waitFor({ state: 'detached' });
  await card.getByRole('button', { name: 'Show Once' }).waitFor({ state: 'detached' });
  await card.getByText(/Password: shown\.$/).waitFor();
  expect(await everywhere()).not.toContain(password);
  await page().reload();
  await messages().first().waitFor();
  expect(await everywhere()).not.toContain(password);
});

test('an SSH port is set, and set back with the button of the message', async () => {
  await type('/vps ssh set worker-01 2222');
  await messages().getByRole('button', { name: 'Set Port' }).click();
  await messages().getByRole('button', { name: 'Set SSH Port Back to 22' }).click();
  const card = messages().filter({ hasText: 'Set the SSH port of worker-01 (VPS-10004) to 22?' });
  await card.getByText('SSH port now: 2222').waitFor();
  await card.getByRole('button', { name: 'Set Port' }).click();
  await messages().getByRole('button', { name: 'Set SSH Port Back to 2222' }).waitFor();
});

test('several VPS are rebooted from one card, and one message has the state of each', async () => {
  await type('/vps reboot web-01 web-02 db-01');
  const card = messages().filter({ hasText: 'Reboot 3 VPS?' });
  await card.getByRole('button', { name: /^2 at a Time/ }).waitFor();
  await card
    .getByRole('button', { name: /^Reboot/ })
    .first()
    .click();
  await card.waitFor({ state: 'detached' });
  await messages().filter({ hasText: 'Reboot 3 VPS' }).filter({ hasText: '3 of 3 done' }).waitFor();
});
