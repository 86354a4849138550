import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { limits } from '../../../src/block-kit/limits.ts';
import { button, cell, input, mrkdwnText, options, plain } from '../../block-kit/samples.ts';
import { setUpBlockKitPage } from './block-kit-fixture.ts';
import {
  allBlocksMessages,
  allInputsBlocks,
  chart,
  dataTable,
  markdown,
  pie,
  richText,
  table,
} from './page-samples.ts';

const { page, received, url, post, open } = setUpBlockKitPage();

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="80" height="40"><rect width="80" height="40"/></svg>';

beforeEach(async () => {
  await page().route('**/no-such-picture.png', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: svg }),
  );
});

const textsOf = (rows: Locator) => rows.allInnerTexts();

describe('a table', () => {
  test('has the columns that the app set, and scrolls by keyboard', async () => {
    const message = await post([table]);

    expect(await message.getByRole('columnheader').count()).toBe(4);
    const cpu = message.getByRole('row').nth(1).getByRole('cell').nth(2);
    expect(await cpu.getAttribute('class')).toContain('kit-right');
    await message.getByRole('cell', { name: 'VPS-10003' }).locator('strong').waitFor();
    await message.getByRole('group', { name: 'Table' }).focus();
  });

  test('of data has pages, an order and a search', async () => {
    const message = await post([dataTable]);
    const names = () => textsOf(message.getByRole('rowheader'));
    await message.getByText('1–5 of 7').waitFor();
    expect(await names()).toEqual(['VPS-10003', 'VPS-10001', 'VPS-10012', 'VPS-10002', 'VPS-10010']);

    await message.getByRole('button', { name: 'Next page' }).click();
    expect(await names()).toEqual(['VPS-10004', 'VPS-10007']);
    await message.getByRole('button', { name: 'Name' }).click();
    expect((await names()).slice(0, 2)).toEqual(['VPS-10001', 'VPS-10002']);
    await message.getByRole('button', { name: 'CPU' }).click();
    await message.getByRole('button', { name: 'CPU' }).click();
    expect(await names()).toEqual(['VPS-10007', 'VPS-10004', 'VPS-10010', 'VPS-10002', 'VPS-10012']);
    const heading = message.getByRole('columnheader', { name: 'CPU' });
    expect(await heading.getAttribute('aria-sort')).toBe('descending');
    await message.getByRole('searchbox').fill('stopped 1000');
    expect(await names()).toEqual(['VPS-10007', 'VPS-10002', 'VPS-10003']);
    await message.getByRole('searchbox').fill('nobody');
    await message.getByText('No matching rows').waitFor();
  });
});

test.each([
  ['bar', chart('bar'), 'rect', 21],
  ['line', chart('line'), 'polyline', 3],
  ['area', chart('area'), 'polygon', 3],
  ['pie', pie, 'path', 4],
])('a %s chart is drawn with its name, and described as a table', async (kind, block, shape, count) => {
  const message = await post([block]);
  const drawing = message.getByRole('img', { name: `${block.title}: ${kind} chart` });

  expect(await drawing.locator(shape).count()).toBe(count);
  await message.getByText('Show as table').click();
  expect(await message.getByRole('table').getByRole('row').count()).toBe(kind === 'pie' ? 5 : 8);
});

test('rich text shows all its elements, and numbering continues after a nested list', async () => {
  const message = await post([richText]);

  expect(await message.locator('ol').last().getAttribute('start')).toBe('3');
  for (const tag of ['strong', 'em', 's', 'code', 'u', 'blockquote', 'pre'])
    expect(await message.locator(tag).first().count()).toBe(1);
  expect(await message.locator('.kit-mention').allInnerTexts()).toEqual([
    '@Alice Adams',
    '@on-call',
    '#ops',
    '@here',
  ]);
  await message.getByText('Thursday, October 9th, 2025 at 10:53 AM').waitFor();
  await message.getByRole('img', { name: 'tada' }).waitFor();
});

test('Markdown is rendered, and HTML in it is text', async () => {
  const message = await post([markdown]);

  await message.getByRole('heading', { name: 'A report' }).waitFor();
  expect(await message.locator('li').allInnerTexts()).toContain('First');
  expect(await message.locator('b').count()).toBe(0);
  await message.getByText('<b>no HTML</b>').waitFor();
  expect(await message.getByRole('checkbox').count()).toBe(2);
  expect(await message.getByRole('cell', { name: '12%' }).count()).toBe(1);
  expect(await message.getByRole('link', { name: 'A graph' }).getAttribute('href')).toBe(
    'https://example.com/graph.png',
  );
});

test('an image that cannot be loaded shows its description', async () => {
  await page().route('**/gone.png', (route) =>
    route.fulfill({ contentType: 'image/png', body: 'not a picture' }),
  );
  const gone = { type: 'image', image_url: `${url()}/gone.png`, alt_text: 'CPU over a day' };
  const message = await post([{ ...gone, title: plain('CPU') }]);

  await message.locator('.kit-picture-missing', { hasText: 'CPU over a day' }).waitFor();
  await message.getByText('CPU', { exact: true }).waitFor();
});

