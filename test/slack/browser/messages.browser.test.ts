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
