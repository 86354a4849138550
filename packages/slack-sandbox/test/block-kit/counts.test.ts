import { describe, expect, test } from 'vitest';
import { validateMessage, validateOptions, validateView } from '../../src/block-kit/validation/validate.ts';
import {
  actions,
  blocks,
  button,
  cell,
  input,
  inputElements,
  modal,
  options,
  plain,
  section,
} from './samples.ts';

const many = <T>(count: number, make: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => make(index));
const cells = (count: number) => many(count, () => cell());
const buttons = (count: number) => many(count, (index) => button({ action_id: `b${index}` }));
const trash = (index: number) => ({
  type: 'icon_button',
  icon: 'trash',
  text: plain('Delete'),
  action_id: `a${index}`,
});
const group = (count: number) => ({ label: plain('Up'), options: options(count) });
const selecting = (more: object) => input({ type: 'static_select', ...more });
const beside = (type: string, count: number) => section({ accessory: { type, options: options(count) } });
const chart = (chart: object) => ({ ...blocks.data_visualization, chart });
const points = (count: number) => many(count, (index) => ({ label: `p${index}`, value: index }));

function line(series: number, pointsEach: number) {
  const categories = many(pointsEach, (index) => `p${index}`);
  const data = points(pointsEach);
  return chart({
    type: 'line',
    series: many(series, (index) => ({ name: `s${index}`, data })),
    axis_config: { categories },
  });
}

type Row = [name: string, min: number, max: number, pointer: string, block: (count: number) => object];

const lists: Row[] = [
  ['actions', 1, 25, '/elements', (n) => actions(...buttons(n))],
  ['context elements', 1, 10, '/elements', (n) => ({ type: 'context', elements: many(n, () => plain('a')) })],
  ['context actions', 1, 5, '/elements', (n) => ({ type: 'context_actions', elements: many(n, trash) })],
  ['section fields', 1, 10, '/fields', (n) => section({ fields: many(n, () => plain('a')) })],
  ['buttons of a card', 1, 3, '/actions', (n) => ({ ...blocks.card, actions: buttons(n) })],
  [
    'cards of a carousel',
    1,
    10,
    '/elements',
    (n) => ({ type: 'carousel', elements: many(n, () => blocks.card) }),
  ],
  [
    'blocks of a container',
    1,
    10,
    '/child_blocks',
    (n) => ({ ...blocks.container, child_blocks: many(n, () => section()) }),
  ],
  ['options of a select', 1, 100, '/element/options', (n) => selecting({ options: options(n) })],
  [
    'groups of a select',
    1,
    100,
    '/element/option_groups',
    (n) => selecting({ option_groups: many(n, () => group(1)) }),
  ],
  [
    'options of a group',
    1,
    100,
    '/element/option_groups/0/options',
    (n) => selecting({ option_groups: [group(n)] }),
  ],
  ['options of an overflow menu', 1, 5, '/accessory/options', (n) => beside('overflow', n)],
  ['checkboxes', 1, 10, '/accessory/options', (n) => beside('checkboxes', n)],
  ['radio buttons', 1, 10, '/accessory/options', (n) => beside('radio_buttons', n)],
  ['rows of a table', 1, 100, '/rows', (n) => ({ type: 'table', rows: many(n, () => cells(1)) })],
  ['columns of a table', 1, 20, '/rows/0', (n) => ({ type: 'table', rows: [cells(n)] })],
  ['rows of a data table', 2, 201, '/rows', (n) => ({ ...blocks.data_table, rows: many(n, () => cells(1)) })],
  [
    'segments of a pie',
    1,
    12,
    '/chart/segments',
    (n) => chart({ type: 'pie', segments: many(n, () => ({ label: 'a', value: 1 })) }),
  ],
  ['series of a chart', 1, 12, '/chart/series', (n) => line(n, 1)],
  ['points of a series', 1, 20, '/chart/series/0/data', (n) => line(1, n)],
];

