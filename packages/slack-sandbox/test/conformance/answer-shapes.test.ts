import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { addShape, type Shapes } from './answer-shapes.ts';
import { callMethods } from './call-methods.ts';

/**
 * Facts read from the samples of answers in Slack's SDK for Java (November 2026): a method, or `@` and
 * an object that several methods have, then the fields with their types. First those that the sandbox
 * sends too, then those that only the sandbox sends, then those that only Slack sends.
 */
const known = new Map(
  readFileSync(new URL('answer-shapes.txt', import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => {
      const [place = '', ...lists] = line.split(' | ');
      const [both = [], own = [], missing = []] = lists.map((list) => (list === '-' ? [] : list.split(' ')));
      return [place, { both, own, missing }] as const;
    }),
);

/** Methods without a sample. */
const withoutSample: readonly string[] = [
  ...['agents.sessions.rename', 'agents.sessions.setStatus', 'blocks.validate'],
  ...['search.all', 'search.messages'],
];

test('the answers have the fields and types of the samples', async () => {
  const shapes: Shapes = new Map();
  const answers = await callMethods();
  for (const [method, answer] of answers) addShape(shapes, method, answer);
  expect(answers.size).toBe(112);

  const differences = [...shapes].flatMap(([place, fields]) => {
    if (withoutSample.includes(place)) return [];
    const { both = [], own = [] } = known.get(place) ?? {};
    const expected = new Map([...both, ...own].map((entry) => splitEntry(entry)));
    const unknown = [...fields].flatMap(([field, types]) => {
      const allowed = expected.get(field);
      if (!allowed) return [`${place}: ${field} is in no sample`];
      const others = [...types].filter((type) => type !== 'null' && !allowed.includes(type));
      return others.map(
        (type) => `${place}: ${field} is a ${type}, and a ${allowed.join('/')} in the sample`,
      );
    });
    const lost = [...expected.keys()].filter((field) => !fields.has(field));
    return [...unknown, ...lost.map((field) => `${place}: ${field} is no longer sent`)];
  });
  expect(differences).toEqual([]);
  expect([...known.keys()].filter((place) => !shapes.has(place))).toEqual([]);
});

/** Splits `name:string/list` into a field and its types. */
function splitEntry(entry: string): [string, readonly string[]] {
  const at = entry.lastIndexOf(':');
  return [entry.slice(0, at), entry.slice(at + 1).split('/')];
}
