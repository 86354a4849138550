import { describe, expect, test } from 'vitest';
import {
  isVpsSelected,
  listUnmatchedWords,
  vpsSelectionSchema,
  withOwnAliases,
} from '../../../src/monitoring/shared/vps-selection.ts';

const web = { name: 'VPS-10001', aliases: { full: ['Web-01.acme.example', 'Shop'], short: ['Web-01'] } };
const db = { name: 'VPS-10006', aliases: { full: ['db-02.acme.example'], short: ['db-02'] } };
const bare = { name: 'VPS-20001' };

const select = (selection: string) =>
  [web, db, bare].filter((vps) => isVpsSelected(selection, vps)).map(({ name }) => name);

describe('the VPS of a report or watch', () => {
  test.each([
    ['VPS-10001', ['VPS-10001']],
    ['VPS-100*', ['VPS-10001', 'VPS-10006']],
    ['web-*', ['VPS-10001']],
    ['shop db-02', ['VPS-10001', 'VPS-10006']],
    ['*.acme.example', ['VPS-10001', 'VPS-10006']],
    ['*01', ['VPS-10001', 'VPS-20001']],
    ['*', ['VPS-10001', 'VPS-10006', 'VPS-20001']],
    ['web', []],
  ])('are selected by %s', (selection, names) => {
    expect(select(selection)).toEqual(names);
  });

  test('can be given by any of their names, separated by spaces or commas', () => {
    expect(vpsSelectionSchema.parse('web-*, vps-10001,db-02 ')).toBe('web-* VPS-10001 db-02');
    expect(vpsSelectionSchema.parse('web-01 *')).toBe('*');
  });

  test.each(['<!channel>', 'VPS-', 'web 01/', 'a'.repeat(300)])("can't be given by %s", (text) => {
    expect(vpsSelectionSchema.safeParse(text).success).toBe(false);
  });

  test("that don't exist are reported", () => {
    expect(listUnmatchedWords('web-* mail-* VPS-9*', [web, db])).toEqual(['mail-*', 'VPS-9*']);
  });

  test('are never selected by an alias that looks like a VPS name', () => {
    expect(
      isVpsSelected('VPS-1*', { name: 'VPS-2', aliases: { full: ['vps-1.acme.example'], short: [] } }),
    ).toBe(false);
  });
});

describe('the aliases of a team', () => {
  const fleet = withOwnAliases(
    [web, db, bare],
    new Map([
      ['VPS-20001', 'db-02'],
      ['VPS-10001', 'front-1'],
    ]),
  );
  const selectNamed = (selection: string) =>
    fleet.filter((vps) => isVpsSelected(selection, vps)).map(({ name }) => name);

  test('select VPS, also by pattern', () => {
    expect(selectNamed('front-1')).toEqual(['VPS-10001']);
    expect(selectNamed('front-*')).toEqual(['VPS-10001']);
    expect(selectNamed('Web-01')).toEqual(['VPS-10001']);
  });

  test('win over the names that the service shows', () => {
    expect(selectNamed('db-02')).toEqual(['VPS-20001']);
    expect(selectNamed('db-02.acme.example')).toEqual(['VPS-10006']);
  });
});
