import { describe, expect, test } from 'vitest';
import { validateMessage, validateView } from '../../src/block-kit/validation/validate.ts';
import {
  actions,
  blocks,
  button,
  cell,
  confirm,
  image,
  input,
  modal,
  mrkdwnText,
  option,
  options,
  plain,
  richText,
  section,
  textElement,
} from './samples.ts';

const inMessage = (block: unknown) => validateMessage({ text: 'Fleet', blocks: [block] });
const inModal = (block: unknown) => validateView(modal([block]));

describe('a required field of a block', () => {
  test.each([
    ['a header without text', { type: 'header' }, '', 'text'],
    ['an actions block without elements', { type: 'actions' }, '', 'elements'],
    ['an image without alt_text', { type: 'image', image_url: image.image_url }, '', 'alt_text'],
    ['an input without a label', { type: 'input', element: { type: 'plain_text_input' } }, '', 'label'],
    ['an input without an element', { type: 'input', label: plain('Name') }, '', 'element'],
    ['a button without text', actions({ type: 'button' }), '/elements/0', 'text'],
    [
      'an option without a value',
      section({ accessory: { type: 'overflow', options: [{ text: plain('a') }] } }),
      '/accessory/options/0',
      'value',
    ],
    [
      'a confirmation without a title',
      actions(button({ confirm: confirm({ title: undefined }) })),
      '/elements/0/confirm',
      'title',
    ],
    ['a text without its type', section({ text: { text: 'x' } }), '/text', 'type'],
    [
      'a number cell without its value',
      { type: 'table', rows: [[{ type: 'raw_number', text: '3' }]] },
      '/rows/0/0',
      'value',
    ],
    [
      'a list without its style',
      { type: 'rich_text', elements: [{ type: 'rich_text_list', elements: [] }] },
      '/elements/0',
      'style',
    ],
    ['a table row of nothing', { type: 'table', rows: [[{}]] }, '/rows/0/0', 'type'],
  ])('%s is said to lack it', (_name, block, pointer, field) => {
    expect(inMessage(block)).toEqual([
      { pointer: `/blocks/0${pointer}`, message: `missing required field: ${field}` },
    ]);
  });

  test.each([
    ['a section with nothing to say', { type: 'section' }, '', 'must define either `text` or `fields`'],
    [
      'an image from nowhere',
      { type: 'image', alt_text: 'x' },
      '',
      'must define either `image_url` or `slack_file`',
    ],
    [
      'an image from two places',
      { ...image, slack_file: { id: 'F0' } },
      '',
      'must define either `image_url` or `slack_file`',
    ],
    [
      'a file by both address and id',
      { ...blocks.image, slack_file: { id: 'F0', url: 'https://x' } },
      '/slack_file',
      'must define either `url` or `id`',
    ],
    [
      'a select of nothing',
      section({ accessory: { type: 'static_select' } }),
      '/accessory',
      'must define either `options` or `option_groups`',
    ],
    [
      'a container without a title',
      { ...blocks.container, title: undefined },
      '',
      'must define either `title` or `rich_text_title`',
    ],
    [
      'a card of a subtitle only',
      { type: 'card', subtitle: plain('a') },
      '',
      'must define at least one of `hero_image`, `title`, `actions` or `body`',
    ],
    [
      'an empty filter',
      section({ accessory: { type: 'conversations_select', filter: {} } }),
      '/accessory/filter',
      'must define at least one filter',
    ],
  ])('%s cannot be left out', (_name, block, pointer, message) => {
    expect(inMessage(block)).toEqual([{ pointer: `/blocks/0${pointer}`, message }]);
  });
});

