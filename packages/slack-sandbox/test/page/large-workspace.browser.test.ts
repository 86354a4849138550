import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { createSlackSandbox } from '../../src/slack-sandbox.ts';
import { sharedChromium } from './fixture/chromium.ts';
import { fixtureManifest } from './fixture/fixture-app.ts';

const peopleCount = 10_000;
const people = Array.from({ length: peopleCount }, (_, index) => ({
  name: `person-${index}`,
  real_name: `Person ${index}`,
  role: index === 0 ? ('owner' as const) : ('member' as const),
}));
const channels = Array.from({ length: 200 }, (_, index) => ({
  name: index === 0 ? 'general' : `channel-${index}`,
  members: ['person-0', 'app'],
}));

const secondManifest = {
  display_information: { name: 'Deployer' },
  features: {
    app_home: { messages_tab_enabled: true, messages_tab_read_only_enabled: false },
    bot_user: { display_name: 'Deployer' },
  },
  oauth_config: { scopes: { bot: ['chat:write'] } },
};

test('a workspace of 10,000 people and 200 channels is found by name, the page stays small, and each app has its place', async () => {
  const sandbox = await createSlackSandbox({
    port: 0,
    apps: [{ manifest: fixtureManifest }, { manifest: secondManifest }],
    seed: { name: 'Large', people, channels },
  });
  onTestFinished(() => sandbox.close());
  const context = await (await sharedChromium()).newContext();
  onTestFinished(() => context.close());
  const page = await context.newPage();
  await page.goto(sandbox.url);
  await page.getByRole('textbox', { name: /^Message / }).waitFor();
  expect(await page.locator('*').count()).toBeLessThan(5_000);
  await page.getByRole('button', { name: 'You are' }).click();
  await page.getByText(`${peopleCount - 100} more: press Ctrl+K and type a name.`).waitFor();
  await page.keyboard.press('Escape');

  await goTo(page, 'channel-150');
  await page.getByRole('heading', { name: 'channel-150' }).waitFor();
  await goTo(page, 'Person 9876');
  await page.getByRole('button', { name: /You are\s*Person 9876/ }).waitFor();

  // Each of several apps has its own direct messages.
  await page.getByRole('link', { name: 'Deployer' }).click();
  await page.getByRole('heading', { name: 'Deployer' }).waitFor();
  await page.getByRole('textbox', { name: /^Message / }).fill('Hello, Deployer');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Messages' }).getByText('Hello, Deployer').waitFor();
  const token = sandbox.apps[1]?.env.SLACK_BOT_TOKEN;
  const [, user = ''] = new URL(page.url()).hash.split('/');
  await fetch(`${sandbox.url}/api/chat.postMessage`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: user, text: 'Ready to deploy' }),
  });
  await page.getByRole('log', { name: 'Messages' }).getByText('Ready to deploy').waitFor();
});

async function goTo(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox', { name: 'Search' }).fill(name);
  await page.getByRole('option', { name }).waitFor();
  await page.keyboard.press('Enter');
}
