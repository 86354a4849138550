import { expect, test } from 'vitest';
import { setUpBlockKitPage } from './block-kit-fixture.ts';
import { table } from './page-samples.ts';

const { page, post } = setUpBlockKitPage();

test('a table that is wider than a phone has a shadow on the side of its hidden columns', async () => {
  await page().setViewportSize({ width: 390, height: 844 });
  await post([table]);
  const inTable = (expression: string) =>
    page().evaluate(`((table) => ${expression})(document.querySelector('.kit-table'))`);

  expect(await inTable('table.scrollWidth > table.clientWidth')).toBe(true);
  // The covers move with the columns, and the shadows below them stay.
  expect(await inTable('getComputedStyle(table).backgroundAttachment')).toBe('local, local, scroll, scroll');
});

test("the composer's hint is shown in full on a phone", async () => {
  await page().setViewportSize({ width: 390, height: 844 });
  const hint = page().locator('.composer-hint').first();
  await hint.waitFor();
  expect(
    await page().evaluate(
      `((hint) => hint.scrollWidth - hint.clientWidth)(document.querySelector('.composer-hint'))`,
    ),
  ).toBe(0);
});

test("a message's tools don't cover its headline in a narrow window", async () => {
  await page().setViewportSize({ width: 390, height: 844 });
  await post([{ type: 'header', text: { type: 'plain_text', text: 'The message before' } }]);
  const text = 'A headline that fills the whole width of the window';
  const message = await post([{ type: 'header', text: { type: 'plain_text', text } }]);
  await message.hover();
  const tools = await page().locator('.message:hover > .message-tools').boundingBox();
  const headline = await page().getByText(text).last().boundingBox();
  if (!tools || !headline) throw new Error('the tools or the headline are not shown');
  expect(tools.y + tools.height).toBeLessThanOrEqual(headline.y + 4);
});
