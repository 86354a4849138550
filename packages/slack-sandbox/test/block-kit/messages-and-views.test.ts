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
  mrkdwnText,
  options,
  plain,
  richText,
  section,
  textElement,
} from './samples.ts';

const inMessage = (block: unknown) => validateMessage({ text: 'Fleet', blocks: [block] });
const inModal = (block: unknown) => validateView(modal([block]));

describe('IDs', () => {
  test('a block_id is unique in a message, including containers and attachments', () => {
    const named = section({ block_id: 'fleet' });
    const holder = { ...blocks.container, child_blocks: [named] };

    expect(validateMessage({ blocks: [named, holder], attachments: [{ blocks: [named] }] })).toEqual([
      { pointer: '/blocks/1/child_blocks/0/block_id', message: '`block_id` "fleet" already exists' },
      { pointer: '/attachments/0/blocks/0/block_id', message: '`block_id` "fleet" already exists' },
    ]);
  });

  test('an action_id is unique in a block, but not in a message', () => {
    expect(validateMessage({ blocks: [actions(button(), button()), actions(button())] })).toEqual([
      { pointer: '/blocks/0/elements/1/action_id', message: '`action_id` "reboot" already exists' },
    ]);
  });
});

describe('a message as a whole', () => {
  const filled = (chars: number) => section({ text: mrkdwnText('x'.repeat(chars)) });

  test('has up to 40,000 characters of text', () => {
    expect(validateMessage({ text: 'x'.repeat(40_000) })).toEqual([]);
    expect(validateMessage({ text: 'x'.repeat(40_001) })).toEqual([
      { pointer: '/text', message: 'must be less than 40001 characters', error: 'msg_too_long' },
    ]);
  });

  test('has up to 13,000 characters in all blocks together', () => {
    const first = [filled(3000), filled(3000), filled(3000), filled(3000)];

    expect(validateMessage({ blocks: [...first, filled(1000)] })).toEqual([]);
    expect(validateMessage({ blocks: [...first, filled(1001)] })).toEqual([
      { pointer: '/blocks', message: 'msg_blocks_too_long', error: 'msg_blocks_too_long' },
    ]);
  });

  test('has at most one table, at any depth', () => {
    const message = { blocks: [blocks.table, blocks.data_table], attachments: [{ blocks: [blocks.table] }] };

    expect(validateMessage({ blocks: [blocks.table] })).toEqual([]);
    expect(validateMessage(message).map(({ pointer, error }) => [pointer, error])).toEqual([
      ['/blocks/1', 'invalid_attachments'],
      ['/attachments/0/blocks/0', 'invalid_attachments'],
    ]);
  });

  test('has up to 10,000 characters in its table, in cells of any kind', () => {
    const table = (chars: number) => ({
      type: 'table',
      rows: [[cell('x'.repeat(5000)), richText(textElement('x'.repeat(chars)))]],
    });

    expect(inMessage(table(5000))).toEqual([]);
    expect(inMessage(table(5001))).toEqual([
      { pointer: '/blocks/0/rows', message: 'must be less than 10001 characters' },
    ]);
  });

  test('has up to 12,000 characters of Markdown', () => {
    const markdown = (chars: number) => ({ type: 'markdown', text: 'x'.repeat(chars) });

    expect(validateMessage({ blocks: [markdown(6000), markdown(6000)] })).toEqual([]);
    expect(validateMessage({ blocks: [markdown(6000), markdown(6001)] })).toEqual([
      { pointer: '/blocks/1/text', message: 'must be less than 12001 characters' },
    ]);
  });

  test('has at most two charts', () => {
    const chart = blocks.data_visualization;

    expect(validateMessage({ blocks: [chart, chart] })).toEqual([]);
    expect(validateMessage({ blocks: [chart, chart, chart] })).toEqual([
      { pointer: '/blocks/2', message: 'too many data_visualization blocks' },
    ]);
  });

  test('reports all its problems at once', () => {
    const problems = validateMessage({
      blocks: [{ type: 'header', text: plain('') }, { type: 'hero' }, actions()],
    });

    expect(problems.map(({ pointer }) => pointer)).toEqual([
      '/blocks/0/text/text',
      '/blocks/1/type',
      '/blocks/2/elements',
    ]);
  });

  test('has no menu with a response_url', () => {
    const menu = { type: 'channels_select', response_url_enabled: true };

    expect(inMessage(section({ accessory: menu }))).toEqual([
      {
        pointer: '/blocks/0/accessory/response_url_enabled',
        message: 'must be in an `input` block of a modal',
      },
    ]);
    expect(inModal(input(menu))).toEqual([]);
  });

  test('must be a list of blocks', () => {
    expect(validateMessage({ blocks: 'blocks' })).toEqual([
      { pointer: '/blocks', message: 'must provide an array' },
    ]);
    expect(validateMessage({ text: 'only text' })).toEqual([]);
  });
});

