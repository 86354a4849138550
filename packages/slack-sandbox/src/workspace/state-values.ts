import type { JsonObject } from '../json.ts';
import { listElements, type PlacedElement } from './elements.ts';

/** The values of a surface, in the form of Slack's `state.values`: by block ID, then by action ID. */
export type StateValues = Record<string, Record<string, JsonObject>>;

interface StateField {
  /** The field of `state.values` that contains the value. */
  readonly name: string;
  /** The element's field that contains the initial value. */
  readonly initialField: string;
  /** Whether the value is a list, which is empty at first. */
  readonly isList: boolean;
}

const singleValue = (name: string, initialField: string): StateField => ({
  name,
  initialField,
  isList: false,
});
const listValue = (name: string, initialField: string): StateField => ({
  name,
  initialField,
  isList: true,
});
const textValue = singleValue('value', 'initial_value');

/** All elements that store a value. Buttons and overflow menus don't. */
const stateFields: Readonly<Record<string, StateField>> = {
  plain_text_input: textValue,
  number_input: textValue,
  email_text_input: textValue,
  url_text_input: textValue,
  rich_text_input: singleValue('rich_text_value', 'initial_value'),
  static_select: singleValue('selected_option', 'initial_option'),
  external_select: singleValue('selected_option', 'initial_option'),
  users_select: singleValue('selected_user', 'initial_user'),
  conversations_select: singleValue('selected_conversation', 'initial_conversation'),
  channels_select: singleValue('selected_channel', 'initial_channel'),
  multi_static_select: listValue('selected_options', 'initial_options'),
  multi_external_select: listValue('selected_options', 'initial_options'),
  multi_users_select: listValue('selected_users', 'initial_users'),
  multi_conversations_select: listValue('selected_conversations', 'initial_conversations'),
  multi_channels_select: listValue('selected_channels', 'initial_channels'),
  radio_buttons: singleValue('selected_option', 'initial_option'),
  checkboxes: listValue('selected_options', 'initial_options'),
  datepicker: singleValue('selected_date', 'initial_date'),
  timepicker: singleValue('selected_time', 'initial_time'),
  datetimepicker: singleValue('selected_date_time', 'initial_date_time'),
  file_input: listValue('files', 'initial_files'),
};

/** Returns how an element stores its value, or undefined if it doesn't store one. */
export function findStateField(type: string): StateField | undefined {
  return stateFields[type];
}

/** Formats an element's value for `state.values`. The value can be empty. */
export function toState(type: string, value: unknown): JsonObject {
  const kind = stateFields[type];
  if (!kind) throw new Error(`A ${type} keeps no value`);
  return { type, [kind.name]: value ?? (kind.isList ? [] : null) };
}

/** Reads an element's value from `state.values`. Returns undefined if the value is empty. */
export function readValue(type: string, state: JsonObject | undefined): unknown {
  const kind = stateFields[type];
  return (kind && state?.[kind.name]) ?? undefined;
}

/**
 * Computes the values of a surface. A stored value is used if its block, action and element type
 * still exist. Otherwise the initial value is used. A stored value overrides a new initial value,
 * which is Slack's rule for `views.update`.
 */
export function resolveValues(blocks: unknown, kept: StateValues = {}): StateValues {
  // A Map can have any block ID as key, even `__proto__`.
  const values = new Map<string, StateValues[string]>();
  for (const placed of listElements(blocks)) {
    const kind = stateFields[placed.type];
    if (!kind) continue;
    const held = kept[placed.blockId]?.[placed.actionId];
    const state = held?.type === placed.type ? held : toState(placed.type, placed.element[kind.initialField]);
    values.set(placed.blockId, { ...values.get(placed.blockId), [placed.actionId]: state });
  }
  return Object.fromEntries(values);
}

/** Returns the values with one element's value replaced. */
export function withValue(
  values: StateValues,
  { blockId, actionId, type }: PlacedElement,
  value: unknown,
): StateValues {
  return { ...values, [blockId]: { ...values[blockId], [actionId]: toState(type, value) } };
}
