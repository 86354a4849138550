import fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { mrkdwnText, plain } from '../../block-kit/samples.ts';
import { setUpBlockKitPage } from './block-kit-fixture.ts';

const { page, post } = setUpBlockKitPage();

const shownTexts = z.array(
  z.object({ text: z.string(), tags: z.array(z.string()), links: z.array(z.string()) }),
);

/** Posts texts as sections. Returns how each was rendered: its text, its tags and its links. */
async function show(texts: readonly string[]): Promise<z.output<typeof shownTexts>> {
  const message = await post(
    texts.map((text) => ({ type: 'section', expand: true, text: mrkdwnText(text) })),
  );
  const ts = await message.getAttribute('data-ts');
  return shownTexts.parse(
    await page().evaluate(`[...document.querySelectorAll('[data-ts="${ts}"] .kit-section .kit-text')].map((box) => {
      const all = [...box.querySelectorAll('*')];
      const links = all.map(({ href }) => href).filter(Boolean);
      return { text: box.textContent, tags: all.map(({ tagName }) => tagName), links };
    })`),
  );
}

const examples: readonly (readonly [string, string, readonly string[]])[] = [
  ['*bold* _italic_ ~struck~ `code`', 'bold italic struck code', ['STRONG', 'EM', 'S', 'CODE']],
  ['*bold with <https://example.com|a link>*', 'bold with a link', ['STRONG', 'A']],
  ['<@U0BOB> in <#C0OPS|ops> <!here>', '@Bob Brown in #ops @here', ['BUTTON', 'BUTTON', 'SPAN']],
  ['<@U0NOBODY|nobody> <!subteam^S0ONCALL>', '@nobody @on-call', ['BUTTON', 'SPAN']],
  ['&gt; quoted\nplain', 'quotedplain', ['BLOCKQUOTE']],
  ['a\nb', 'ab', ['BR']],
  ['```\na <https://example.com|*b*>\n```', 'a *b*', ['PRE', 'A']],
  ['&lt;b&gt; &amp;amp;', '<b> &amp;', []],
  ['<mailto:a@example.com|a@example.com>', 'a@example.com', ['A']],
  ['<javascript:alert(1)|click>', 'click', []],
  // Alice's clock is in Europe/Berlin.
  ['<!date^0^{date_num} {time}|long ago>', '1970-01-01 1:00 AM', ['TIME']],
  ['<!date^never^{date_num}|long ago>', 'long ago', []],
  [':white_check_mark: :wave::skin-tone-3: :unknown_one:', '✅ 👋🏼 :unknown_one:', ['SPAN', 'SPAN']],
];

test('markup is rendered as its elements', async () => {
  const shown = await show(examples.map(([markup]) => markup));

  expect(shown.map(({ text, tags }) => [text, tags])).toEqual(examples.map(([, text, tags]) => [text, tags]));
});

test('a text without blocks is rendered with its markup', async () => {
  const message = await post([], { text: 'It is *down*, <@U0ALICE>: <https://example.com|look>' });

  await message.locator('strong', { hasText: 'down' }).waitFor();
  expect(await message.locator('.kit-mention-loud').innerText()).toBe('@Alice Adams');
  expect(await message.getByRole('link', { name: 'look' }).getAttribute('rel')).toBe('noopener noreferrer');
});

test('plain text has emoji and line breaks, but no markup', async () => {
  const message = await post([
    { type: 'section', text: plain('*so* <https://example.com>\n:tada:') },
    { type: 'section', text: { ...plain(':tada:'), emoji: false } },
  ]);

  await message.getByText('*so* <https://example.com>').waitFor();
  expect(await message.getByRole('img', { name: 'tada' }).count()).toBe(1);
  expect(await message.getByRole('link').count()).toBe(0);
});

test('any markup produces only harmless elements and links', async () => {
  const pieces =
    '< > | @U1 #C1 !here !date^1^{time} https://a.io javascript:x data:x * _ ~ ` ``` &lt; &gt; word'.split(
      ' ',
    );
  const markup = fc
    .array(fc.constantFrom(...pieces, ' ', '\n', '<img src=x onerror=y>'), { minLength: 1, maxLength: 14 })
    .map((some) => some.join(''));
  const harmless = ['A', 'BLOCKQUOTE', 'BR', 'BUTTON', 'CODE', 'EM', 'PRE', 'S', 'SPAN', 'STRONG', 'TIME'];
  const samples = fc.sample(markup, 200);

  const shown = [];
  for (let first = 0; first < samples.length; first += 50)
    shown.push(...(await show(samples.slice(first, first + 50))));

  expect(shown).toHaveLength(samples.length);
  expect(shown.flatMap(({ tags }) => tags).filter((tag) => !harmless.includes(tag))).toEqual([]);
  expect(shown.flatMap(({ links }) => links).filter((link) => !/^(https?|mailto):/.test(link))).toEqual([]);
});
