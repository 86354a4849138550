import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sources } from './sources.ts';

describe('the source tree', () => {
  test('files are short, including style sheets', () => {
    const sheets = globSync('{src,packages/*/src}/**/*.css').map((path) => ({
      path,
      text: readFileSync(path, 'utf8'),
    }));
    const files = [...sources, ...sheets]
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .toSorted((a, b) => a.lines - b.lines);
    expect(files.filter(({ lines }) => lines > 300)).toEqual([]);
    expect(files[Math.floor(files.length * 0.5)]?.lines).toBeLessThanOrEqual(80);
    expect(files[Math.floor(files.length * 0.9)]?.lines).toBeLessThanOrEqual(180);
  });

  test('files of tests are short', () => {
    const files = globSync('{test,packages/*/test}/**/*.{ts,tsx}').map((path) => ({
      path,
      lines: readFileSync(path, 'utf8').split('\n').length - 1,
    }));
    expect(files.length).toBeGreaterThan(300);
    expect(files.filter(({ lines }) => lines > 300)).toEqual([]);
  });

  test('no folder has more than 13 source files', () => {
    const paths = globSync('{src,test,packages/*/src,packages/*/test}/**/*.{ts,tsx,css}');
    const folders = Map.groupBy(paths, (path) => dirname(path));
    // Every change of the schema adds a migration.
    folders.delete('src/db/migrations');
    const crowded = [...folders].filter(([, files]) => files.length > 13).map(([folder]) => folder);
    expect(crowded).toEqual([]);
  });

  test('slack/ has eight folders and at most a dozen files beside them', () => {
    const entries = readdirSync('src/slack', { withFileTypes: true });
    expect(entries.filter((entry) => entry.isDirectory())).toHaveLength(8);
    expect(entries.filter((entry) => entry.isFile()).length).toBeLessThanOrEqual(12);
  });
});
