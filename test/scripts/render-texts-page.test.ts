import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readUserTexts } from '../../scripts/read-user-texts.ts';
import { renderTextsPage, textSources } from '../../scripts/render-texts-page.ts';
import { findTextVariants } from '../../scripts/text-variants.ts';
import { makeScratchDirectory } from '../scratch-directory.ts';

const texts = readUserTexts(textSources);

/** Words that Rackhand no longer uses, and their replacements. */
const replacedWords: Readonly<Record<string, string>> = {
  anew: 'again',
  asker: 'you, or the name',
  lapsed: 'expired',
  rests: 'is paused',
  somebody: 'someone',
  everybody: 'everyone',
  nobody: 'no one',
  '(?<!-)host names?': 'hostname',
  'organisations?': 'organization',
  'colours?': 'color',
  whoever: 'the person who',
  wherefrom: 'where',
  'put right': 'fix',
  'taken back': 'revoked',
  'could not be told': 'could not be notified',
};

test('docs/texts.md lists every user-facing text: `npm run docs` writes it', () => {
  expect(texts.length).toBeGreaterThan(1_000);
  expect(readFileSync('docs/texts.md', 'utf8')).toBe(renderTextsPage(texts));
});

test('a list of words, a comparison and the name of an operation are not texts', () => {
  const source = `
    export const words = new Set('first second third'.split(' '));
    export const label = (key: string) => (key === 'Escape' ? 'Close the window' : 'Stay here');
    export const step = { label: 'List Reports', operation: 'report list' };`;
  const path = join(makeScratchDirectory('texts'), 'sample.ts');
  writeFileSync(path, source);
  expect(readUserTexts([path]).map(({ text }) => text)).toEqual([
    'Close the window',
    'Stay here',
    'List Reports',
  ]);
});

test('no text exists in two versions', () => {
  expect(findTextVariants(texts)).toEqual([]);
});

test('two versions of a text are found, except for Title Case and full stops', () => {
  const given = ["{a} can't be read.", '{b} cannot be read', 'Delete a VLAN', 'Delete a Vlan.', 'OK.'];
  expect(findTextVariants(given.map((text) => ({ file: 'a.ts', text })))).toEqual([
    ["{} can't be read.", '{} cannot be read'],
  ]);
});

test.each(Object.entries(replacedWords))('no text says "%s": it says "%s"', (word) => {
  const said = texts.filter(({ text }) => new RegExp(`\\b${word}\\b`, 'i').test(text));
  expect(said.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
