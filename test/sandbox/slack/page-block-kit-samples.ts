import {
  button,
  cell,
  confirm,
  input,
  inputElements,
  marked,
  option,
  options,
  plain,
  run,
} from './block-kit-samples.ts';

type Fields = Record<string, unknown>;

/** A picture that needs no network. */
export const picture = (url: string) => ({
  type: 'image',
  image_url: `${url}/page/no-such-picture.png`,
  alt_text: 'CPU of VPS-10001 over a day: low, with a peak of 80 % at noon',
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
      run('Hello '),
      { type: 'user', user_id: 'U0ALICE' },
      run(' and '),
      { type: 'usergroup', usergroup_id: 'S0ONCALL' },
      run(' in '),
      { type: 'channel', channel_id: 'C0OPS' },
      run(', '),
      { type: 'broadcast', range: 'here' },
      run(': '),
      { type: 'text', text: 'bold', style: { bold: true } },
      run(' '),
      { type: 'text', text: 'italic', style: { italic: true } },
      run(' '),
      { type: 'text', text: 'struck', style: { strike: true } },
      run(' '),
      { type: 'text', text: 'code', style: { code: true } },
      run(' '),
      { type: 'text', text: 'underlined', style: { underline: true } },
      run(' '),
      { type: 'link', url: 'https://example.com', text: 'a link' },
      run(' '),
      { type: 'emoji', name: 'tada' },
      run(' '),
      { type: 'color', value: '#1b6b8f' },
      run(' '),
      { type: 'date', timestamp: 1_760_000_000, format: '{date_long} at {time}', fallback: 'once' },
    ),
    { type: 'rich_text_list', style: 'ordered', elements: [words(run('First')), words(run('Second'))] },
    {
      type: 'rich_text_list',
      style: 'bullet',
      indent: 1,
      elements: [words(run('Deeper')), words(run('Again'))],
    },
    { type: 'rich_text_list', style: 'ordered', elements: [words(run('Third'))] },
    { type: 'rich_text_quote', elements: [run('Quoted')] },
    { type: 'rich_text_preformatted', elements: [run('$ reboot\nok')] },
  ],
};

const names = ['VPS-10003', 'VPS-10001', 'VPS-10012', 'VPS-10002', 'VPS-10010', 'VPS-10004', 'VPS-10007'];
const number = (value: number, text = `${value} %`) => ({ type: 'raw_number', value, text });
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
    '---\n\n| Name | CPU |\n|---|---:|\n| VPS-10001 | 3 % |\n| VPS-10002 | 12 % |',
    '![A graph](https://example.com/graph.png)',
  ].join('\n\n'),
};

const cardOf = (url: string, index: number) => ({
  type: 'card',
  hero_image: picture(url),
  title: marked(`*VPS-1000${index}*`),
  subtitle: plain('Paris'),
  body: marked('2 cores, 4 GB, _running_ for 12 days'),
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

/** Messages that hold every block between them. */
export function sinkMessages(url: string): unknown[][] {
  return [
    [
      { type: 'header', text: plain('VPS-10001 :wave:') },
      {
        type: 'section',
        text: marked(
          'It is *running* & <https://example.com|watched> by <@U0BOB>, see <#C0GENERAL>. `uptime`\n&gt; quoted\n```\n$ uptime\n12 days\n```',
        ),
        accessory: button({ text: plain('Reboot'), style: 'danger', confirm: confirm() }),
      },
      {
        type: 'section',
        fields: [
          marked('*CPU*\n3 %'),
          marked('*Memory*\n1.2 of 4 GB'),
          plain('Plain *text*'),
          marked('_Disk_\n80 %'),
        ],
      },
      { type: 'section', text: marked('With a picture'), accessory: picture(url) },
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
      { type: 'context', elements: [plain('Seen a minute ago'), marked('by *nobody*'), picture(url)] },
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
      { ...picture(url), title: plain('CPU over a day') },
      {
        type: 'video',
        alt_text: 'A walk',
        title: plain('A walk'),
        thumbnail_url: picture(url).image_url,
        video_url: 'https://example.com/v',
      },
    ],
    [
      cardOf(url, 1),
      { type: 'carousel', elements: [2, 3, 4, 5].map((index) => cardOf(url, index)) },
      {
        type: 'container',
        title: plain('The fleet'),
        subtitle: marked('Twelve _servers_'),
        is_collapsible: true,
        child_blocks: [
          { type: 'section', text: marked('Inside') },
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
            output: rich(run('12 servers')),
            sources: [{ type: 'url', url: 'https://example.com', text: 'Log' }],
          }),
          task('two', 'in_progress'),
          task('three', 'pending'),
          task('four', 'error', { details: rich(run('It did not answer')) }),
        ],
      },
    ],
  ];
}

/** Every input, and an alert of each level. */
export function sinkForm(): unknown[] {
  return [
    ...['default', 'info', 'warning', 'error', 'success'].map((level) => ({
      type: 'alert',
      level,
      text: marked(`This is of level *${level}*`),
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