describe('a list in a block', () => {
  test.each(lists)('%s has %i to %i items', (_name, min, max, pointer, block) => {
    const check = (count: number) => validateMessage({ text: 'Fleet', blocks: [block(count)] });
    const at = `/blocks/0${pointer}`;

    expect([...check(min), ...check(max)]).toEqual([]);
    expect(check(max + 1)).toContainEqual({ pointer: at, message: `no more than ${max} items allowed` });
    expect(check(min - 1)).toContainEqual({ pointer: at, message: `must provide at least ${min} items` });
  });

  test.each([
    [
      'blocks of a message',
      50,
      '/blocks',
      (n: number) => validateMessage({ blocks: many(n, () => ({ type: 'divider' })) }),
    ],
    [
      'attachments',
      100,
      '/attachments',
      (n: number) => validateMessage({ attachments: many(n, () => ({ text: 'old' })) }),
    ],
    [
      'blocks of an attachment',
      50,
      '/attachments/0/blocks',
      (n: number) => validateMessage({ attachments: [{ blocks: many(n, () => section()) }] }),
    ],
    ['blocks of a modal', 100, '/view/blocks', (n: number) => validateView(modal(many(n, () => section())))],
    [
      'blocks of a home',
      100,
      '/view/blocks',
      (n: number) => validateView({ type: 'home', blocks: many(n, () => section()) }),
    ],
    [
      'column settings',
      20,
      '/blocks/0/column_settings',
      (n: number) => validateMessage({ blocks: [{ ...blocks.table, column_settings: many(n, () => null) }] }),
    ],
    ['options that an app answers', 100, '/options', (n: number) => validateOptions({ options: options(n) })],
  ])('%s number up to %i', (_name, max, pointer, check) => {
    expect(check(max)).toEqual([]);
    expect(check(max + 1)).toEqual([{ pointer, message: `no more than ${max} items allowed` }]);
  });
});

const inputting = (type: keyof typeof inputElements, more: object) =>
  input({ ...inputElements[type], ...more });

const numbers: Row[] = [
  ['header level', 1, 4, '/level', (n) => ({ ...blocks.header, level: n })],
  ['min_length', 0, 3000, '/element/min_length', (n) => input({ type: 'plain_text_input', min_length: n })],
  ['max_length', 1, 3000, '/element/max_length', (n) => inputting('plain_text_input', { max_length: n })],
  [
    'initial_date_time',
    1e9,
    9_999_999_999,
    '/element/initial_date_time',
    (n) => inputting('datetimepicker', { initial_date_time: n }),
  ],
  ['page_size', 1, 100, '/page_size', (n) => ({ ...blocks.data_table, page_size: n })],
];

describe('a number', () => {
  test.each(numbers)('%s is a whole number from %i to %i', (_name, min, max, pointer, block) => {
    const check = (value: number) => validateMessage({ text: 'Fleet', blocks: [block(value)] });
    const at = `/blocks/0${pointer}`;

    expect([...check(min), ...check(max)]).toEqual([]);
    expect(check(min - 1)).toEqual([{ pointer: at, message: `must be greater than or equal to ${min}` }]);
    expect(check(max + 1)).toEqual([{ pointer: at, message: `must be less than or equal to ${max}` }]);
    expect(check(min + 0.5)).toEqual([{ pointer: at, message: 'must provide an integer' }]);
  });

  test.each([
    ['max_files', 10, (n: number) => inputting('file_input', { max_files: n })],
    ['max_lines', 100, (n: number) => inputting('rich_text_input', { max_lines: n })],
  ])('%s of a modal is 1 to %i', (field, max, block) => {
    const pointer = `/view/blocks/0/element/${field}`;

    expect([...validateView(modal([block(1)])), ...validateView(modal([block(max)]))]).toEqual([]);
    expect(validateView(modal([block(0)]))).toEqual([
      { pointer, message: 'must be greater than or equal to 1' },
    ]);
    expect(validateView(modal([block(max + 1)]))).toEqual([
      { pointer, message: `must be less than or equal to ${max}` },
    ]);
  });

  test('max_selected_items is at least 1', () => {
    const check = (count: number) =>
      validateView(modal([inputting('multi_users_select', { max_selected_items: count })]));

    expect(check(1)).toEqual([]);
    expect(check(0)).toEqual([
      { pointer: '/view/blocks/0/element/max_selected_items', message: 'must be greater than or equal to 1' },
    ]);
  });
});
