export const plain = (text: string) => ({ type: 'plain_text' as const, text });
export const marked = (text: string) => ({ type: 'mrkdwn' as const, text });

export const fleet = ['VPS-10001', 'VPS-10002', 'VPS-20001'];

const confirm = {
  title: plain('Reboot VPS-10001?'),
  text: marked('It is *running*.'),
  confirm: plain('Reboot Now'),
  deny: plain('Keep Running'),
  style: 'danger' as const,
};

export const card = [
  { type: 'header' as const, text: plain('VPS-10001') },
  {
    type: 'section' as const,
    text: marked('It is *running* & <https://example.com|watched>'),
    fields: [marked('*CPU*\n3 %')],
  },
  {
    type: 'table' as const,
    rows: [
      [
        { type: 'raw_text' as const, text: 'Name' },
        { type: 'raw_text' as const, text: 'CPU' },
      ],
      [
        { type: 'raw_text' as const, text: '<b>VPS-10001</b>' },
        { type: 'raw_text' as const, text: '3 %' },
      ],
    ],
  },
  {
    type: 'actions' as const,
    elements: [
      {
        type: 'button' as const,
        action_id: 'reboot',
        text: plain('Reboot'),
        style: 'danger' as const,
        confirm,
      },
      { type: 'overflow' as const, action_id: 'more', options: [{ text: plain('Mute'), value: 'mute' }] },
      {
        type: 'static_select' as const,
        action_id: 'period',
        placeholder: plain('Period'),
        options: ['hour', 'day'].map((period) => ({ text: plain(period), value: period })),
      },
    ],
  },
];

const modes = ['simple', 'balanced'].map((mode) => ({ text: plain(mode), value: mode }));

/** A form whose choice of a mode is sent at once; the balanced mode says more. */
export function form(mode = 'simple') {
  const note = {
    type: 'section' as const,
    block_id: 'note',
    text: marked('It is spread over *several* VPS.'),
  };
  return {
    type: 'modal' as const,
    callback_id: 'form',
    title: plain('New domain'),
    submit: plain('Create'),
    blocks: [
      {
        type: 'input' as const,
        block_id: 'domain',
        label: plain('Domain'),
        hint: plain('Without https://'),
        element: { type: 'plain_text_input' as const, action_id: 'value' },
      },
      {
        type: 'input' as const,
        block_id: 'vps',
        label: plain('VPS'),
        element: { type: 'external_select' as const, action_id: 'pick', min_query_length: 0 },
      },
      {
        type: 'input' as const,
        block_id: 'how',
        label: plain('Mode'),
        optional: true,
        dispatch_action: true,
        element: { type: 'static_select' as const, action_id: 'mode', options: modes },
      },
      ...(mode === 'balanced' ? [note] : []),
      {
        type: 'actions' as const,
        block_id: 'steps',
        elements: [{ type: 'button' as const, action_id: 'explain', text: plain('Explain') }],
      },
    ],
  };
}

/** What stands above the form, and leads deeper still. */
export const explanation = {
  type: 'modal' as const,
  title: plain('About domains'),
  blocks: [
    { type: 'section' as const, text: marked('A domain points at a VPS.') },
    {
      type: 'actions' as const,
      elements: [{ type: 'button' as const, action_id: 'deeper', text: plain('Go Deeper') }],
    },
  ],
};

const options = ['red', 'green', 'blue'].map((color) => ({ text: plain(color), value: color }));

const inputs = {
  Number: { type: 'number_input' as const, is_decimal_allowed: false },
  Email: { type: 'email_text_input' as const },
  Address: { type: 'url_text_input' as const },
  Text: { type: 'plain_text_input' as const, multiline: true },
  Rich: { type: 'rich_text_input' as const, action_id: 'rich' },
  Day: { type: 'datepicker' as const },
  Time: { type: 'timepicker' as const },
  Moment: { type: 'datetimepicker' as const },
  Person: { type: 'users_select' as const },
  Channels: { type: 'multi_channels_select' as const },
  Colors: { type: 'multi_static_select' as const, options, initial_options: options.slice(0, 1) },
  Boxes: { type: 'checkboxes' as const, options },
  Choice: { type: 'radio_buttons' as const, options },
};

/** A form with an input of every common kind. */
export const kinds = {
  type: 'modal' as const,
  callback_id: 'kinds',
  title: plain('All kinds'),
  submit: plain('Send'),
  blocks: Object.entries(inputs).map(([label, element]) => ({
    type: 'input' as const,
    label: plain(label),
    optional: true,
    element,
  })),
};
