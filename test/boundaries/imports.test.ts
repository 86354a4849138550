import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/** The folders on which every feature is built. */
const core = ['jobs', 'hosting', 'db', 'messages', 'operations', 'runs', 'asks', 'auth'] as const;

/** Which folders each folder is allowed to import. Imports point one way. */
const allowedImports: Record<string, readonly string[]> = {
  'errors.ts': [],
  'with-timeout.ts': ['errors.ts'],
  'refreshing-cache.ts': ['with-timeout.ts', 'time'],
  'ttl-cache.ts': ['time'],
  'format-list.ts': [],
  'csv.ts': [],
  'nearest-name.ts': [],
  tracing: ['errors.ts', 'package.json'],
  time: ['errors.ts', 'format-list.ts', 'nearest-name.ts'],
  jobs: ['db', 'time'],
  messages: ['db', 'jobs', 'operations', 'time'],
  charts: ['time'],
  hosting: ['errors.ts', 'with-timeout.ts', 'format-list.ts', 'package.json', 'time', 'tracing', 'db'],
  db: ['errors.ts', 'format-list.ts'],
  operations: [
    'errors.ts',
    'with-timeout.ts',
    'format-list.ts',
    'nearest-name.ts',
    'time',
    'charts',
    'hosting',
  ],
  runs: [
    'errors.ts',
    'with-timeout.ts',
    'format-list.ts',
    'tracing',
    'time',
    'jobs',
    'hosting',
    'db',
    'messages',
    'operations',
  ],
  asks: ['errors.ts', 'jobs', 'db', 'messages', 'operations', 'runs'],
  auth: ['asks', 'errors.ts', 'format-list.ts', 'time', 'hosting', 'db', 'messages', 'operations', 'runs'],
  audit: ['errors.ts', 'csv.ts', 'format-list.ts', 'time', ...core],
  workspaces: [
    'errors.ts',
    'refreshing-cache.ts',
    'format-list.ts',
    'nearest-name.ts',
    'time',
    ...core,
    'audit',
  ],
  plans: ['errors.ts', 'time', 'jobs', 'db', 'operations'],
  'monitoring/shared': ['errors.ts', 'with-timeout.ts', 'format-list.ts', 'time', ...core, 'charts', 'plans'],
  'monitoring/reports': [
    'errors.ts',
    'ttl-cache.ts',
    'with-timeout.ts',
    'format-list.ts',
    'csv.ts',
    'time',
    ...core,
    'charts',
    'plans',
    'monitoring/shared',
  ],
  'monitoring/maintenance': [
    'errors.ts',
    'time',
    'jobs',
    'db',
    'messages',
    'operations',
    'runs',
    'auth',
    'plans',
    'monitoring/shared',
  ],
  'monitoring/watches': [
    'errors.ts',
    'with-timeout.ts',
    'time',
    ...core,
    'charts',
    'plans',
    'monitoring/shared',
  ],
  'monitoring/overview': [
    'time',
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
    ...core,
    'plans',
    'monitoring/shared',
    'monitoring/reports',
  ],
  personal: [
    'errors.ts',
    'time',
    'jobs',
    'db',
    'messages',
    'operations',
    'runs',
    'plans',
    'monitoring/shared',
  ],
  config: ['hosting'],
  'config.ts': ['errors.ts', 'config', 'hosting'],
  'logger.ts': ['errors.ts', 'config.ts'],
  http: ['errors.ts', 'package.json', 'with-timeout.ts'],
  slack: [
    'errors.ts',
    'tracing',
    'format-list.ts',
    'ttl-cache.ts',
    'with-timeout.ts',
    'config.ts',
    'charts',
    'hosting',
    'messages',
    'operations',
    'runs',
    'asks',
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
    ...core,
    'charts',
    'audit',
    'workspaces',
    'personal',
    'plans',
    'monitoring/shared',
    'monitoring/reports',
    'monitoring/watches',
    'monitoring/overview',
    'monitoring/maintenance',
    'schedules',
    'http',
    'slack',
  ],
  'app.ts': ['config.ts', ...core, 'personal', 'charts', 'workspaces', 'schedules', 'http', 'slack', 'app'],
  'main.ts': ['errors.ts', 'config.ts', 'logger.ts', 'app.ts', 'slack'],
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

  test('imports only what each folder is allowed to import', () => {
    const forbidden = sources.flatMap(({ path, imports }) => {
      const room = findLayer(path);
      return imports
        .flatMap((name) => resolveImport(path, name) ?? [])
        .map(findLayer)
        .filter((other) => other !== room && !allowedImports[room]?.includes(other))
        .map((other) => `${path} imports ${other}`);
    });
    expect(forbidden).toEqual([]);
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

/** Returns the import cycles that a depth-first search finds, each sorted. */
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
