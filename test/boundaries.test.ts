import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, test } from 'vitest';

/** What each room of the house may import of the others; imports point one way. */
const mayImport: Record<string, readonly string[]> = {
  'error.ts': [],
  hosting: ['error.ts'],
  storage: ['error.ts', 'hosting'],
  charts: [],
  operations: ['error.ts', 'charts', 'hosting', 'storage'],
  workspaces: ['error.ts', 'hosting', 'storage', 'operations'],
  reports: ['error.ts', 'charts', 'hosting', 'storage', 'operations', 'workspaces'],
  watches: ['error.ts', 'charts', 'hosting', 'storage', 'operations', 'workspaces', 'reports'],
  'config.ts': ['error.ts', 'hosting'],
  'log.ts': ['config.ts'],
  server: ['error.ts', 'hosting', 'operations'],
  slack: [
    'error.ts',
    'config.ts',
    'charts',
    'hosting',
    'operations',
    'server',
    'workspaces',
    'reports',
    'watches',
  ],
  assembly: [
    'config.ts',
    'charts',
    'hosting',
    'storage',
    'operations',
    'server',
    'workspaces',
    'reports',
    'watches',
    'slack',
  ],
  'app.ts': [
    'config.ts',
    'assembly',
    'hosting',
    'storage',
    'operations',
    'server',
    'workspaces',
    'reports',
    'watches',
    'slack',
  ],
  'start.ts': ['error.ts', 'config.ts', 'log.ts', 'app.ts', 'slack'],
  'main.ts': ['start.ts'],
  'sandbox/hosting': ['error.ts', 'hosting', 'sandbox/slack/page-kit'],
  'sandbox/slack': ['sandbox/slack/page-kit'],
  'sandbox/slack/page-kit': [],
  sandbox: ['config.ts', 'log.ts', 'app.ts', 'slack', 'storage', 'sandbox/hosting', 'sandbox/slack'],
};

interface Source {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const importPattern = /(?:from|import)\s*\(?\s*'([^']+)'/g;

const sources: readonly Source[] = globSync('src/**/*.{ts,tsx,js}').map((path) => {
  const text = readFileSync(path, 'utf8');
  return {
    path: path.slice('src/'.length),
    text,
    imports: [...text.matchAll(importPattern)].flatMap((match) => match[1] ?? []),
  };
});

/** The innermost room with a rule that the path lies in. */
function roomOf(path: string): string {
  const names = path.split('/');
  const around = names.map((_, index) => names.slice(0, index + 1).join('/'));
  return around.findLast((room) => room in mayImport) ?? around[0] ?? path;
}

describe('the house', () => {
  test('has a rule for every room', () => {
    expect(sources.length).toBeGreaterThan(50);
    expect([...new Set(sources.map(({ path }) => roomOf(path)))].sort()).toEqual(
      Object.keys(mayImport).sort(),
    );
  });

  test.each(sources)('$path imports only what its room may', ({ path, imports }) => {
    const room = roomOf(path);
    const others = imports
      .filter((name) => name.startsWith('.'))
      .map((name) => roomOf(normalize(join(dirname(path), name))))
      .filter((other) => other !== room);
    expect(others.filter((other) => !mayImport[room]?.includes(other))).toEqual([]);
  });

  test('speaks to Slack from one room', () => {
    const speaking = sources.filter(({ imports }) =>
      imports.some((name) => name.startsWith('@slack/') && name !== '@slack/types'),
    );
    expect([...new Set(speaking.map(({ path }) => roomOf(path)))]).toEqual(['slack']);
  });

  test('reads the environment at its two doors alone', () => {
    const reading = sources.filter(({ text }) => /process\.env|\benv\b[^}]*\} = process\b/.test(text));
    expect(reading.map(({ path }) => path).sort()).toEqual(['main.ts', 'sandbox/main.ts']);
  });

  test('has rooms of at most 300 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 300).map(({ path }) => path)).toEqual([]);
  });
});
