import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { launchChromium } from 'slack-sandbox/testing';
import { createStack } from '../src/sandbox/stack.ts';
import { encodeGif, type Frame } from './encode-gif.ts';

// Takes the pictures of the README from the running sandbox, or only those that are named. Needs Chromium
// and a font with emoji (Debian: fonts-noto-color-emoji).

const resolvePath = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const browser = await launchChromium();

/** Starts a new sandbox for each picture, so that no picture shows the traces of another. */
function startSandbox() {
  return createStack({
    // The default port, because the picture shows the URL.
    hosting: { port: 4010 },
    slack: { port: 0, manifest: resolvePath('manifest.yml') },
    databaseUrl: 'sqlite::memory:',
    grants: [{ grantee: 'U0BOB', right: 'operate', pattern: '*' }],
    log: pino({ level: 'warn' }),
  });
}

interface PageSize {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor: number;
}

const defaultSize: PageSize = { width: 1280, height: 800, deviceScaleFactor: 1 };

type OpenPage = (user: string, size?: PageSize) => Promise<Page>;

/** Opens #ops as a person sees it. */
async function openChannel(
  slackUrl: string,
  user: string,
  { deviceScaleFactor, ...viewport } = defaultSize,
): Promise<Page> {
  const page = await browser.newPage({
    viewport,
    deviceScaleFactor,
    colorScheme: 'light',
    reducedMotion: 'reduce',
    timezoneId: 'UTC',
  });
  // Longer than any step takes, such as the first bundle of the page, a reboot or a report.
  page.setDefaultTimeout(90_000);
  await page.goto(`${slackUrl}/#T0ACME/${user}/C0OPS`);
  return page;
}

const findComposer = (page: Page): Locator => page.getByRole('textbox', { name: /^Message / });

async function typeMessage(page: Page, text: string): Promise<void> {
  const composer = findComposer(page);
  await composer.fill(text);
  await composer.press('Enter');
}

const findMessage = (page: Page, text: string): Locator => page.locator('.message').filter({ hasText: text });

/** Shows a reboot from the first typed letter to the end, in one message that is edited. */
async function animateReboot(openPage: OpenPage, path: string): Promise<void> {
  const bob = await openPage('U0BOB');
  await typeMessage(bob, 'web-01 has been slow all day. Can someone reboot it?');
  await bob.close();
  const page = await openPage('U0ALICE', { width: 820, height: 500, deviceScaleFactor: 1.5 });
  const frames: Frame[] = [];
  const capture = async (delayMs: number) => {
    frames.push({ png: await page.screenshot({ caret: 'initial' }), delayMs });
  };
  await findMessage(page, 'web-01').waitFor();
  await page.mouse.move(0, 0);
  await capture(1_200);
  const composer = findComposer(page);
  for (const part of ['/', 'vp', 's ', 're', 'boo', 't ', 'web', '-01']) {
    await composer.pressSequentially(part);
    await capture(140);
  }
  await composer.press('Enter');
  const button = page.getByRole('button', { name: /^Reboot / });
  await button.waitFor();
  await capture(2_400);
  await button.hover();
  await capture(800);
  await button.click();
  await page.mouse.move(0, 0);
  await composer.focus();
  const changes = await captureChanges(page, findMessage(page, 'web-01 (VPS-10001) is running'));
  await writeFile(path, await encodeGif([...frames, ...changes]));
  await page.close();
}

const phoneSize: PageSize = { width: 390, height: 700, deviceScaleFactor: 1.5 };

/** Shows an alert on a phone, from the moment before it to its acknowledgement. */
async function animateAlert(openPage: OpenPage, path: string, hostingUrl: string): Promise<void> {
  const alice = await openPage('U0ALICE');
  await typeMessage(alice, '/vps watch add web-02 cpu > 90% for 0m --notify @bob --escalate 15m @carol');
  await findMessage(alice, 'was added').waitFor();
  const page = await openPage('U0BOB', phoneSize);
  await findComposer(page).waitFor();
  const before = { png: await page.screenshot(), delayMs: 1_200 };
  const response = await fetch(`${hostingUrl}/sandbox/load`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vps: 'VPS-10002', load: { cpu: 0.97 } }),
  });
  if (!response.ok) throw new Error(`the load could not be set: ${response.status}`);
  const button = page.getByRole('button', { name: 'Acknowledge' });
  await button.waitFor();
  const alerted = { png: await page.screenshot(), delayMs: 3_000 };
  await button.hover();
  const hovered = { png: await page.screenshot(), delayMs: 700 };
  await button.click();
  await page.mouse.move(0, 0);
  const changes = await captureChanges(page, findMessage(page, 'Acknowledged by'));
  await writeFile(path, await encodeGif([before, alerted, hovered, ...changes]));
  await Promise.all([alice.close(), page.close()]);
}

