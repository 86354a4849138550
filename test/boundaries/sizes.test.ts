import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('no file is longer than 500 lines', () => {
  const files = globSync('{src,test,bench,scripts,packages/*/{src,test}}/**/*.{ts,tsx,css}').map((path) => ({
    path,
    lines: readFileSync(path, 'utf8').split('\n').length - 1,
  }));
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter(({ lines }) => lines > 500)).toEqual([]);
});
