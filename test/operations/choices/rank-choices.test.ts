import { expect, test } from 'vitest';
import { rankChoices } from '../../../src/operations/choices/matching/rank-choices.ts';

const fleet = [
  { value: 'VPS-10001', text: 'web-01 (VPS-10001)', aliases: ['web-01.acme.example'], hint: '2001:db8::1' },
  { value: 'VPS-10003', text: 'mydb (VPS-10003)', aliases: ['mydb'], hint: '10.1.0.3 · Frankfurt' },
  { value: 'VPS-10006', text: 'db-02 (VPS-10006)', aliases: ['db-02.acme.example'], hint: '2001:db8::6' },
];

test.each([
  ['db', ['VPS-10006', 'VPS-10003']],
  ['DB-0', ['VPS-10006']],
  ['2001:db8::6', ['VPS-10006']],
  ['2001:db8', ['VPS-10001', 'VPS-10006']],
  ['10.1', ['VPS-10003']],
  ['2001', []],
  ['10003', ['VPS-10003']],
  ['frank', ['VPS-10003']],
  ['', ['VPS-10001', 'VPS-10003', 'VPS-10006']],
])('%s finds names first, and an address only if it looks like one', (typed, expected) => {
  expect(rankChoices(typed, fleet).map(({ value }) => value)).toEqual(expected);
});
