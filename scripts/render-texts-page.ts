import type { UserText } from './read-user-texts.ts';

/** The sources that contain texts for people. */
export const textSources = ['src/**/*.{ts,tsx}', 'packages/*/src/**/*.{ts,tsx}'] as const;

/** Returns the list of all texts for people as Markdown. */
export function renderTextsPage(texts: readonly UserText[]): string {
  const files = [...new Set(texts.map(({ file }) => file))];
  return [
    '# Texts',
    '',
    'Every text that a person reads, generated from the sources by `npm run docs`. Computed parts are in braces.',
    '',
    ...files.flatMap((file) => [
      `## ${file}`,
      '',
      ...new Set(texts.filter((text) => text.file === file).map(({ text }) => `- ${text}`)),
      '',
    ]),
  ].join('\n');
}
