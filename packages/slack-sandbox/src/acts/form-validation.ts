import { isObject, type JsonObject } from '../json.ts';
import { listElements, type PlacedElement } from '../workspace/elements.ts';
import { readValue, type StateValues } from '../workspace/state-values.ts';

/**
 * Returns the errors, by block ID, that Slack's client finds in a form before anything is sent to
 * the app.
 */
export function validateForm(blocks: readonly JsonObject[], values: StateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const placed of listElements(blocks)) {
    if (placed.block.type !== 'input') continue;
    const value = readValue(placed.type, values[placed.blockId]?.[placed.actionId]);
    const error = isEmpty(value) ? missingError(placed) : valueError(placed, value);
    if (error) errors[placed.blockId] = error;
  }
  return errors;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function missingError({ block }: PlacedElement): string | undefined {
  return block.optional === true ? undefined : 'Please complete this required field.';
}

function valueError({ type, element }: PlacedElement, value: unknown): string | undefined {
  if (Array.isArray(value)) return itemCountError(element, value.length);
  if (typeof value !== 'string') return undefined;
  if (type === 'plain_text_input') return lengthError(element, value);
  if (type === 'number_input') return numberError(element, value);
  if (type === 'email_text_input' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
    return 'Please enter a valid email address.';
  }
  if (type === 'url_text_input' && !isHttpUrl(value)) return 'Please enter a valid URL.';
  return undefined;
}

function itemCountError({ type, max_selected_items, max_files }: JsonObject, count: number) {
  const max = type === 'file_input' ? (max_files ?? maxFiles) : max_selected_items;
  return typeof max === 'number' && count > max ? `Please select at most ${max} items.` : undefined;
}

/** From docs.slack.dev/reference/block-kit/block-elements/file-input-element. */
const maxFiles = 10;

/**
 * Maximum length of text in a plain text input
 * (docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element).
 */
const maxInputChars = 3000;

function lengthError({ min_length: min, max_length: max = maxInputChars }: JsonObject, value: string) {
  const { length } = value;
  if (typeof min === 'number' && length < min) return `Please enter at least ${min} characters.`;
  if (typeof max === 'number' && length > max) return `Please enter at most ${max} characters.`;
  return undefined;
}

function numberError(element: JsonObject, value: string): string | undefined {
  const { min_value: min, max_value: max, is_decimal_allowed: isDecimal } = element;
  if (!/^-?\d+(\.\d+)?$/.test(value)) return 'Please enter a valid number.';
  if (isDecimal !== true && value.includes('.')) return 'Please enter a whole number.';
  if (typeof min === 'string' && Number(value) < Number(min))
    return `Please enter a number of at least ${min}.`;
  if (typeof max === 'string' && Number(value) > Number(max))
    return `Please enter a number of at most ${max}.`;
  return undefined;
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Returns whether all errors that the app returned are for input blocks of the view, as Slack requires. */
export function areInputErrors(
  blocks: readonly JsonObject[],
  errors: unknown,
): errors is Record<string, string> {
  if (!isObject(errors)) return false;
  const inputs = new Set(blocks.filter(({ type }) => type === 'input').map((block) => block.block_id));
  const entries = Object.entries(errors);
  return (
    entries.length > 0 &&
    entries.every(([id, text]) => inputs.has(id) && typeof text === 'string' && text !== '')
  );
}
