import { describe, expect, test } from 'vitest';
import { allowedImports } from './allowed-imports.ts';
import { resolveImport, type Source, sources } from './sources.ts';

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
