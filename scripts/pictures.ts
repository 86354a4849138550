import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { encode } from 'modern-gif';
import pino from 'pino';
import type { Locator, Page } from 'playwright-core';
import { PNG } from 'pngjs';
import { launchChromium } from 'slack-sandbox/testing';
import { createStack } from '../src/sandbox/stack.ts';

/** A screenshot, and how long the animation shows it. */
interface Frame {
  readonly png: Uint8Array;
  readonly delayMs: number;
}

/** Encodes frames of equal size as an animated GIF that loops forever. */
async function encodeGif(frames: readonly Frame[]): Promise<Uint8Array> {
  const images = frames.map(({ png, delayMs }) => {
    const { width, height, data } = PNG.sync.read(Buffer.from(png));
    return { width, height, data: new Uint8ClampedArray(data), delay: delayMs };
  });
  const { width = 0, height = 0 } = images[0] ?? {};
  return new Uint8Array(await encode({ width, height, looped: true, maxColors: 255, frames: images }));
}

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
    // The page's policy forbids the conditions that are waited for.
    bypassCSP: true,
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

const findReboot = (page: Page): Locator => page.getByRole('button', { name: /^Reboot / });

async function typeMessage(page: Page, text: string): Promise<void> {
  await findComposer(page).fill(text);
  await findComposer(page).press('Enter');
}

const findMessage = (page: Page, text: string): Locator => page.locator('.message').filter({ hasText: text });

const wideSize: PageSize = { width: 820, height: 560, deviceScaleFactor: 1.5 };
const phoneSize: PageSize = { width: 390, height: 700, deviceScaleFactor: 1.5 };

/** How long a frame of a change is shown. A shorter one would be missed, and the sandbox's real waits are long. */
const minFrameMs = 900;
const maxFrameMs = 2_200;
const lastFrameMs = 4_000;

/** Records pages of one size as frames of an animation. */
function createRecorder() {
  const frames: Frame[] = [];
  const capture = async (page: Page, delayMs: number) => {
    frames.push({ png: await page.screenshot({ caret: 'initial' }), delayMs });
  };
  return {
    capture,
    /** Types a command part by part, and shows the answer for a moment. */
    async type(page: Page, parts: readonly string[], answer: Locator) {
      for (const part of parts) {
        await findComposer(page).pressSequentially(part);
        await capture(page, 200);
      }
      await findComposer(page).press('Enter');
      await answer.waitFor();
      await capture(page, 2_200);
    },
    async click(page: Page, button: Locator) {
      await button.hover();
      await capture(page, 800);
      await button.click();
      await page.mouse.move(0, 0);
    },
    /** Captures each view of the page that differs from the previous one, until `lastMessage` is visible. */
    async captureChanges(page: Page, lastMessage: Locator) {
      const views: { readonly png: Buffer; readonly atMs: number }[] = [];
      for (let isOver = false; !isOver; ) {
        isOver = await lastMessage.isVisible();
        const png = await page.screenshot();
        if (!views.at(-1)?.png.equals(png)) views.push({ png, atMs: performance.now() });
      }
      for (const [index, { png, atMs }] of views.entries()) {
        const nextMs = views[index + 1]?.atMs ?? atMs + lastFrameMs;
        const delayMs = Math.min(Math.max(nextMs - atMs, minFrameMs), maxFrameMs);
        frames.push({ png, delayMs: index === views.length - 1 ? lastFrameMs : delayMs });
      }
    },
    write: async (path: string) => writeFile(path, await encodeGif(frames)),
  };
}

