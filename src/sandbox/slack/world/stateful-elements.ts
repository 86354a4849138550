import type { JsonObject } from '../json.ts';
import { elementsOf, type PlacedElement } from './elements.ts';

/** Values of a surface, as Slack's `state.values`: by block, then by action. */
export type Values = Record<string, Record<string, JsonObject>>;

interface Kind {
  /** The field of `state.values` that holds what is chosen. */
  readonly field: string;
  /** The element's field that says what is chosen at first. */
  readonly initial: string;
  /** Whether it holds a list, empty at first. */
  readonly many: boolean;
}

const one = (field: string, initial: string): Kind => ({ field, initial, many: false });
const many = (field: string, initial: string): Kind => ({ field, initial, many: true });
const text = one('value', 'initial_value');

/** Every element that keeps a value; buttons and overflow menus do not. */
const kinds: Readonly<Record<string, Kind>> = {
  plain_text_input: text,
  number_input: text,
  email_text_input: text,
  url_text_input: text,
  rich_text_input: one('rich_text_value', 'initial_value'),
  static_select: one('selected_option', 'initial_option'),
  external_select: one('selected_option', 'initial_option'),
  users_select: one('selected_user', 'initial_user'),
  conversations_select: one('selected_conversation', 'initial_conversation'),
  channels_select: one('selected_channel', 'initial_channel'),
  multi_static_select: many('selected_options', 'initial_options'),
  multi_external_select: many('selected_options', 'initial_options'),
  multi_users_select: many('selected_users', 'initial_users'),
  multi_conversations_select: many('selected_conversations', 'initial_conversations'),
  multi_channels_select: many('selected_channels', 'initial_channels'),
  radio_buttons: one('selected_option', 'initial_option'),
  checkboxes: many('selected_options', 'initial_options'),
  datepicker: one('selected_date', 'initial_date'),
  timepicker: one('selected_time', 'initial_time'),
  datetimepicker: one('selected_date_time', 'initial_date_time'),
  file_input: many('files', 'initial_files'),
};

/** Tells how an element keeps its value; `undefined` where it keeps none. */
export function kindOf(type: string): Kind | undefined {
  return kinds[type];
}

/** What an element holds, empty or not, as `state.values` shows it. */
export function stateOf(type: string, value: unknown): JsonObject {
  const kind = kinds[type];
  if (!kind) throw new Error(`A ${type} keeps no value`);
  return { type, [kind.field]: value ?? (kind.many ? [] : null) };
}

/** Reads what an element holds from `state.values`; `undefined` for nothing. */
export function valueIn(type: string, state: JsonObject | undefined): unknown {
  const kind = kinds[type];
  return (kind && state?.[kind.field]) ?? undefined;
}

/**
 * Works out what a surface holds: kept values where block and action are the same and hold the same kind of element,
 * initial values elsewhere. That a kept value wins over a new initial one is Slack's rule for `views.update`.
 */
export function valuesOf(blocks: unknown, kept: Values = {}): Values {
  const values: Values = {};
  for (const placed of elementsOf(blocks)) {
    const kind = kinds[placed.type];
    if (!kind) continue;
    const held = kept[placed.blockId]?.[placed.actionId];
    const state = held?.type === placed.type ? held : stateOf(placed.type, placed.element[kind.initial]);
    values[placed.blockId] = { ...values[placed.blockId], [placed.actionId]: state };
  }
  return values;
}

/** Answers values with one element's changed. */
export function withValue(
  values: Values,
  { blockId, actionId, type }: PlacedElement,
  value: unknown,
): Values {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: stateOf(type, value) } };
}
