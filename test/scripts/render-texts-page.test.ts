import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { readUserTexts } from '../../scripts/read-user-texts.ts';
import { renderTextsPage, textSources } from '../../scripts/render-texts-page.ts';
import { findTextVariants } from '../../scripts/text-variants.ts';

const texts = readUserTexts(textSources);

/** Words of an older way of speaking, and what Rackhand says now. */
const replacedWords: Readonly<Record<string, string>> = {
  anew: 'again',
  asker: 'you, or the name',
  lapsed: 'expired',
  rests: 'is paused',
  whoever: 'the person who',
  wherefrom: 'where',
  'nobody knows': "it's unknown",
  'put right': 'fix',
  'taken back': 'revoked',
  'could not be told': 'could not be notified',
};

test('docs/texts.md lists every user-facing text: `npm run docs` writes it', () => {
  expect(texts.length).toBeGreaterThan(1_000);
  expect(readFileSync('docs/texts.md', 'utf8')).toBe(renderTextsPage(texts));
});

test('no text is said in two different ways', () => {
  expect(findTextVariants(texts)).toEqual([]);
});

test('two ways of saying one thing are found, Title Case and full stops aside', () => {
  const given = ["{a} can't be read.", '{b} cannot be read', 'Delete a VLAN', 'Delete a Vlan.', 'OK.'];
  expect(findTextVariants(given.map((text) => ({ file: 'a.ts', text })))).toEqual([
    ["{} can't be read.", '{} cannot be read'],
  ]);
});

test.each(Object.entries(replacedWords))('no text says "%s": it says "%s"', (word) => {
  const said = texts.filter(({ text }) => new RegExp(`\\b${word}\\b`, 'i').test(text));
  expect(said.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
});
