import type { Surface } from '../../src/block-kit/surfaces.ts';

type Fields = Record<string, unknown>;

export const plain = (text: string) => ({ type: 'plain_text', text });
export const mrkdwnText = (text: string) => ({ type: 'mrkdwn', text });
export const option = (value = 'a') => ({ text: plain(`Option ${value}`), value });
export const options = (count: number) => Array.from({ length: count }, (_, index) => option(String(index)));
export const textElement = (text = 'words') => ({ type: 'text', text });
export const richText = (...elements: unknown[]) => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: elements.length > 0 ? elements : [textElement()] }],
});
export const cell = (text = 'x') => ({ type: 'raw_text', text });
export const button = (more: Fields = {}) => ({
  type: 'button',
  text: plain('Reboot'),
  action_id: 'reboot',
  ...more,
});
export const section = (more: Fields = {}) => ({ type: 'section', text: mrkdwnText('Ready'), ...more });
export const actions = (...elements: unknown[]) => ({ type: 'actions', elements });
export const input = (element: Fields, more: Fields = {}) => ({
  type: 'input',
  label: plain('Target'),
  element,
  ...more,
});
export const confirm = (more: Fields = {}) => ({
  title: plain('Sure?'),
  text: mrkdwnText('This *stops* it'),
  confirm: plain('Stop'),
  deny: plain('Keep'),
  ...more,
});
export const image = { type: 'image', image_url: 'https://example.com/a.png', alt_text: 'A graph' };
const card = { type: 'card', title: mrkdwnText('VPS-10001'), actions: [button()] };
const task = { type: 'task_card', task_id: 't1', title: 'Reboot', status: 'complete', details: richText() };
const series = [{ name: 'CPU', data: [{ label: 'Mon', value: 3 }] }];

/** A valid example of each block. */
export const blocks = {
  actions: actions(button()),
  alert: { type: 'alert', text: mrkdwnText('Careful'), level: 'warning' },
  card: {
    ...card,
    icon: image,
    subtitle: mrkdwnText('Paris'),
    body: plain('Up'),
    subtext: plain('for 3 days'),
  },
  carousel: { type: 'carousel', elements: [card] },
  container: {
    type: 'container',
    title: plain('Fleet'),
    child_blocks: [section(), { type: 'divider' }],
    width: 'wide',
  },
  context: { type: 'context', elements: [plain('now'), mrkdwnText('_then_'), image] },
  context_actions: {
    type: 'context_actions',
    elements: [{ type: 'icon_button', icon: 'trash', text: plain('Delete'), action_id: 'delete' }],
  },
  data_table: {
    type: 'data_table',
    caption: 'Fleet',
    rows: [[cell('Name')], [cell('VPS-10001')]],
    page_size: 10,
  },
  data_visualization: {
    type: 'data_visualization',
    title: 'CPU',
    chart: { type: 'line', series, axis_config: { categories: ['Mon'], x_label: 'Day' } },
  },
  divider: { type: 'divider' },
  file: { type: 'file', external_id: 'ABCD1', source: 'remote' },
  header: { type: 'header', text: plain('Fleet'), level: 2 },
  image: { type: 'image', slack_file: { id: 'F0GRAPH' }, alt_text: 'CPU over a day', title: plain('CPU') },
  input: input({ type: 'plain_text_input', action_id: 'name' }, { hint: plain('VPS-…'), optional: true }),
  markdown: { type: 'markdown', text: '**bold**' },
  plan: {
    type: 'plan',
    title: 'Restart',
    tasks: [task, { task_id: 't2', title: 'Check', status: 'pending' }],
  },
  rich_text: richText(textElement(), { type: 'user', user_id: 'U0ALICE' }, { type: 'emoji', name: 'wave' }),
  section: section({ fields: [mrkdwnText('*CPU*'), plain('3%')], expand: true, accessory: button() }),
  table: {
    type: 'table',
    rows: [
      [cell('VPS'), richText()],
      [cell('a'), { type: 'raw_number', value: 3, text: '3%' }],
    ],
    column_settings: [null, { align: 'right', is_wrapped: true }],
  },
  task_card: { ...task, sources: [{ type: 'url', url: 'https://example.com', text: 'Log' }] },
  video: {
    type: 'video',
    alt_text: 'A walk',
    title: plain('A walk'),
    thumbnail_url: 'https://example.com/a.png',
    video_url: 'https://example.com/v',
  },
} satisfies Record<string, Fields>;

const menu = { action_id: 'pick', placeholder: plain('Pick one'), confirm: confirm(), focus_on_load: true };
const inputFields = {
  action_id: 'typed',
  placeholder: plain('…'),
  dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
};

/** A valid example of each element that an input block accepts. */
export const inputElements = {
  channels_select: { type: 'channels_select', ...menu, initial_channel: 'C0OPS' },
  checkboxes: { type: 'checkboxes', options: options(2), initial_options: [option('1')] },
  conversations_select: { type: 'conversations_select', ...menu, filter: { include: ['public'] } },
  datepicker: { type: 'datepicker', initial_date: '2026-02-28', placeholder: plain('When') },
  datetimepicker: { type: 'datetimepicker', initial_date_time: 1_628_633_820 },
  email_text_input: { type: 'email_text_input', ...inputFields, initial_value: 'a@example.com' },
  external_select: { type: 'external_select', ...menu, min_query_length: 0, initial_option: option() },
  file_input: { type: 'file_input', filetypes: ['png'], max_files: 10 },
  multi_channels_select: { type: 'multi_channels_select', ...menu, max_selected_items: 1 },
  multi_conversations_select: {
    type: 'multi_conversations_select',
    ...menu,
    default_to_current_conversation: true,
  },
  multi_external_select: { type: 'multi_external_select', ...menu, initial_options: [option()] },
  multi_static_select: {
    type: 'multi_static_select',
    ...menu,
    options: options(2),
    initial_options: [option('0')],
  },
  multi_users_select: { type: 'multi_users_select', ...menu, initial_users: ['U0ALICE'] },
  number_input: {
    type: 'number_input',
    ...inputFields,
    is_decimal_allowed: true,
    min_value: '-1',
    max_value: '9.5',
    initial_value: '0',
  },
  plain_text_input: {
    type: 'plain_text_input',
    ...inputFields,
    multiline: true,
    min_length: 0,
    max_length: 3000,
  },
  radio_buttons: { type: 'radio_buttons', options: [{ ...option(), description: mrkdwnText('_slow_') }] },
  rich_text_input: {
    type: 'rich_text_input',
    ...inputFields,
    initial_value: richText(),
    min_lines: 1,
    max_lines: 100,
  },
  static_select: {
    type: 'static_select',
    ...menu,
    option_groups: [{ label: plain('Up'), options: options(2) }],
  },
  timepicker: { type: 'timepicker', initial_time: '23:59', timezone: 'Europe/Paris' },
  url_text_input: { type: 'url_text_input', ...inputFields, initial_value: 'https://example.com' },
  users_select: { type: 'users_select', ...menu, initial_user: 'U0ALICE' },
} satisfies Record<string, Fields>;

export function modal(blocks: readonly unknown[], more: Fields = {}) {
  return { type: 'modal', title: plain('Reboot'), submit: plain('Go'), blocks, ...more };
}

export const surfaces: readonly Surface[] = ['message', 'modal', 'home'];
