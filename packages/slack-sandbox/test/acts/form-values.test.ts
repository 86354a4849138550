import fc from 'fast-check';
import { expect, test } from 'vitest';
import { validateForm } from '../../src/acts/form-validation.ts';
import { toRichTextBlock } from '../../src/mrkdwn/rich-text-block.ts';
import { findStateField, resolveValues, toState } from '../../src/workspace/state-values.ts';

const types = [
  'plain_text_input',
  'static_select',
  'multi_users_select',
  'checkboxes',
  'datepicker',
  'button',
];

const inputs = fc.uniqueArray(
  fc.record({ block_id: fc.string({ minLength: 1 }), type: fc.constantFrom(...types) }),
  { selector: ({ block_id }) => block_id },
);

const blockOf = (block_id: string, element: object, extra: object = {}) => ({
  type: 'input',
  block_id,
  element: { action_id: 'value', ...element },
  ...extra,
});

test('every element with a value has exactly one, and an update with the same blocks keeps it', () => {
  fc.assert(
    fc.property(inputs, (chosen) => {
      const blocks = chosen.map(({ block_id, type }) => blockOf(block_id, { type }));
      const values = resolveValues(blocks);
      const keeping = chosen.filter(({ type }) => findStateField(type)).map(({ block_id }) => block_id);
      expect(Object.keys(values).toSorted()).toEqual(keeping.toSorted());
      expect(resolveValues(blocks, values)).toEqual(values);
    }),
  );
});

test('a value is dropped if its place gets an element of another kind', () => {
  const kept = { field: { value: toState('plain_text_input', 'typed') } };
  const blocks = [blockOf('field', { type: 'number_input', initial_value: '1' })];
  expect(resolveValues(blocks, kept)).toEqual({ field: { value: { type: 'number_input', value: '1' } } });
});

const errorOf = (element: { type: string; [field: string]: unknown }, value: string) =>
  validateForm([blockOf('field', element)], { field: { value: toState(element.type, value) } }).field;

test('a number is accepted exactly within its limits', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer(), fc.integer(), (value, min, max) => {
      const bounds = { min_value: String(min), max_value: String(max) };
      const error = errorOf({ type: 'number_input', ...bounds }, String(value));
      expect(error === undefined).toBe(value >= min && value <= max);
    }),
  );
});

test('a text is accepted exactly within its length limits', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.nat(20), fc.nat(20), (value, min_length, max_length) => {
      const error = errorOf({ type: 'plain_text_input', min_length, max_length }, value);
      expect(error === undefined).toBe(value.length >= min_length && value.length <= max_length);
    }),
  );
});

test('escaped text without marks and a rich text block read the same', () => {
  const chars = fc.constantFrom('a', 'é', '7', ' ', '.', '&', '<', '🙂');
  fc.assert(
    fc.property(fc.string({ unit: chars, minLength: 1 }), (text) => {
      const encoded = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      const section = { type: 'rich_text_section', elements: [{ type: 'text', text }] };
      expect(toRichTextBlock(encoded, 'id')).toEqual({
        type: 'rich_text',
        block_id: 'id',
        elements: [section],
      });
    }),
  );
});
