import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Problem,
  validateMessage,
  validateOptions,
  validateView,
} from '../../src/block-kit/validation/validate.ts';
import { blocks, input, inputElements, modal, section } from './samples.ts';

const samples = [...Object.values(blocks), ...Object.values(inputElements).map((element) => input(element))];

/** A valid block, in which one place is given another value. */
const damaged = fc
  .tuple(fc.constantFrom(...samples), fc.nat(), fc.jsonValue())
  .map(([sample, place, value]) => replaceAt(structuredClone(sample), place, value));

function replaceAt(root: unknown, place: number, value: unknown): unknown {
  const places: (() => void)[] = [];
  const open = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== 'object' || node === null) continue;
    for (const [key, inner] of Object.entries(node)) {
      const owner = node;
      places.push(() => Object.assign(owner, { [key]: value }));
      open.push(inner);
    }
  }
  places[place % places.length]?.();
  return root;
}

function resolves(root: unknown, pointer: string): boolean {
  let node = root;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return false;
    node = Object.entries(node).find(([name]) => name === key)?.[1];
  }
  return true;
}

function lost(root: unknown, problems: readonly Problem[]): string[] {
  return problems.map(({ pointer }) => pointer).filter((pointer) => !resolves(root, pointer));
}

test('any JSON is checked as a message, a view or options without throwing', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(Array.isArray(validateView(value))).toBe(true);
      expect(Array.isArray(validateOptions(value))).toBe(true);
      expect(Array.isArray(validateMessage({ text: value, blocks: value, attachments: value }))).toBe(true);
    }),
  );
});

test('every problem of a damaged message names an existing place in it', () => {
  fc.assert(
    fc.property(fc.array(damaged, { maxLength: 4 }), fc.array(damaged, { maxLength: 2 }), (some, others) => {
      const message = { text: 'Fleet', blocks: some, attachments: [{ blocks: others }] };

      expect(lost(message, validateMessage(message))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('every problem of a damaged view names an existing place in it', () => {
  fc.assert(
    fc.property(fc.array(damaged, { maxLength: 4 }), fc.boolean(), (some, isModal) => {
      const view = isModal ? modal(some) : { type: 'home', blocks: some };

      expect(lost({ view }, validateView(view))).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('a deeply nested value is rejected without exhausting the stack', () => {
  const deep = Array.from({ length: 100_000 }).reduce<unknown>((inner) => [inner], 'bottom');

  expect(validateMessage({ blocks: [section({ fields: deep })] })).toEqual([
    { pointer: '/blocks/0/fields/0', message: 'must provide an object' },
  ]);
});
