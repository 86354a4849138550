import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface Source {
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

export const sources: readonly Source[] = globSync('{src,packages/*/src}/**/*.{ts,tsx,js}').map((path) => {
  const text = readFileSync(path, 'utf8');
  const imports = [...text.matchAll(importPattern)].flatMap((match) => match[1] ?? []);
  return { path, text, imports };
});

/**
 * Returns the path to which an import leads, from the root of the repository, or undefined for an
 * external package.
 */
export function resolveImport(path: string, name: string): string | undefined {
  if (name.startsWith('.')) return normalize(join(dirname(path), name));
  const exported = name.replace(/^slack-sandbox/, '.');
  return exported === name ? undefined : join('packages/slack-sandbox', slackSandboxExports[exported] ?? '');
}
