import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { createStack } from '../src/sandbox/stack.ts';
import { launchChromium } from '../test/services/chromium.ts';

// Makes the pictures of the README anew, of the page as it is now: everything is started, used as people do, and looked at.

const fileOf = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const stack = await createStack({
  // Where it is for everybody, since its address is in a picture.
  hosting: { port: 4010 },
  slack: { port: 0, manifest: fileOf('manifest.yml') },
  databaseUrl: 'sqlite::memory:',
  log: pino({ level: 'warn' }),
});
const browser = await launchChromium();

/** Opens #ops as somebody has it before them. */
async function visit(user: string, deviceScaleFactor: number): Promise<Page> {
  const page = await browser.newPage({
    viewport: { width: 1280, height: 800 },
    deviceScaleFactor,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  // A newcomer waits a minute for nothing: what takes longer than this has failed.
  page.setDefaultTimeout(90_000);
  await page.goto(`${stack.slack.url}/#T0ACME/${user}/C0OPS`);
  return page;
}

async function type(page: Page, text: string): Promise<void> {
  const composer = page.getByRole('textbox', { name: /^Message / });
  await composer.fill(text);
  await composer.press('Enter');
}

const messageWith = (page: Page, words: string): Locator =>
  page.locator('.message').filter({ hasText: words });

/** A reboot that is done, another that asks first, a command that is begun, and the guide's first step ticked. */
async function sandboxPicture(path: string): Promise<void> {
  const bob = await visit('U0BOB', 1);
  await type(bob, 'web-01 answers slowly since noon, and its log says nothing. Reboot it?');
  await bob.close();
  const page = await visit('U0ALICE', 1);
  await page.getByText('0 of 3 done').waitFor();
  await messageWith(page, 'web-01').waitFor();
  await type(page, '/vps reboot VPS-10001');
  await page.getByRole('button', { name: 'Reboot', exact: true }).click();
  await messageWith(page, 'VPS-10001 is running now').waitFor();
  await page.getByText('1 of 3 done').waitFor();
  await type(page, '/vps reboot VPS-10002');
  await messageWith(page, 'Reboot VPS-10002?').waitFor();
  await page.getByRole('textbox', { name: /^Message / }).pressSequentially('/');
  await page.getByRole('option', { name: /^\/vps/ }).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path });
  await page.close();
}

/** A summary of the fleet in its message, with pixels enough to be read. */
async function reportPicture(path: string): Promise<void> {
  const page = await visit('U0ALICE', 2);
  await type(page, '/vps report run --public');
  const message = messageWith(page, 'of 12 need a look');
  await message.getByRole('img', { name: /^CPU/ }).waitFor();
  await page.waitForFunction('document.querySelector(".message img[alt^=CPU]")?.naturalWidth > 0');
  await page.getByRole('button', { name: 'Close workbench' }).click();
  await page.setViewportSize({ width: 900, height: 2000 });
  await page.mouse.move(0, 0);
  const box = await message.boundingBox();
  if (!box) throw new Error('the message of the report is not on the page');
  const { x, y, width, height } = box;
  const edge = 2;
  await page.screenshot({
    path,
    clip: { x: x + edge, y: y + edge, width: width - 2 * edge, height: height - 2 * edge },
  });
  await page.close();
}

try {
  await mkdir(fileOf('docs/images'), { recursive: true });
  await sandboxPicture(fileOf('docs/images/sandbox.png'));
  await reportPicture(fileOf('docs/images/report.png'));
} finally {
  await browser.close();
  await stack.close();
}
