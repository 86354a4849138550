import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fullManifest, startSandbox } from '../harness.ts';
import { launchChromium } from './fixture/chromium.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slack-sandbox-fonts-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Writes a configuration with the fonts of this machine, except those with colors. */
async function writeFontsWithoutEmoji(): Promise<string> {
  const path = join(folder, 'fonts.conf');
  const colored = '<pattern><patelt name="color"><bool>true</bool></patelt></pattern>';
  await writeFile(
    path,
    `<fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><selectfont><rejectfont>${colored}</rejectfont></selectfont></fontconfig>`,
  );
  return path;
}

/** Script that counts the pixels of a picture that aren't gray. */
const countColoredScript = (url: string) => `(async () => {
  const image = await createImageBitmap(await (await fetch(${JSON.stringify(url)})).blob());
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  let colored = 0;
  for (let at = 0; at < data.length; at += 4) {
    const parts = data.subarray(at, at + 3);
    if (Math.max(...parts) - Math.min(...parts) > 80) colored += 1;
  }
  return colored;
})()`;

test('emoji are shown in color on a machine without an emoji font', async () => {
  const sandbox = await startSandbox({ manifest: fullManifest });
  const text = 'All :tada: 🟢 ⚠️ 👩‍💻 🇩🇪 1️⃣ well, 12 of 12';
  await sandbox.client().chat.postMessage({ channel: 'C0OPS', text });
  const browser = await launchChromium({ FONTCONFIG_FILE: await writeFontsWithoutEmoji() });
  try {
    const page = await browser.newPage();
    await page.goto(`${sandbox.url}/#T0ACME/U0ALICE/C0OPS`);
    const message = page.locator('.message', { hasText: 'well, 12 of 12' });
    await message.waitFor();
    const colors = await browser.newPage();
    const countColored = async () => {
      const picture = (await message.locator('.message-content').screenshot()).toString('base64');
      return colors.evaluate<number>(countColoredScript(`data:image/png;base64,${picture}`));
    };
    await expect.poll(countColored).toBeGreaterThan(300);
  } finally {
    await browser.close();
  }
});