describe('a chart', () => {
  const line = (series: unknown[]) => ({
    ...blocks.data_visualization,
    chart: { type: 'line', series, axis_config: { categories: ['Mon', 'Tue'] } },
  });
  const points = (...labels: string[]) => labels.map((label) => ({ label, value: -1 }));

  test('has exactly one point for each category', () => {
    expect(inMessage(line([{ name: 'CPU', data: points('Tue', 'Mon') }]))).toEqual([]);
    expect(inMessage(line([{ name: 'CPU', data: points('Mon', 'Wed') }]))).toEqual([
      { pointer: '/blocks/0/chart/series/0/data', message: 'must have one point for each category' },
    ]);
  });

  test('has a different name for each series', () => {
    const twin = { name: 'CPU', data: points('Mon', 'Tue') };

    expect(inMessage(line([twin, twin]))).toEqual([
      { pointer: '/blocks/0/chart/series/1/name', message: '`name` "CPU" already exists' },
    ]);
  });
});

describe('a view as a whole', () => {
  test('a modal with an input must have a submit button', () => {
    const form = modal([section(), blocks.input], { submit: undefined });

    expect(validateView(form)).toEqual([
      { pointer: '/view/blocks/1', message: 'must define `submit` to use an `input` block in modals' },
    ]);
    expect(validateView(modal([section()], { submit: undefined }))).toEqual([]);
    expect(validateView({ type: 'home', blocks: [blocks.input] })).toEqual([]);
  });

  test('has at most one element that gets the focus', () => {
    const focused = (block_id: string) => ({ ...input(inputElements.users_select), block_id });

    expect(validateView(modal([focused('a')]))).toEqual([]);
    expect(validateView(modal([focused('a'), focused('b')]))).toEqual([
      {
        pointer: '/view/blocks/1/element/focus_on_load',
        message: 'only one element can be set to focus on load',
      },
    ]);
  });

  test('has up to 250,000 bytes', () => {
    const heavy = (count: number) =>
      modal(Array.from({ length: count }, () => section({ text: mrkdwnText('é'.repeat(1400)) })));

    expect(validateView(heavy(86))).toEqual([]);
    expect(validateView(heavy(88))).toEqual([
      { pointer: '/view', message: 'must be less than 250001 bytes', error: 'view_too_large' },
    ]);
  });

  test('rejects the fields that Slack added to it', () => {
    expect(validateView(modal([], { id: 'V0', hash: '1.a' }))).toEqual([
      { pointer: '/view', message: 'invalid additional property: id' },
      { pointer: '/view', message: 'invalid additional property: hash' },
    ]);
  });

  test('has a title if it is a modal, and none if it is a Home tab', () => {
    expect(validateView({ type: 'home', title: plain('Home'), blocks: [] })).toEqual([
      { pointer: '/view', message: 'invalid additional property: title' },
    ]);
    expect(validateView({ type: 'modal', blocks: [] })).toEqual([
      { pointer: '/view', message: 'missing required field: title' },
    ]);
  });

  test.each([
    [undefined, { pointer: '/view', message: 'must provide an object' }],
    ['modal', { pointer: '/view', message: 'must provide an object' }],
    [{}, { pointer: '/view', message: 'missing required field: type' }],
    [{ type: 'workflow_step' }, { pointer: '/view/type', message: 'unsupported type: workflow_step' }],
  ])('%j is not a view', (given, problem) => {
    expect(validateView(given)).toEqual([problem]);
  });
});

describe("an app's response to a select that asks for options", () => {
  test('has options, groups of options, or none', () => {
    expect(validateOptions({ options: [] })).toEqual([]);
    expect(validateOptions({ option_groups: [{ label: plain('Up'), options: options(2) }] })).toEqual([]);
  });

  test.each([
    [{}, { pointer: '', message: 'must define either `options` or `option_groups`' }],
    [
      { options: [{ text: plain('x') }] },
      { pointer: '/options/0', message: 'missing required field: value' },
    ],
    [{ options: 'all' }, { pointer: '/options', message: 'must provide an array' }],
  ])('%j is rejected', (given, problem) => {
    expect(validateOptions(given)).toEqual([problem]);
  });
});
