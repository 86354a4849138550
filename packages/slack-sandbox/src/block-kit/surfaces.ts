/** A place where blocks are shown. */
export type Surface = 'message' | 'modal' | 'home';

const everywhere: readonly Surface[] = ['message', 'modal', 'home'];
const messages: readonly Surface[] = ['message'];
const modals: readonly Surface[] = ['modal'];

/**
 * The surfaces of each block, from "Available in surfaces" on its page below
 * https://docs.slack.dev/reference/block-kit/blocks. Three blocks have fewer surfaces than
 * documented: `file` ("you can't add this block to app surfaces directly"), and `table` and
 * `data_table`, which clients don't show in Home tabs.
 */
export const blockSurfaces = {
  actions: everywhere,
  alert: modals,
  card: everywhere,
  carousel: ['message', 'home'],
  container: ['message', 'home'],
  context: everywhere,
  context_actions: messages,
  data_table: messages,
  data_visualization: messages,
  divider: everywhere,
  file: [],
  header: everywhere,
  image: everywhere,
  input: everywhere,
  markdown: messages,
  plan: messages,
  rich_text: everywhere,
  section: everywhere,
  table: messages,
  task_card: messages,
  video: everywhere,
} as const satisfies Record<string, readonly Surface[]>;

/**
 * The surfaces on which each element is supported in the blocks that accept it, from its page below
 * …/block-kit/block-elements.
 */
export const elementSurfaces = {
  button: everywhere,
  channels_select: everywhere,
  checkboxes: everywhere,
  conversations_select: everywhere,
  datepicker: everywhere,
  datetimepicker: ['message', 'modal'],
  email_text_input: modals,
  external_select: everywhere,
  feedback_buttons: messages,
  file_input: modals,
  icon_button: messages,
  image: everywhere,
  multi_channels_select: everywhere,
  multi_conversations_select: everywhere,
  multi_external_select: everywhere,
  multi_static_select: everywhere,
  multi_users_select: everywhere,
  number_input: modals,
  overflow: everywhere,
  plain_text_input: everywhere,
  radio_buttons: everywhere,
  rich_text_input: ['modal', 'home'],
  static_select: everywhere,
  timepicker: everywhere,
  url_text_input: modals,
  users_select: everywhere,
  workflow_button: messages,
} as const satisfies Record<string, readonly Surface[]>;
