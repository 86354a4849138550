import { describe, expect, test } from 'vitest';
import { addDuplicates, findUnreadParts } from '../../../../src/hosting/profile/payload/unread-parts.ts';

describe('the unread parts of a value', () => {
  test.each<[string, unknown, unknown[], unknown]>([
    ['nothing if the records have it all', { a: 1, b: { c: ['x'] } }, [{ a: 1 }, { c: 'x' }], undefined],
    [
      'a field with the same value as another',
      { user: 'api', password: 'api' },
      [{ user: 'api' }],
      { password: 'api' },
    ],
    ['a field with another value', [{ id: 1, size: 2 }], [{ id: 1, size: 3 }], [{ size: 2 }]],
    ['entries of a list', { list: ['a', 'b'] }, [{ os: 'a' }], { list: ['b'] }],
    ['no field that is named like its value', { 'debian-13': 'debian-13' }, [{ os: 'debian-13' }], undefined],
    ['nothing empty', { a: null, b: '', c: [], d: {} }, [], undefined],
    ['numbers apart from text', { a: 1 }, [{ a: '1' }], { a: 1 }],
  ])('are %s', (_, value, records, unread) => {
    expect(findUnreadParts(value, records)).toEqual(unread);
  });
});

test('with duplicates overwrite no field', () => {
  expect(addDuplicates({ a: 1 }, undefined)).toEqual({ a: 1 });
  expect(addDuplicates({ a: 1 }, [2])).toEqual({ a: 1, duplicates: [2] });
  expect(addDuplicates({ duplicates: 1 }, [2])).toEqual({ others: { duplicates: 1 }, duplicates: [2] });
});