/** Shows a reboot from the first typed letter to the end, in one message that is edited. */
async function animateReboot(openPage: OpenPage, path: string): Promise<void> {
  const bob = await openPage('U0BOB');
  await typeMessage(bob, 'web-01 has been slow all day. Can someone reboot it?');
  const page = await openPage('U0ALICE', { ...wideSize, height: 500 });
  const recorder = createRecorder();
  await findMessage(page, 'web-01').waitFor();
  await page.mouse.move(0, 0);
  await recorder.capture(page, 1_200);
  await recorder.type(page, ['/', 'vp', 's ', 're', 'boo', 't ', 'web', '-01'], findReboot(page));
  await recorder.click(page, findReboot(page));
  await findComposer(page).focus();
  await recorder.captureChanges(page, findMessage(page, 'web-01 (VPS-10001) is running'));
  await recorder.write(path);
}

/** Shows an alert on a phone, from the moment before it, over its chart, to its acknowledgement. */
async function animateAlert(openPage: OpenPage, path: string, hostingUrl: string): Promise<void> {
  const alice = await openPage('U0ALICE');
  await typeMessage(alice, '/vps watch add web-02 cpu > 90% for 0m --notify @bob --escalate 15m @carol');
  await findMessage(alice, 'was added').waitFor();
  const page = await openPage('U0BOB', phoneSize);
  const recorder = createRecorder();
  await findComposer(page).waitFor();
  await recorder.capture(page, 1_200);
  const response = await fetch(`${hostingUrl}/sandbox/load`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ vps: 'VPS-10002', load: { cpu: 0.97 } }),
  });
  if (!response.ok) throw new Error(`the load could not be set: ${response.status}`);
  const button = page.getByRole('button', { name: 'Acknowledge' });
  await button.waitFor();
  await recorder.capture(page, 2_200);
  await page.waitForFunction('document.querySelector(".message img[alt*=CPU]")?.naturalWidth > 0');
  await button.scrollIntoViewIfNeeded();
  await recorder.capture(page, 3_000);
  await recorder.click(page, button);
  await recorder.captureChanges(page, findMessage(page, 'Acknowledged by'));
  await recorder.write(path);
}

/** Shows a reboot that needs a second person: Bob asks, and Alice approves. */
async function animateApproval(openPage: OpenPage, path: string): Promise<void> {
  const alice = await openPage('U0ALICE', wideSize);
  await typeMessage(alice, '/vps approval require reboot --channel #ops');
  await findMessage(alice, 'Approval is now required').waitFor();
  await alice.reload();
  const bob = await openPage('U0BOB', wideSize);
  const recorder = createRecorder();
  await recorder.type(bob, ['/vps ', 'reboot ', 'web-01'], findReboot(bob));
  await findReboot(bob).click();
  await bob.mouse.move(0, 0);
  const approve = alice.getByRole('button', { name: /^Approve/ }).last();
  await approve.waitFor();
  await recorder.capture(bob, 2_200);
  await recorder.capture(alice, 2_600);
  await recorder.click(alice, approve);
  await recorder.captureChanges(alice, findMessage(alice, 'web-01 (VPS-10001) is running'));
  await recorder.write(path);
}

/**
 * Shows a finished reboot, a confirmation card, a half-typed command, and the guide with its first
 * step ticked.
 */
async function screenshotSandbox(openPage: OpenPage, path: string): Promise<void> {
  const bob = await openPage('U0BOB');
  await typeMessage(bob, 'web-01 has been slow all day, and its log says nothing. Reboot it?');
  const page = await openPage('U0ALICE');
  await page.getByText(/^0 of \d done/).waitFor();
  await findMessage(page, 'web-01').waitFor();
  await typeMessage(page, '/vps reboot web-01');
  await findReboot(page).click();
  await findMessage(page, 'web-01 (VPS-10001) is running').waitFor();
  await page.getByText(/^1 of \d done/).waitFor();
  await typeMessage(page, '/vps reboot web-02');
  await findReboot(page).waitFor();
  await findComposer(page).pressSequentially('/');
  await page.getByRole('option', { name: /^\/vps/ }).waitFor();
  await page.mouse.move(0, 0);
  await page.screenshot({ path });
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
      await Promise.all(browser.contexts().map((context) => context.close()));
    } finally {
      await stack.close();
    }
  }
} finally {
  await browser.close();
}