describe('a field of the wrong type', () => {
  test.each([
    [
      'markup in a header',
      { type: 'header', text: mrkdwnText('x') },
      '/text/type',
      'unsupported type: mrkdwn',
    ],
    [
      'markup on a button',
      actions(button({ text: mrkdwnText('x') })),
      '/elements/0/text/type',
      'unsupported type: mrkdwn',
    ],
    [
      'markup in an option of a select',
      section({ accessory: { type: 'static_select', options: [{ text: mrkdwnText('x'), value: 'a' }] } }),
      '/accessory/options/0/text/type',
      'unsupported type: mrkdwn',
    ],
    [
      'emoji with markup',
      section({ text: { ...mrkdwnText('x'), emoji: true } }),
      '/text',
      'invalid additional property: emoji',
    ],
    [
      'verbatim with plain text',
      section({ text: { ...plain('x'), verbatim: true } }),
      '/text',
      'invalid additional property: verbatim',
    ],
    [
      'a url on an option of a select',
      section({ accessory: { type: 'static_select', options: [{ ...option(), url: 'https://x' }] } }),
      '/accessory/options/0',
      'invalid additional property: url',
    ],
    [
      'an invented field',
      actions(button({ disabled: true })),
      '/elements/0',
      'invalid additional property: disabled',
    ],
    [
      'an invented style',
      actions(button({ style: 'green' })),
      '/elements/0/style',
      'must be a valid enum value',
    ],
    [
      'an invented icon',
      { type: 'context_actions', elements: [{ type: 'icon_button', icon: 'x', text: plain('x') }] },
      '/elements/0/icon',
      'must be a valid enum value',
    ],
    ['a text that is a string', section({ text: 'x' }), '/text', 'must provide an object'],
    [
      'a string that is a number',
      actions(button({ value: 1 })),
      '/elements/0/value',
      'must provide a string',
    ],
    ['a flag that is a string', { ...blocks.input, optional: 'yes' }, '/optional', 'must provide a boolean'],
    ['elements that are an object', { type: 'actions', elements: {} }, '/elements', 'must provide an array'],
    [
      'a picture that is no address',
      { ...image, image_url: 'graph.png' },
      '/image_url',
      'must be a valid URL',
    ],
    [
      'a date that does not exist',
      section({ accessory: { type: 'datepicker', initial_date: '2026-02-30' } }),
      '/accessory/initial_date',
      'must be a date in the format YYYY-MM-DD',
    ],
    [
      'a time past midnight',
      section({ accessory: { type: 'timepicker', initial_time: '24:00' } }),
      '/accessory/initial_time',
      'must be a time in the format HH:mm',
    ],
    [
      'a timezone that does not exist',
      section({ accessory: { type: 'timepicker', timezone: 'Mars/Base' } }),
      '/accessory/timezone',
      'must be a valid timezone',
    ],
    [
      'an empty cell',
      { type: 'table', rows: [[cell('')]] },
      '/rows/0/0/text',
      'must be more than 0 characters',
    ],
    [
      'an empty rich cell',
      { type: 'table', rows: [[{ ...richText(), elements: [] }]] },
      '/rows/0/0/elements',
      'must provide at least 1 items',
    ],
    [
      'a rich heading of a data table',
      { ...blocks.data_table, rows: [[richText()], [cell()]] },
      '/rows/0/0/type',
      'unsupported type: rich_text',
    ],
    [
      'a ragged data table',
      { ...blocks.data_table, rows: [[cell()], [cell(), cell()]] },
      '/rows/1',
      'must have as many cells as the first row',
    ],
    [
      'a row header that is no column',
      { ...blocks.data_table, row_header_column_index: 1 },
      '/row_header_column_index',
      'must be a column of the table',
    ],
    [
      'a style of rich text',
      richText({ ...textElement(), style: { big: true } }),
      '/elements/0/elements/0/style',
      'invalid additional property: big',
    ],
    [
      'a mention in preformatted text',
      {
        type: 'rich_text',
        elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'user', user_id: 'U0' }] }],
      },
      '/elements/0/elements/0/type',
      'unsupported type: user',
    ],
    [
      'an initial option not offered',
      section({ accessory: { type: 'static_select', options: options(2), initial_option: option('7') } }),
      '/accessory/initial_option',
      'must match one of the options',
    ],
    [
      'an initial box not offered',
      section({
        accessory: { type: 'checkboxes', options: options(2), initial_options: [option('0'), option('7')] },
      }),
      '/accessory/initial_options/1',
      'must match one of the options',
    ],
  ])('%s is refused where it stands', (_name, block, pointer, message) => {
    expect(inMessage(block)).toEqual([{ pointer: `/blocks/0${pointer}`, message }]);
  });

  test.each([
    ['min_value', { min_value: '9', max_value: '1' }, 'must be less than or equal to max_value'],
    ['initial_value', { min_value: '2', initial_value: '1' }, 'must be between min_value and max_value'],
    ['initial_value', { max_value: '2', initial_value: '3' }, 'must be between min_value and max_value'],
    ['max_value', { max_value: 'many' }, 'must be a valid number'],
    ['initial_value', { is_decimal_allowed: false, initial_value: '0.5' }, 'must be a whole number'],
  ])('a number input rejects a wrong %s', (field, more, message) => {
    const element = { type: 'number_input', is_decimal_allowed: true, ...more };

    expect(inModal(input(element))).toEqual([{ pointer: `/view/blocks/0/element/${field}`, message }]);
  });
});
