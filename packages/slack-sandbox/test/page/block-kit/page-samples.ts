import {
  button,
  cell,
  confirm,
  input,
  inputElements,
  mrkdwnText,
  option,
  options,
  plain,
  textElement,
} from '../../block-kit/samples.ts';

type Fields = Record<string, unknown>;

/** Returns an image that doesn't need the network. */
export const imageBlock = (url: string) => ({
  type: 'image',
  image_url: `${url}/page/no-such-picture.png`,
  alt_text: 'CPU of VPS-10001 over a day: low, with a peak of 80% at noon',
});

const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const series = (name: string, values: readonly number[]) => ({
  name,
  data: values.map((value, index) => ({ label: days[index], value })),
});
export const chart = (type: string) => ({
  type: 'data_visualization',
  title: `CPU of the fleet (${type})`,
  chart: {
    type,
    series: [
      series('VPS-10001', [12, 18, 25, 60, 44, 9, 4]),
      series('VPS-10002', [32, 28, 35, 20, 24, 39, 41]),
      series('VPS-10003', [-4, 8, 15, 10, 9, 2, 0]),
    ],
    axis_config: { categories: days, x_label: 'Day', y_label: 'CPU, %' },
  },
});
export const pie = {
  type: 'data_visualization',
  title: 'Disks by size',
  chart: {
    type: 'pie',
    segments: [
      { label: 'System', value: 40 },
      { label: 'Data', value: 120 },
      { label: 'Snapshots', value: 62 },
      { label: 'Free', value: 4 },
    ],
  },
};

const words = (...texts: unknown[]) => ({ type: 'rich_text_section', elements: texts });
export const richText = {
  type: 'rich_text',
  elements: [
    words(
      textElement('Hello '),
      { type: 'user', user_id: 'U0ALICE' },
      textElement(' and '),
      { type: 'usergroup', usergroup_id: 'S0ONCALL' },
      textElement(' in '),
      { type: 'channel', channel_id: 'C0OPS' },
      textElement(', '),
      { type: 'broadcast', range: 'here' },
      textElement(': '),
      { type: 'text', text: 'bold', style: { bold: true } },
      textElement(' '),
      { type: 'text', text: 'italic', style: { italic: true } },
      textElement(' '),
      { type: 'text', text: 'struck', style: { strike: true } },
      textElement(' '),
      { type: 'text', text: 'code', style: { code: true } },
      textElement(' '),
      { type: 'text', text: 'underlined', style: { underline: true } },
      textElement(' '),
      { type: 'link', url: 'https://example.com', text: 'a link' },
      textElement(' '),
      { type: 'emoji', name: 'tada' },
      textElement(' '),
      { type: 'color', value: '#1b6b8f' },
      textElement(' '),
      { type: 'date', timestamp: 1_760_000_000, format: '{date_long} at {time}', fallback: 'once' },
    ),
    {
      type: 'rich_text_list',
      style: 'ordered',
      elements: [words(textElement('First')), words(textElement('Second'))],
    },
    {
      type: 'rich_text_list',
      style: 'bullet',
      indent: 1,
      elements: [words(textElement('Deeper')), words(textElement('Again'))],
    },
    { type: 'rich_text_list', style: 'ordered', elements: [words(textElement('Third'))] },
    { type: 'rich_text_quote', elements: [textElement('Quoted')] },
    { type: 'rich_text_preformatted', elements: [textElement('$ reboot\nok')] },
  ],
};

const names = ['VPS-10003', 'VPS-10001', 'VPS-10012', 'VPS-10002', 'VPS-10010', 'VPS-10004', 'VPS-10007'];
const number = (value: number, text = `${value}%`) => ({ type: 'raw_number', value, text });
export const dataTable = {
  type: 'data_table',
  caption: 'The fleet',
  page_size: 5,
  rows: [
    [cell('Name'), cell('State'), cell('CPU')],
    ...names.map((name, index) => [
      cell(name),
      cell(index % 3 === 0 ? 'stopped' : 'running'),
      number(index * 7),
    ]),
  ],
};
const rich = (...elements: unknown[]) => ({ type: 'rich_text', elements: [words(...elements)] });
export const table = {
  type: 'table',
  column_settings: [null, { align: 'center' }, { align: 'right' }, { is_wrapped: true }],
  rows: [
    ['Name', 'State', 'CPU', 'Notes'].map((text) => cell(text)),
    ...names.map((name, index) => [
      rich({ type: 'text', text: name, style: { bold: true } }),
      cell(index % 3 === 0 ? ':red_circle: stopped' : ':large_green_circle: running'),
      number(index * 7),
      cell(`Moved to another host in the night of July ${index + 1}, and quiet since then`),
    ]),
  ],
};

export const markdown = {
  type: 'markdown',
  text: [
    '## A report\n**Bold**, *italic*, ~~struck~~, `code`, [a link](https://example.com), <b>no HTML</b> :tada:',
    '1. First\n2. Second\n   - deeper\n\n- [x] Done\n- [ ] To do\n\n> Quoted\n\n```js\nconst a = 1;\n```',
    '---\n\n| Name | CPU |\n|---|---:|\n| VPS-10001 | 3% |\n| VPS-10002 | 12% |',
    '![A graph](https://example.com/graph.png)',
  ].join('\n\n'),
};

