import { describe, expect, test } from 'vitest';
import { validateMessage, validateView } from '../../src/block-kit/validation/validate.ts';
import {
  actions,
  blocks,
  button,
  confirm,
  image,
  input,
  modal,
  mrkdwnText,
  option,
  options,
  plain,
  section,
} from './samples.ts';

const plainOf = (chars: number) => plain(long(chars));
const markedOf = (chars: number) => mrkdwnText(long(chars));
const pressing = (more: object) => actions(button({ ...more }));
const asking = (more: object) => pressing({ confirm: confirm({ ...more }) });
const offering = (more: object) =>
  section({ accessory: { type: 'static_select', options: [{ ...option(), ...more }] } });
const grouping = (more: object) => ({
  type: 'static_select',
  option_groups: [{ label: plain('Up'), options: options(1), ...more }],
});
const typing = (more: object) => input({ type: 'plain_text_input', ...more });
const pie = (more: object) => ({ type: 'pie', segments: [{ label: 'Up', value: 1, ...more }] });

function long(chars: number): string {
  return 'x'.repeat(chars);
}

type Row = [name: string, max: number, pointer: string, block: (chars: number) => object];

const ofBlocks: Row[] = [
  ['block_id', 255, '/block_id', (n) => ({ type: 'divider', block_id: long(n) })],
  ['action_id', 255, '/elements/0/action_id', (n) => pressing({ action_id: long(n) })],
  ['section text', 3000, '/text/text', (n) => section({ text: markedOf(n) })],
  ['section field', 2000, '/fields/1/text', (n) => section({ fields: [plain('a'), plainOf(n)] })],
  ['header text', 150, '/text/text', (n) => ({ type: 'header', text: plainOf(n) })],
  ['context text', 3000, '/elements/0/text', (n) => ({ type: 'context', elements: [markedOf(n)] })],
  ['markdown text', 12_000, '/text', (n) => ({ type: 'markdown', text: long(n) })],
  ['card title', 150, '/title/text', (n) => ({ type: 'card', title: markedOf(n) })],
  ['card subtitle', 150, '/subtitle/text', (n) => ({ ...blocks.card, subtitle: markedOf(n) })],
  ['card body', 200, '/body/text', (n) => ({ type: 'card', body: markedOf(n) })],
  ['container title', 150, '/title/text', (n) => ({ ...blocks.container, title: plainOf(n) })],
  ['container subtitle', 150, '/subtitle/text', (n) => ({ ...blocks.container, subtitle: plainOf(n) })],
  ['image alt_text', 2000, '/alt_text', (n) => ({ ...blocks.image, alt_text: long(n) })],
  ['image title', 2000, '/title/text', (n) => ({ ...blocks.image, title: plainOf(n) })],
  ['input label', 2000, '/label/text', (n) => ({ ...blocks.input, label: plainOf(n) })],
  ['input hint', 2000, '/hint/text', (n) => ({ ...blocks.input, hint: plainOf(n) })],
  ['video title', 199, '/title/text', (n) => ({ ...blocks.video, title: plainOf(n) })],
  ['video description', 199, '/description/text', (n) => ({ ...blocks.video, description: plainOf(n) })],
  ['video author', 49, '/author_name', (n) => ({ ...blocks.video, author_name: long(n) })],
  ['chart title', 50, '/title', (n) => ({ ...blocks.data_visualization, title: long(n) })],
  [
    'chart label',
    20,
    '/chart/segments/0/label',
    (n) => ({ ...blocks.data_visualization, chart: pie({ label: long(n) }) }),
  ],
  ['button text', 75, '/elements/0/text/text', (n) => pressing({ text: plainOf(n) })],
  ['button url', 3000, '/elements/0/url', (n) => pressing({ url: long(n) })],
  ['button label', 75, '/elements/0/accessibility_label', (n) => pressing({ accessibility_label: long(n) })],
  ['confirm title', 100, '/elements/0/confirm/title/text', (n) => asking({ title: plainOf(n) })],
  ['confirm text', 300, '/elements/0/confirm/text/text', (n) => asking({ text: markedOf(n) })],
  ['confirm button', 30, '/elements/0/confirm/confirm/text', (n) => asking({ confirm: plainOf(n) })],
  ['deny button', 30, '/elements/0/confirm/deny/text', (n) => asking({ deny: plainOf(n) })],
  ['placeholder', 150, '/element/placeholder/text', (n) => typing({ placeholder: plainOf(n) })],
  ['option text', 75, '/accessory/options/0/text/text', (n) => offering({ text: plainOf(n) })],
  ['option value', 150, '/accessory/options/0/value', (n) => offering({ value: long(n) })],
  [
    'option description',
    75,
    '/accessory/options/0/description/text',
    (n) => offering({ description: plainOf(n) }),
  ],
  ['group label', 75, '/element/option_groups/0/label/text', (n) => input(grouping({ label: plainOf(n) }))],
  [
    'option url',
    3000,
    '/elements/0/options/0/url',
    (n) => actions({ type: 'overflow', options: [{ ...option(), url: long(n) }] }),
  ],
];