/** Shows a reboot that needs a second person: Bob asks, and Alice approves. */
async function animateApproval(openPage: OpenPage, path: string): Promise<void> {
  const size: PageSize = { width: 820, height: 560, deviceScaleFactor: 1.5 };
  const alice = await openPage('U0ALICE', size);
  await typeMessage(alice, '/vps approval require reboot --channel #ops');
  await findMessage(alice, 'Approval is now required').waitFor();
  await alice.reload();
  const bob = await openPage('U0BOB', size);
  const frames: Frame[] = [];
  const capture = async (page: Page, delayMs: number) => {
    frames.push({ png: await page.screenshot({ caret: 'initial' }), delayMs });
  };
  const composer = findComposer(bob);
  for (const part of ['/vps ', 'reboot ', 'web-01']) {
    await composer.pressSequentially(part);
    await capture(bob, 300);
  }
  await composer.press('Enter');
  const reboot = bob.getByRole('button', { name: /^Reboot / });
  await reboot.waitFor();
  await capture(bob, 2_000);
  await reboot.click();
  await bob.mouse.move(0, 0);
  const approve = alice.getByRole('button', { name: /^Approve/ }).last();
  await approve.waitFor();
  await capture(bob, 2_200);
  await capture(alice, 2_600);
  await approve.hover();
  await capture(alice, 800);
  await approve.click();
  await alice.mouse.move(0, 0);
  const changes = await captureChanges(alice, findMessage(alice, 'web-01 (VPS-10001) is running'));
  await writeFile(path, await encodeGif([...frames, ...changes]));
  await Promise.all([alice.close(), bob.close()]);
}

/** How long a frame is shown. A shorter one would be missed, and the sandbox's real waits would be boring. */
const minFrameMs = 900;
const maxFrameMs = 2_200;
const lastFrameMs = 4_000;

/** Captures each view of the page that differs from the previous one, until `lastMessage` is visible. */
async function captureChanges(page: Page, lastMessage: Locator): Promise<readonly Frame[]> {
  const views: { readonly png: Buffer; readonly atMs: number }[] = [];
  for (let isOver = false; !isOver; ) {
    isOver = await lastMessage.isVisible();
    const png = await page.screenshot();
    if (!views.at(-1)?.png.equals(png)) views.push({ png, atMs: performance.now() });
  }
  return views.map(({ png, atMs }, index) => {
    const nextMs = views[index + 1]?.atMs;
    const delayMs =
      nextMs === undefined ? lastFrameMs : Math.min(Math.max(nextMs - atMs, minFrameMs), maxFrameMs);
    return { png, delayMs };
  });
}

/**
 * Shows a finished reboot, a confirmation card, a half-typed command, and the guide with its first
 * step ticked.
 */
async function screenshotSandbox(openPage: OpenPage, path: string): Promise<void> {
  const bob = await openPage('U0BOB');
  await typeMessage(bob, 'web-01 has been slow all day, and its log says nothing. Reboot it?');
  await bob.close();
  const page = await openPage('U0ALICE');
  await page.getByText(/^0 of \d done/).waitFor();
  await findMessage(page, 'web-01').waitFor();
  await typeMessage(page, '/vps reboot web-01');
  await page.getByRole('button', { name: /^Reboot / }).click();
  await findMessage(page, 'web-01 (VPS-10001) is running').waitFor();
  await page.getByText(/^1 of \d done/).waitFor();
  await typeMessage(page, '/vps reboot web-02');
  await page.getByRole('button', { name: /^Reboot / }).waitFor();
  await page.getByRole('textbox', { name: /^Message / }).pressSequentially('/');
  await page.getByRole('option', { name: /^\/vps/ }).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path });
  await page.close();
}

/** Shows a report on the fleet, with enough pixels to be readable. */
async function screenshotReport(openPage: OpenPage, path: string): Promise<void> {
  const page = await openPage('U0ALICE', { ...defaultSize, deviceScaleFactor: 2 });
  await typeMessage(page, '/vps report run --public');
  const message = page.locator('.message').filter({ has: page.locator('img[alt*=CPU]') });
  await message.waitFor();
  await page.waitForFunction('document.querySelector(".message img[alt*=CPU]")?.naturalWidth > 0');
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

const pictures = {
  'reboot.gif': animateReboot,
  'alert.gif': animateAlert,
  'approval.gif': animateApproval,
  'sandbox.png': screenshotSandbox,
  'report.png': screenshotReport,
};

const named = process.argv.slice(2);

try {
  await mkdir(resolvePath('docs/images'), { recursive: true });
  for (const [name, take] of Object.entries(pictures)) {
    if (named.length > 0 && !named.includes(name)) continue;
    const stack = await startSandbox();
    try {
      const openPage: OpenPage = (user, size) => openChannel(stack.slack.url, user, size);
      await take(openPage, resolvePath(`docs/images/${name}`), stack.hosting.url);
    } finally {
      await stack.close();
    }
  }
} finally {
  await browser.close();
}
