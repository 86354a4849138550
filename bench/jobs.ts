import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { launchChromium } from 'slack-sandbox/testing';
import { grantAll, startStack } from '../test/stack.ts';
import { printTable } from './statistics.ts';

/** A watch reads once a minute, and a snapshot takes up to a minute. */
const patienceMs = 180_000;

/**
 * Measures what ten frequent jobs cost a person in the sandbox's page: lines typed, clicks, and the
 * time from the first key to the end of the job. With `JOB_PICTURES`, it takes pictures into that folder.
 */
export async function benchJobs(): Promise<void> {
  const stack = await startStack({ workingNoticeMs: 500, grants: grantAll('operate', 'U0BOB') });
  const browser = await launchChromium();
  const rows: string[][] = [];
  const page = await open('U0ALICE');
  const bob = await open('U0BOB');

  async function open(user: string): Promise<Page> {
    const opened = await browser.newPage({
      viewport: { width: 1280, height: 800 },
      timezoneId: 'UTC',
      reducedMotion: 'reduce',
    });
    opened.setDefaultTimeout(patienceMs);
    await opened.goto(`${stack.slack.url}/#T0ACME/${user}/C0OPS`);
    await opened.getByRole('textbox', { name: /^Message / }).waitFor();
    await opened.getByRole('button', { name: 'Close workbench' }).click();
    return opened;
  }

  const find = (text: string | RegExp, on = page): Locator =>
    on.locator('.message').filter({ hasText: text }).last();

  async function measure(job: string, act: (person: ReturnType<typeof countActs>) => Promise<void>) {
    const person = countActs();
    const startMs = performance.now();
    await act(person);
    const seconds = ((performance.now() - startMs) / 1_000).toFixed(1);
    rows.push([job, `${person.counts.lines}`, `${person.counts.clicks}`, seconds]);
    await takePictures(job);
  }

  function countActs() {
    const counts = { lines: 0, clicks: 0 };
    return {
      counts,
      async type(text: string) {
        counts.lines += 1;
        const composer = page.getByRole('textbox', { name: /^Message / });
        await composer.fill(text);
        await composer.press('Enter');
      },
      async click(name: RegExp, on: Page | Locator = page) {
        counts.clicks += 1;
        await on.getByRole('button', { name }).last().click();
      },
    };
  }

  async function takePictures(job: string): Promise<void> {
    const folder = process.env.JOB_PICTURES;
    if (!folder) return;
    await mkdir(folder, { recursive: true });
    for (const width of [1280, 390])
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.setViewportSize({ width, height: 800 });
        await page.emulateMedia({ colorScheme });
        await page.screenshot({
          path: join(folder, `${job.replaceAll(/\W+/g, '-')}-${width}-${colorScheme}.png`),
        });
      }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.emulateMedia({ colorScheme: 'light' });
  }

  try {
    await stack.service.load('VPS-10004', { cpu: 0.97 });
    await stack.slack.slash('watch add cpu > 95% for 0m --name Busy');
    await measure('reboot by ID', async ({ type, click }) => {
      await type('/vps reboot VPS-10001');
      await click(/^Reboot.*VPS-10001/);
      await find(/web-01 \(VPS-10001\) is running/).waitFor();
    });
    await measure('reboot by hostname', async ({ type, click }) => {
      await type('/vps reboot web-02');
      await click(/^Reboot.*VPS-10002/);
      await find(/web-02 \(VPS-10002\) is running/).waitFor();
    });
    await measure('live figures', async ({ type }) => {
      await type('/vps live web-01');
      await find(/web-01 \(VPS-10001\) right now/).waitFor();
    });
    await measure('graph', async ({ type }) => {
      await type('/vps graph web-01 day');
      await find(/last day/)
        .locator('img')
        .first()
        .waitFor();
    });
    await measure('snapshot to its end', async ({ type }) => {
      await type('/vps snapshot create web-01 nightly');
      await find(/Take snapshot nightly of web-01.*Done/s).waitFor();
    });
    await measure('restore to its end', async (person) => {
      await person.type('/vps snapshot restore web-01 nightly');
      await person.click(/^Restore/);
      const typed = page.getByRole('dialog').getByRole('textbox').first();
      await typed.fill('VPS-10001');
      person.counts.lines += 1;
      await person.click(/^Restore/, page.getByRole('dialog'));
      await find(/Restore.*nightly.*Done/s).waitFor();
    });
    await measure('acknowledge', async ({ click }) => {
      await find(/Busy/)
        .getByRole('button', { name: /^Acknowledge/ })
        .waitFor();
      await click(/^Acknowledge/);
      await find(/[Aa]cknowledged/).waitFor();
    });
    await measure('SSH port and back', async ({ type, click }) => {
      await type('/vps ssh set web-01 2222');
      await click(/^Set Port/);
      await find(/SSH port of web-01 \(VPS-10001\) to 2222.*Done/s).waitFor();
      await click(/^Set SSH Port Back to 22/);
      await click(/^Set Port/);
      await find(/SSH port of web-01 \(VPS-10001\) to 22\b.*Done/s).waitFor();
    });
    await stack.slack.slash('approval require reboot --channel #ops');
    await measure('approve', async ({ type, click }) => {
      await type('/vps reboot api-01');
      await click(/^Reboot.*VPS-10003/);
      await bob
        .getByRole('button', { name: /^Approve Reboot/ })
        .last()
        .waitFor();
      await click(/^Approve Reboot/, bob);
      await find(/api-01 \(VPS-10003\) is running/).waitFor();
    });
    // Last, because it uses most of the quota of a minute.
    await measure('worst of the fleet', async ({ type }) => {
      await type('/vps report run --public');
      await find(/of 12 need a look/)
        .locator('img')
        .first()
        .waitFor();
    });
  } finally {
    printTable(['job', 'lines', 'clicks', 's'], rows);
    await browser.close();
    await stack.close();
  }
}