describe('a text in a block', () => {
  test.each(ofBlocks)('%s has 1 to %i characters', (_name, max, pointer, block) => {
    const check = (chars: number) => validateMessage({ text: 'Fleet', blocks: [block(chars)] });
    const at = `/blocks/0${pointer}`;

    expect([...check(1), ...check(max)]).toEqual([]);
    expect(check(max + 1)).toEqual([{ pointer: at, message: `must be less than ${max + 1} characters` }]);
    expect(check(0)).toEqual([{ pointer: at, message: 'must be more than 0 characters' }]);
  });

  const orNone: Row[] = [
    ['button value', 2000, '/elements/0/value', (n) => pressing({ value: long(n) })],
    ['initial_value', 3000, '/element/initial_value', (n) => typing({ initial_value: long(n) })],
  ];

  test.each(orNone)('%s has up to %i characters and can be empty', (_name, max, pointer, block) => {
    const check = (chars: number) => validateMessage({ text: 'Fleet', blocks: [block(chars)] });

    expect([...check(0), ...check(max)]).toEqual([]);
    expect(check(max + 1)).toEqual([
      { pointer: `/blocks/0${pointer}`, message: `must be less than ${max + 1} characters` },
    ]);
  });

  test('an image_url has up to 3000 characters', () => {
    const check = (chars: number) =>
      validateMessage({ blocks: [{ ...image, image_url: `https://${long(chars - 8)}` }] });

    expect(check(3000)).toEqual([]);
    expect(check(3001)).toEqual([
      { pointer: '/blocks/0/image_url', message: 'must be less than 3001 characters' },
    ]);
  });
});

const ofViews: Row[] = [
  ['title', 24, '/title/text', (n) => ({ title: plainOf(n) })],
  ['submit', 24, '/submit/text', (n) => ({ submit: plainOf(n) })],
  ['close', 24, '/close/text', (n) => ({ close: plainOf(n) })],
  ['alert text', 200, '/blocks/0/text/text', (n) => ({ blocks: [{ type: 'alert', text: plainOf(n) }] })],
  ['private_metadata', 3000, '/private_metadata', (n) => ({ private_metadata: long(n) })],
  ['callback_id', 255, '/callback_id', (n) => ({ callback_id: long(n) })],
  ['external_id', 255, '/external_id', (n) => ({ external_id: long(n) })],
];

describe('a text in a view', () => {
  test.each(ofViews)('%s has up to %i characters', (_name, max, pointer, more) => {
    const check = (chars: number) => validateView(modal([], { ...more(chars) }));

    expect([...check(1), ...check(max)]).toEqual([]);
    expect(check(max + 1)).toEqual([
      { pointer: `/view${pointer}`, message: `must be less than ${max + 1} characters` },
    ]);
  });
});
