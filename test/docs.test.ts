import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadFullCatalogue } from '../scripts/load-full-catalogue.ts';
import { renderOperationsPage } from '../scripts/render-operations-page.ts';
import { settingNames } from '../src/config.ts';
import { manifestPath } from './stack.ts';

const read = (path: string): string => readFileSync(path, 'utf8');

const pages = ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md')]
  // This page is generated from the sources, and compared by another test.
  .filter((path) => path !== 'docs/operations.md');

/** Names in code style in the first column of the tables of a page. */
function findTableNames(page: string, pattern: RegExp): string[] {
  return [...page.matchAll(/^\| `([^`]+)` \|/gm)].flatMap(([, name = '']) =>
    pattern.test(name) ? name : [],
  );
}

test('docs/settings.md explains each setting, and nothing else', () => {
  const names = findTableNames(read('docs/settings.md'), /^[A-Z]/).filter(
    (name) => !name.startsWith('SANDBOX_'),
  );
  expect(names.toSorted()).toEqual(settingNames.toSorted());
});

test('docs/install.md says why each Slack scope of the manifest is needed', () => {
  const { oauth_config } = z
    .object({ oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }) })
    .parse(parse(read(manifestPath)));
  const explained = findTableNames(read('docs/install.md'), /^([a-z_]+:[a-z]+|commands)$/);
  expect(explained.toSorted()).toEqual(oauth_config.scopes.bot.toSorted());
});

describe.each(pages)('%s', (path) => {
  const page = read(path);

  test('links to existing files', () => {
    const targets = [...page.matchAll(/(?:\]\(|src=")([^)"]+)[)"]/g)].map(([, target = '']) => target);
    const missing = targets
      .filter((target) => !/^(https?:|#)/.test(target))
      .filter((target) => !existsSync(join(dirname(path), target.replace(/#.*/, ''))));
    expect(missing).toEqual([]);
  });

  test('names existing source files', () => {
    const named = [...page.matchAll(/`((?:src|test|scripts|packages)\/[\w./-]+)`/g)];
    expect(named.map(([, file = '']) => file).filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('docs/internals/architecture.md', () => {
  const page = read('docs/internals/architecture.md');

  test('names only existing files, also in its diagrams', () => {
    const files = globSync('{src,test}/**/*.ts').map((path) => `/${path}`);
    const named = [...page.matchAll(/[\w./-]+\.ts\b/g)].map(([name]) => name);
    expect(named.length).toBeGreaterThan(40);
    expect(named.filter((name) => !files.some((file) => file.endsWith(`/${name}`)))).toEqual([]);
  });

  test('shows every folder of src except the sandbox', () => {
    const folders = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const undrawn = folders.filter(({ name }) => name !== 'sandbox' && !page.includes(`  ${name}["`));
    expect(undrawn.map(({ name }) => name)).toEqual([]);
  });
});

test('docs/operations.md matches the catalogue: `npm run docs` writes it', async () => {
  expect(read('docs/operations.md')).toBe(renderOperationsPage(await loadFullCatalogue()));
});
