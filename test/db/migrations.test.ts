import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { expect, test } from 'vitest';
import { migrations } from '../../src/db/migrate.ts';

const names = Object.keys(migrations);

test('migrations are numbered from 0001 without a gap, so the next number always sorts last', () => {
  expect(names.map((name) => Number(name.slice(0, 4)))).toEqual(names.map((_, index) => index + 1));
  expect(names.filter((name) => !/^\d{4}_[a-z0-9_]+$/.test(name))).toEqual([]);
  const next = `${String(names.length + 1).padStart(4, '0')}_next`;
  expect([...names, next].sort().at(-1)).toBe(next);
});

test('every file in the migrations folder is listed under its own name', () => {
  const files = readdirSync(new URL('../../src/db/migrations', import.meta.url));
  expect(files.map((file) => basename(file, '.ts').replaceAll('-', '_')).sort()).toEqual([...names].sort());
});
