import { globSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Which folders each folder is allowed to import. Imports point one way. */
const allowedImports: Record<string, readonly string[]> = {
  'errors.ts': [],
  'with-timeout.ts': ['errors.ts'],
  'refreshing-cache.ts': ['with-timeout.ts'],
  'ttl-cache.ts': [],
  'format-list.ts': [],
  'csv.ts': [],
  tracing: ['errors.ts', 'package.json'],
  time: [],
  jobs: ['db'],
  charts: ['time'],
  hosting: ['errors.ts', 'with-timeout.ts', 'format-list.ts', 'tracing'],
  db: ['errors.ts', 'format-list.ts', 'hosting'],
  operations: ['errors.ts', 'with-timeout.ts', 'format-list.ts', 'charts', 'hosting'],
  runs: ['errors.ts', 'with-timeout.ts', 'format-list.ts', 'tracing', 'jobs', 'hosting', 'db', 'operations'],
  auth: ['errors.ts', 'format-list.ts', 'time', 'hosting', 'db', 'operations', 'runs'],
  audit: [
    'errors.ts',
    'csv.ts',
    'format-list.ts',
    'time',
    'jobs',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
  ],
  workspaces: [
    'errors.ts',
    'refreshing-cache.ts',
    'format-list.ts',
    'time',
    'jobs',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
    'audit',
  ],
  'monitoring/shared': [
    'errors.ts',
    'format-list.ts',
    'time',
    'jobs',
    'charts',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
  ],
  'monitoring/reports': [
    'errors.ts',
    'ttl-cache.ts',
    'with-timeout.ts',
    'format-list.ts',
    'csv.ts',
    'time',
    'jobs',
    'charts',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
    'monitoring/shared',
  ],
  'monitoring/maintenance': [
    'errors.ts',
    'time',
    'jobs',
    'db',
    'operations',
    'runs',
    'auth',
    'monitoring/shared',
  ],
  'monitoring/watches': [
    'errors.ts',
    'time',
    'jobs',
    'charts',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
    'monitoring/shared',
  ],
  'monitoring/overview': [
    'operations',
    'monitoring/shared',
    'monitoring/reports',
    'monitoring/maintenance',
    'monitoring/watches',
  ],
  schedules: [
    'errors.ts',
    'format-list.ts',
    'time',
    'jobs',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
    'monitoring/shared',
    'monitoring/reports',
  ],
  personal: ['errors.ts', 'time', 'jobs', 'db', 'operations', 'runs', 'monitoring/shared'],
  config: ['hosting'],
  'config.ts': ['errors.ts', 'config', 'hosting'],
  'logger.ts': ['errors.ts', 'config.ts'],
  http: ['errors.ts', 'package.json', 'with-timeout.ts'],
  slack: [
    'errors.ts',
    'tracing',
    'ttl-cache.ts',
    'with-timeout.ts',
    'config.ts',
    'charts',
    'hosting',
    'operations',
    'runs',
    'auth',
    'audit',
    'workspaces',
    'personal',
    'monitoring/shared',
    'monitoring/reports',
    'monitoring/watches',
    'monitoring/overview',
    'schedules',
    'http',
  ],
  app: [
    'errors.ts',
    'tracing',
    'config.ts',
    'time',
    'jobs',
    'charts',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
    'audit',
    'workspaces',
    'personal',
    'monitoring/shared',
    'monitoring/reports',
    'monitoring/watches',
    'monitoring/overview',
    'monitoring/maintenance',
    'schedules',
    'http',
    'slack',
  ],
  'app.ts': [
    'config.ts',
    'jobs',
    'hosting',
    'db',
    'operations',
    'runs',
    'auth',
    'workspaces',
    'schedules',
    'http',
    'slack',
    'app',
  ],
  'start.ts': ['errors.ts', 'config.ts', 'logger.ts', 'app.ts', 'slack'],
  'main.ts': ['start.ts'],
  'packages/slack-sandbox': ['packages/slack-sandbox/src/page-kit'],
  'packages/slack-sandbox/src/page-kit': [],
  'sandbox/hosting': ['errors.ts', 'hosting', 'packages/slack-sandbox/src/page-kit'],
  sandbox: [
    'config.ts',
    'logger.ts',
    'app.ts',
    'slack',
    'db',
    'sandbox/hosting',
    'packages/slack-sandbox',
    'jobs',
  ],
};

interface Source {
  /** From the root of the repository. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** The package's exports, such as `./page-kit`, with their files. */
const slackSandboxExports: Readonly<Record<string, string>> = JSON.parse(
  readFileSync('packages/slack-sandbox/package.json', 'utf8'),
).exports;

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;

const sources: readonly Source[] = globSync('{src,packages/*/src}/**/*.{ts,tsx,js}').map((path) => {
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(importPattern)].flatMap((match) => match[1] ?? []);
  return { path, text, imports };
});

/**
 * Returns the path to which an import leads, from the root of the repository, or undefined for an
 * external package.
 */
function resolveImport(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return normalize(join(dirname(path), name));
  const exported = name.replace(/^slack-sandbox/, '.');
  return exported === name ? undefined : join('packages/slack-sandbox', slackSandboxExports[exported] ?? '');
}

/** Returns the innermost folder with a rule that contains the path. */
function findLayer(path: string): string {
  const names = path.replace(/^src\//, '').split('/');
  const around = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return around.findLast((room) => room in allowedImports) ?? around[0] ?? path;
}

describe('the source tree', () => {
  test('has a rule for every folder', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect([...new Set(sources.map(({ path }) => findLayer(path)))].sort()).toEqual(
      Object.keys(allowedImports).sort(),
    );
  });

  test.each(sources)('$path imports only what its folder is allowed to import', ({ path, imports }) => {
    const room = findLayer(path);
    const others = imports
      .flatMap((name) => resolveImport(path, name) ?? [])
      .map(findLayer)
      .filter((other) => other !== room);
    expect(others.filter((other) => !allowedImports[room]?.includes(other))).toEqual([]);
  });

  test("only one folder imports Slack's packages", () => {
    const speaking = sources.filter(({ imports }) =>
      imports.some((name) => name.startsWith('@slack/') && name !== '@slack/types'),
    );
    expect([...new Set(speaking.map(({ path }) => findLayer(path)))]).toEqual(['slack']);
  });

  test('only the two entry files read the environment', () => {
    const reading = sources.filter(({ text }) => /process\.env|\benv\b[^}]*\} = process\b/.test(text));
    expect(reading.map(({ path }) => path).sort()).toEqual([
      'packages/slack-sandbox/src/register/main.ts',
      'src/main.ts',
      'src/sandbox/main.ts',
    ]);
  });

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

  test('no files import each other in a circle', () => {
    expect(findCircles(importGraph(sources))).toEqual([]);
  });

  test("a circle is found, and a diamond isn't one", () => {
    const graph = new Map([
      ['a', ['b', 'c']],
      ['b', ['d']],
      ['c', ['d']],
      ['d', []],
      ['x', ['y']],
      ['y', ['x']],
    ]);
    expect(findCircles(graph)).toEqual([['x', 'y']]);
  });
});

type ImportGraph = ReadonlyMap<string, readonly string[]>;

function importGraph(files: readonly Source[]): ImportGraph {
  return new Map(
    files.map(({ path, imports }) => [path, imports.flatMap((name) => resolveImport(path, name) ?? [])]),
  );
}

/** Returns the circles that a depth-first search finds, each sorted. */
function findCircles(graph: ImportGraph): (readonly string[])[] {
  const circles: (readonly string[])[] = [];
  const finished = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file);
    if (start >= 0) circles.push(trail.slice(start).toSorted());
    if (start >= 0 || finished.has(file)) return;
    for (const other of graph.get(file) ?? []) visit(other, [...trail, file]);
    finished.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}
