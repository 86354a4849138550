import { isObject, type JsonObject } from '../json.ts';
import { elementsOf, type PlacedElement } from '../world/elements.ts';
import { type Values, valueIn } from '../world/stateful-elements.ts';

/** Finds what Slack's own client refuses in a form, before anything reaches the app: by block id. */
export function formErrors(blocks: readonly JsonObject[], values: Values): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const placed of elementsOf(blocks)) {
    if (placed.block.type !== 'input') continue;
    const value = valueIn(placed.type, values[placed.blockId]?.[placed.actionId]);
    const error = isEmpty(value) ? missing(placed) : invalid(placed, value);
    if (error) errors[placed.blockId] = error;
  }
  return errors;
}

const isEmpty = (value: unknown) =>
  value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

function missing({ block }: PlacedElement): string | undefined {
  return block.optional === true ? undefined : 'Please complete this required field.';
}

function invalid({ type, element }: PlacedElement, value: unknown): string | undefined {
  if (Array.isArray(value)) return tooMany(element, value.length);
  if (typeof value !== 'string') return undefined;
  if (type === 'plain_text_input') return wrongLength(element, value);
  if (type === 'number_input') return wrongNumber(element, value);
  if (type === 'email_text_input' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)) {
    return 'Please enter a valid email address.';
  }
  if (type === 'url_text_input' && !isWebAddress(value)) return 'Please enter a valid URL.';
  return undefined;
}

function tooMany({ max_selected_items: max }: JsonObject, count: number): string | undefined {
  return typeof max === 'number' && count > max ? `Please select at most ${max} items.` : undefined;
}

/** Longest answer to a plain text input: docs.slack.dev/reference/block-kit/block-elements/plain-text-input-element. */
const maxAnswerChars = 3000;

function wrongLength({ min_length: min, max_length: max = maxAnswerChars }: JsonObject, value: string) {
  const { length } = value;
  if (typeof min === 'number' && length < min) return `Please enter at least ${min} characters.`;
  if (typeof max === 'number' && length > max) return `Please enter at most ${max} characters.`;
  return undefined;
}

function wrongNumber(element: JsonObject, value: string): string | undefined {
  const { min_value: min, max_value: max, is_decimal_allowed: isDecimal } = element;
  if (!/^-?\d+(\.\d+)?$/.test(value)) return 'Please enter a valid number.';
  if (isDecimal !== true && value.includes('.')) return 'Please enter a whole number.';
  if (typeof min === 'string' && Number(value) < Number(min))
    return `Please enter a number of at least ${min}.`;
  if (typeof max === 'string' && Number(value) > Number(max))
    return `Please enter a number of at most ${max}.`;
  return undefined;
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/** Tells whether an app's errors name only input blocks of the view, as they must. */
export function areErrorsFor(
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
