import fc from 'fast-check';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSlackSandbox } from '../../../src/sandbox/slack/sandbox.ts';
import { launchChromium } from '../../services/chromium.ts';
import { pageManifest } from './page-app.ts';

let sandbox: Awaited<ReturnType<typeof createSlackSandbox>>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  sandbox = await createSlackSandbox({ port: 0, manifest: pageManifest });
  browser = await launchChromium();
  page = await browser.newPage({ timezoneId: 'UTC' });
  await page.goto(sandbox.url);
});

afterAll(async () => {
  await browser?.close();
  await sandbox?.close();
});

interface Shown {
  readonly text: string;
  readonly tags: readonly string[];
  readonly links: readonly string[];
}

/** Shows markup as the page does, and answers its text, tags and link targets. */
function show(texts: readonly string[]): Promise<Shown[]> {
  return page.evaluate(`(async () => {
    const { mrkdwn } = await import('/page/client/mrkdwn.js');
    const names = { user: (id) => id, channel: (id) => id, group: (id) => id };
    return ${JSON.stringify(texts)}.map((text) => {
      const box = document.createElement('div');
      box.append(...mrkdwn(text, names));
      const all = [...box.querySelectorAll('*')];
      const links = all.map(({ href }) => href).filter(Boolean);
      return { text: box.textContent, tags: all.map(({ tagName }) => tagName), links };
    });
  })()`);
}

test.each([
  ['*bold* _italic_ ~struck~ `code`', 'bold italic struck code', ['STRONG', 'EM', 'S', 'CODE']],
  ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name', []],
  ['*bold with <https://example.com|a link>*', 'bold with a link', ['STRONG', 'A']],
  ['*bold _and italic_*, _so_', 'bold and italic, so', ['STRONG', 'EM', 'EM']],
  ['<@U1> in <#C1|ops> <!here>', '@U1 in #ops @here', ['SPAN', 'SPAN', 'SPAN']],
  ['&gt; quoted\nplain', 'quotedplain', ['BLOCKQUOTE']],
  ['a\nb', 'ab', ['BR']],
  ['`a *b* c`', 'a *b* c', ['CODE']],
  ['```\na <https://example.com|*b*>\n```', 'a *b*', ['PRE', 'A']],
  ['&lt;b&gt; &amp;amp;', '<b> &amp;', []],
  ['<mailto:a@example.com|a@example.com>', 'a@example.com', ['A']],
  ['<javascript:alert(1)|click>', 'click', []],
  ['<!date^0^{date_num} {time}|long ago>', '1970-01-01 12:00 AM', ['TIME']],
  ['<!date^never^{date_num}|long ago>', 'long ago', ['TIME']],
  [':white_check_mark: :unknown_one:', '✅ :unknown_one:', []],
])('%j is shown as %j', async (markup, text, tags) => {
  expect(await show([markup])).toEqual([expect.objectContaining({ text, tags })]);
});

test('markup of any kind makes only harmless elements and links', async () => {
  const pieces =
    '< > | @U1 #C1 !here !date^1^{time} https://a.io javascript:x data:x * _ ~ ` ``` &lt; &gt; word'.split(
      ' ',
    );
  const markup = fc
    .array(fc.constantFrom(...pieces, ' ', '\n', '<img src=x onerror=y>'), { maxLength: 14 })
    .map((some) => some.join(''));
  const harmless = ['A', 'BLOCKQUOTE', 'BR', 'CODE', 'EM', 'PRE', 'S', 'SPAN', 'STRONG', 'TIME'];

  const shown = await show(fc.sample(markup, 2000));

  expect(shown).toHaveLength(2000);
  expect(shown.flatMap(({ tags }) => tags).filter((tag) => !harmless.includes(tag))).toEqual([]);
  expect(shown.flatMap(({ links }) => links).filter((link) => !/^(https?|mailto):/.test(link))).toEqual([]);
});