test('an unknown block shows its type and text, and a Slack file is loaded from the sandbox', async () => {
  const call = {
    type: 'call',
    block_id: 'call',
    call: { v1: { name: 'Standup', display: { title: 'At nine' } } },
  };
  const graph = { type: 'image', block_id: 'graph', slack_file: { id: 'F0GRAPH' }, alt_text: 'A graph' };
  await page().route('**/sandbox/messages?**', async (route) => {
    const answer = await (await route.fetch()).text();
    const given = JSON.stringify({ type: 'divider', block_id: 'swap' });
    await route.fulfill({ body: answer.replace(given, `${JSON.stringify(call)},${JSON.stringify(graph)}`) });
  });
  await page().route('**/files/F0GRAPH', (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: svg }),
  );
  // A request that the page sent before would bring the message as it was posted.
  await page().reload();
  await page()
    .getByRole('textbox', { name: /^Message / })
    .waitFor();

  const message = await post([{ type: 'divider', block_id: 'swap' }]);

  expect(await message.locator('.kit-placeholder').innerText()).toMatch(/call\s+Standup · At nine/);
  await message.getByRole('img', { name: 'A graph' }).waitFor();
  const width = () => page().evaluate<number>('document.querySelector(".kit-image-large").naturalWidth');
  await expect.poll(width).toBe(80);
});

test('older attachments show their fields and blocks', async () => {
  const attachments = [
    {
      color: 'danger',
      pretext: 'Before',
      author_name: 'Monitor',
      title: 'VPS-10001',
      title_link: 'https://example.com',
      text: 'It is *down*',
      fields: [{ title: 'CPU', value: '3%', short: true }],
      footer: 'Now',
    },
    { blocks: [{ type: 'section', text: mrkdwnText('A *block*') }] },
  ];
  const message = await post([], { attachments });

  for (const words of ['Before', 'Monitor', 'CPU', '3%', 'Now']) await message.getByText(words).waitFor();
  expect(await message.locator('strong').allInnerTexts()).toEqual(
    expect.arrayContaining(['down', 'CPU', 'block']),
  );
  await message.getByRole('link', { name: 'VPS-10001' }).waitFor();
});

describe('at its limits', () => {
  test('a message with as much as Slack allows is rendered completely', async () => {
    const row = {
      type: 'actions',
      elements: Array.from({ length: limits.actions.elements }, (_, index) =>
        button({ action_id: `b${index}` }),
      ),
    };
    const fields = Array.from({ length: limits.section.fields }, (_, index) =>
      mrkdwnText(`*Field ${index}*\n${'x'.repeat(100)}`),
    );
    const rows = Array.from({ length: limits.table.rows }, () =>
      Array.from({ length: limits.table.columns }, () => cell('1234')),
    );
    const full = [
      row,
      { type: 'section', fields },
      { type: 'section', text: mrkdwnText('w '.repeat(900)) },
      { type: 'context', elements: Array.from({ length: limits.context.elements }, () => plain('context')) },
      { type: 'table', rows: rows.slice(0, 80) },
      ...Array.from({ length: limits.message.blocks - 5 }, () => ({ type: 'divider' })),
    ];
    const message = await post(full);

    expect(await message.locator('.kit-block').count()).toBe(limits.message.blocks);
    expect(
      await page().evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
  });

  test('a form of a hundred inputs can be filled in and sent', async () => {
    const inputs = Array.from({ length: limits.view.blocks }, (_, index) =>
      input(
        index % 2 === 0
          ? { type: 'static_select', action_id: 'it', options: options(30) }
          : { type: 'plain_text_input', action_id: 'it' },
        { block_id: `b${index}`, label: plain(`Field ${index}.`), optional: true },
      ),
    );
    const modal = await open(inputs);
    const words = 'typed rather quickly';

    await modal.getByLabel('Field 99.').pressSequentially(words);
    await modal.getByLabel('Field 98.').fill('option 29');
    await page().keyboard.press('Enter');
    await modal.getByRole('button', { name: 'Send' }).click();

    await expect
      .poll(() => received.submissions.at(-1))
      .toMatchObject({ b99: { it: { value: words } }, b98: { it: { selected_option: { value: '29' } } } });
  });
});

const findings = z.array(
  z.object({ id: z.string(), impact: z.string().nullish(), nodes: z.array(z.object({ html: z.string() })) }),
);

/** Lists what axe finds that is serious or critical. */
async function seriousFindings() {
  const path = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
  // Evaluated instead of added as a tag, because the page's policy allows no other script.
  await page().evaluate(await readFile(path, 'utf8'));
  const all = findings.parse(await page().evaluate('axe.run(document).then(({ violations }) => violations)'));
  return all
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [id, ...nodes.slice(0, 5).map(({ html }) => html.slice(0, 200))]);
}

describe.each(['light', 'dark'] as const)('everything, in %s colors,', (colorScheme) => {
  beforeEach(() => page().emulateMedia({ colorScheme, reducedMotion: 'reduce' }));

  test('has no serious axe findings in messages, and is no wider than a phone', async () => {
    for (const blocks of allBlocksMessages(url())) {
      await post(blocks);
      // Slack accepts one message a second.
      await fetch(`${url()}/sandbox/clock`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ advance_ms: 2000 }),
      });
    }
    expect(await seriousFindings()).toEqual([]);
    await page().setViewportSize({ width: 390, height: 844 });
    expect(
      await page().evaluate<number>('document.documentElement.scrollWidth - innerWidth'),
    ).toBeLessThanOrEqual(0);
    const wide = await page().evaluate(`[...document.querySelectorAll('.kit-block')]
      .filter((block) => block.scrollWidth > block.clientWidth + 1).map((block) => block.className)`);
    expect(wide).toEqual([]);
  });

  test('has no serious axe findings in a form with an open menu', async () => {
    const modal = await open(allInputsBlocks());
    expect(await seriousFindings()).toEqual([]);

    await modal.getByRole('combobox', { name: /^static_select/ }).click();
    await page().getByRole('listbox').waitFor();
    expect(await seriousFindings()).toEqual([]);
  });
});
