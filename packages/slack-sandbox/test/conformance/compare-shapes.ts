import { readFileSync } from 'node:fs';
import type { Shapes } from './answer-shapes.ts';

interface KnownFields {
  /** Fields that Slack and the sandbox send, with their types. */
  readonly both: readonly string[];
  /** Fields that only the sandbox sends. */
  readonly own: readonly string[];
}

export type KnownShapes = ReadonlyMap<string, KnownFields>;

/**
 * Reads facts about the samples in Slack's SDK for Java (November 2026): a method, an event, or `@` and
 * an object that several methods have, then the fields with their types. First those that the sandbox
 * sends too, then those that only the sandbox sends, then those that only Slack sends.
 */
export function readKnownShapes(fileName: string): KnownShapes {
  const lines = readFileSync(new URL(fileName, import.meta.url), 'utf8')
    .trim()
    .split('\n');
  return new Map(
    lines.map((line) => {
      const [place = '', ...lists] = line.split(' | ');
      const [both = [], own = []] = lists.map((list) => (list === '-' ? [] : list.split(' ')));
      return [place, { both, own }] as const;
    }),
  );
}

/** Says how shapes differ from the known ones: fields that are new, of another type, or no longer sent. */
export function listDifferences(shapes: Shapes, known: KnownShapes): string[] {
  const differences = [...shapes].flatMap(([place, fields]) => {
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
  const unsent = [...known.keys()].filter((place) => !shapes.has(place));
  return [...differences, ...unsent.map((place) => `${place} is no longer sent`)];
}

/** Splits `name:string/list` into a field and its types. */
function splitEntry(entry: string): [string, readonly string[]] {
  const at = entry.lastIndexOf(':');
  return [entry.slice(0, at), entry.slice(at + 1).split('/')];
}
