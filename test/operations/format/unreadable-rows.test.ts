import { expect, test } from 'vitest';
import {
  countUnreadable,
  describeUnreadable,
} from '../../../src/operations/format/unreadable/unreadable-rows.ts';

const words = { one: 'watch', many: 'watches' };

test('a list that has all rows mentions none', () => {
  const rows = { names: ['Good'], readable: [{ name: 'Good' }], ...words };
  expect(describeUnreadable(rows)).toEqual({ notes: [] });
  expect(countUnreadable(rows)).toEqual({ notes: [] });
});

test('several unreadable rows are named or counted', () => {
  const rows = { names: ['A', 'B', 'Good'], readable: [{ name: 'Good' }], ...words };
  expect(describeUnreadable(rows)).toEqual({
    title: "2 watches can't be read",
    notes: ["This version of Rackhand can't read the watches A and B. The log says why."],
  });
  expect(countUnreadable(rows).notes).toEqual([
    "This version of Rackhand can't read 2 watches. The log says why.",
  ]);
});
