import type { RawInput } from '../operations/outcome.ts';

export const measures = ['cpu', 'memory', 'disk', 'traffic', 'state'] as const;

export const sides = ['over', 'under'] as const;

export const matches = ['is not', 'is'] as const;

type Measure = (typeof measures)[number];
type Side = (typeof sides)[number];
type Match = (typeof matches)[number];

const measureWords: Readonly<Record<Measure, RegExp>> = {
  cpu: /^(cpu|cpus|processor)$/i,
  memory: /^(memory|mem|ram)$/i,
  disk: /^(disk|storage)$/i,
  traffic: /^(traffic|network|net|bandwidth)$/i,
  state: /^(state|status)$/i,
};

const sideWords: Readonly<Record<Side, RegExp>> = {
  over: /^(?:is )?(>=?|≥|⩾|=>|above|over|more than|greater than|higher than|at least|exceeds)$/i,
  under: /^(?:is )?(<=?|≤|⩽|=<|below|under|less than|lower than|at most)$/i,
};

const matchWords: Readonly<Record<Match, RegExp>> = {
  'is not': /^(is not|isn't|not|!=|≠|<>)$/i,
  is: /^(is|=|==|becomes)$/i,
};

/** Reads what is measured, as people write it: `CPU`, `ram`; `undefined` for anything else. */
export function readMeasure(written: string): Measure | undefined {
  return measures.find((measure) => measureWords[measure].test(written.trim()));
}

/** Reads on which side of a threshold: `>`, `≥`, `above`; `undefined` for anything else. */
export function readSide(written: string): Side | undefined {
  return sides.find((side) => sideWords[side].test(singleSpaced(written)));
}

/** Reads how a state is compared: `is not`, `!=`, `is`; `undefined` for anything else. */
export function readMatch(written: string): Match | undefined {
  return matches.find((match) => matchWords[match].test(singleSpaced(written)));
}

function singleSpaced(written: string): string {
  return written.trim().replace(/\s+/g, ' ');
}

const comparisonSearch =
  /^\s*((?:is\s+)?(?:>=?|≥|⩾|=>|<=?|≤|⩽|=<)|!=|≠|==?|(?:is\s+)?(?:more|greater|higher|less|lower) than\b|(?:is\s+)?at (?:least|most)\b|(?:is\s+)?(?:above|over|below|under)\b|exceeds\b|is not\b|isn't\b|not\b|is\b|becomes\b)\s*/i;

/** Names and patterns one after the other, with spaces or commas between. */
const severalVps = /^(?:vps-|\*)[^\s,]*(?:[\s,]+(?:vps-|\*)[^\s,]*)*/i;

/**
 * Takes a condition apart that was typed as people say it: `VPS-100* cpu > 90% for 10m`. What is not understood stays in the field in which it
 * stands, so that it is told there.
 */
export function takeApart(typed: string): RawInput {
  const text = typed.trim().replace(/\s+/g, ' ');
  const first = severalVps.exec(text)?.[0] ?? /^\S+/.exec(text)?.[0] ?? '';
  const startsWithMeasure = readMeasure(leadingWord(first)) !== undefined;
  const vps = startsWithMeasure ? undefined : first;
  const rest = vps === undefined ? text : text.slice(vps.length).trim();
  const measure = leadingWord(rest);
  const after = rest.slice(measure.length);
  const compared = comparisonSearch.exec(after);
  const [sought = '', length] = splitLength(after.slice(compared?.[0].length ?? 0));
  const word = compared?.[1];
  const known = readMeasure(measure);
  const entries = {
    vps: vps?.replace(/^(all|every|any)$/i, '*'),
    measure: known ?? measure,
    ...(known === 'state'
      ? { match: word && (readMatch(word) ?? word), state: sought }
      : { is: word && (readSide(word) ?? word), figure: sought }),
    lasts: length,
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

/** `cpu>90%` needs no spaces. */
function leadingWord(text: string): string {
  return /^[^\s<>=≥≤≠!⩾⩽]+/.exec(text)?.[0] ?? '';
}

function splitLength(text: string): readonly [string, string | undefined] {
  const [, sought, length] = /^(.*?)\s*\b(?:for|during)\s+(.+)$/i.exec(text) ?? [];
  return sought === undefined ? [text.trim(), undefined] : [sought.trim(), length?.trim()];
}
