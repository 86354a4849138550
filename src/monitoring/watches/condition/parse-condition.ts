import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';

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

/** Parses a measure, such as `CPU` or `ram`. Returns undefined if it is unknown. */
export function parseMeasure(written: string): Measure | undefined {
  return measures.find((measure) => measureWords[measure].test(written.trim()));
}

/** Parses the side of a threshold, such as `>`, `≥` or `above`. Returns undefined if it is unknown. */
export function parseSide(written: string): Side | undefined {
  return sides.find((side) => sideWords[side].test(singleSpaced(written)));
}

/** Parses how a state is compared: `is not`, `!=`, `is`. Returns undefined if it is unknown. */
export function parseMatch(written: string): Match | undefined {
  return matches.find((match) => matchWords[match].test(singleSpaced(written)));
}

function singleSpaced(written: string): string {
  return written.trim().replace(/\s+/g, ' ');
}

const comparisonSearch =
  /^\s*((?:is\s+)?(?:>=?|≥|⩾|=>|<=?|≤|⩽|=<)|!=|≠|==?|(?:is\s+)?(?:more|greater|higher|less|lower) than\b|(?:is\s+)?at (?:least|most)\b|(?:is\s+)?(?:above|over|below|under)\b|exceeds\b|is not\b|isn't\b|not\b|is\b|becomes\b)\s*/i;

/** Matches names and patterns separated by spaces or commas. */
const vpsPatternList = /^(?:vps-|\*)[^\s,]*(?:[\s,]+(?:vps-|\*)[^\s,]*)*/i;

/**
 * Splits a typed condition into fields: `VPS-100* cpu > 90% for 10m`. Text that can't be parsed
 * stays in its field, so that the problem is shown there.
 */
export function parseConditionText(typed: string): RawInput {
  const text = typed.trim().replace(/\s+/g, ' ');
  const first = vpsPatternList.exec(text)?.[0] ?? /^\S+/.exec(text)?.[0] ?? '';
  const startsWithMeasure = parseMeasure(leadingWord(first)) !== undefined;
  const vps = startsWithMeasure ? undefined : first;
  const rest = vps === undefined ? text : text.slice(vps.length).trim();
  const measure = leadingWord(rest);
  const after = rest.slice(measure.length);
  const compared = comparisonSearch.exec(after);
  const [sought = '', length] = splitLength(after.slice(compared?.[0].length ?? 0));
  const word = compared?.[1];
  const known = parseMeasure(measure);
  const entries = {
    vps: vps?.replace(/^(all|every|any)$/i, '*'),
    measure: known ?? measure,
    ...(known === 'state'
      ? { match: word && (parseMatch(word) ?? word), state: sought }
      : { is: word && (parseSide(word) ?? word), figure: sought }),
    lasts: length,
  };
  return Object.fromEntries(
    Object.entries(entries).flatMap(([name, value]) =>
      value === undefined || value === '' ? [] : [[name, value]],
    ),
  );
}

/** Returns the first word, which in `cpu>90%` isn't followed by a space. */
function leadingWord(text: string): string {
  return /^[^\s<>=≥≤≠!⩾⩽]+/.exec(text)?.[0] ?? '';
}

function splitLength(text: string): readonly [string, string | undefined] {
  const [, sought, length] = /^(.*?)\s*\b(?:for|during)\s+(.+)$/i.exec(text) ?? [];
  return sought === undefined ? [text.trim(), undefined] : [sought.trim(), length?.trim()];
}