const cardOf = (url: string, index: number) => ({
  type: 'card',
  hero_image: imageBlock(url),
  title: mrkdwnText(`*VPS-1000${index}*`),
  subtitle: plain('Paris'),
  body: mrkdwnText('2 cores, 4 GB, _running_ for 12 days'),
  subtext: plain('Seen a minute ago'),
  actions: [button({ action_id: `card_${index}` })],
});

const task = (id: string, status: string, more: Fields = {}) => ({
  type: 'task_card',
  task_id: id,
  title: `Step ${id}`,
  status,
  ...more,
});

/** Returns messages that together contain every kind of block. */
export function allBlocksMessages(url: string): unknown[][] {
  return [
    [
      { type: 'header', text: plain('VPS-10001 :wave:') },
      {
        type: 'section',
        text: mrkdwnText(
          'It is *running* & <https://example.com|watched> by <@U0BOB>, see <#C0GENERAL>. `uptime`\n&gt; quoted\n```\n$ uptime\n12 days\n```',
        ),
        accessory: button({ text: plain('Reboot'), style: 'danger', confirm: confirm() }),
      },
      {
        type: 'section',
        fields: [
          mrkdwnText('*CPU*\n3%'),
          mrkdwnText('*Memory*\n1.2 of 4 GB'),
          plain('Plain *text*'),
          mrkdwnText('_Disk_\n80%'),
        ],
      },
      { type: 'section', text: mrkdwnText('With a picture'), accessory: imageBlock(url) },
      { type: 'divider' },
      {
        type: 'actions',
        elements: [
          button({ action_id: 'a', text: plain('Start'), style: 'primary' }),
          button({ action_id: 'b', text: plain('Stop'), style: 'danger' }),
          button({ action_id: 'c', text: plain('Docs'), url: 'https://example.com' }),
          { type: 'overflow', action_id: 'd', options: options(3) },
          { type: 'static_select', action_id: 'e', placeholder: plain('Period'), options: options(4) },
          { type: 'users_select', action_id: 'f', placeholder: plain('Owner'), initial_user: 'U0BOB' },
          {
            type: 'multi_static_select',
            action_id: 'g',
            options: options(4),
            initial_options: [option('0'), option('2')],
          },
          { type: 'datepicker', action_id: 'h', initial_date: '2026-11-21' },
          { type: 'timepicker', action_id: 'i', initial_time: '13:45', timezone: 'Europe/Paris' },
          { type: 'datetimepicker', action_id: 'j', initial_date_time: 1_760_000_000 },
          { type: 'checkboxes', action_id: 'k', options: options(2), initial_options: [option('1')] },
          { type: 'radio_buttons', action_id: 'l', options: options(2) },
        ],
      },
      { type: 'context', elements: [plain('Seen a minute ago'), mrkdwnText('by *nobody*'), imageBlock(url)] },
      {
        type: 'context_actions',
        elements: [
          {
            type: 'feedback_buttons',
            action_id: 'feedback',
            positive_button: { text: plain('Good'), value: 'good' },
            negative_button: { text: plain('Bad'), value: 'bad' },
          },
          { type: 'icon_button', action_id: 'delete', icon: 'trash', text: plain('Delete') },
        ],
      },
    ],
    [richText, table],
    [dataTable, chart('bar'), pie],
    [chart('line'), chart('area')],
    [
      markdown,
      { ...imageBlock(url), title: plain('CPU over a day') },
      {
        type: 'video',
        alt_text: 'A walk',
        title: plain('A walk'),
        thumbnail_url: imageBlock(url).image_url,
        video_url: 'https://example.com/v',
      },
    ],
    [
      cardOf(url, 1),
      { type: 'carousel', elements: [2, 3, 4, 5].map((index) => cardOf(url, index)) },
      {
        type: 'container',
        title: plain('The fleet'),
        subtitle: mrkdwnText('Twelve _servers_'),
        is_collapsible: true,
        child_blocks: [
          { type: 'section', text: mrkdwnText('Inside') },
          { type: 'actions', elements: [button({ action_id: 'inside' })] },
        ],
      },
      {
        type: 'container',
        title: plain('Fixed'),
        has_header_divider: true,
        child_blocks: [{ type: 'section', text: plain('Here') }],
      },
      {
        type: 'plan',
        title: 'Restart the fleet',
        tasks: [
          task('one', 'complete', {
            output: rich(textElement('12 servers')),
            sources: [{ type: 'url', url: 'https://example.com', text: 'Log' }],
          }),
          task('two', 'in_progress'),
          task('three', 'pending'),
          task('four', 'error', { details: rich(textElement('It did not answer')) }),
        ],
      },
    ],
  ];
}

/** Returns blocks with every kind of input, and an alert of each level. */
export function allInputsBlocks(): unknown[] {
  return [
    ...['default', 'info', 'warning', 'error', 'success'].map((level) => ({
      type: 'alert',
      level,
      text: mrkdwnText(`This is of level *${level}*`),
    })),
    ...Object.entries(inputElements).map(([type, element]) =>
      input(withoutFocus(element), {
        block_id: type,
        label: plain(type),
        hint: plain('A hint'),
        optional: true,
      }),
    ),
  ];
}

function withoutFocus(element: Fields): Fields {
  return { action_id: 'it', ...element, ...('focus_on_load' in element && { focus_on_load: false }) };
}
