import { type Token, tokensOf } from './vocabulary.ts';

const flows = {
  'network in': 'networkIn',
  'network out': 'networkOut',
  'disk read': 'diskRead',
  'disk write': 'diskWrite',
} as const;

type Subject = 'cpu' | 'cores' | 'memory' | 'disk' | (typeof flows)[keyof typeof flows];

/** What the name of a field says about the number in it. */
export interface Meaning {
  readonly subject: Subject;
  readonly role?: 'used' | 'total' | 'free';
  /** The unit in the name, in lower case: `percent`, `fraction`, `gb`, `mbps`. */
  readonly unit?: string;
  /** Whether it flows per second, as far as the name tells. */
  readonly isRate: boolean;
}

/** Reads the names of a field and of the fields around it. Gives nothing where a single word is not understood. */
export function meaningOf(path: readonly string[]): Meaning | undefined {
  const tokens = tokensOf(path) ?? [];
  const subject = subjectOf(tokens);
  if (subject === undefined) return undefined;
  const unit = tokens.findLast((token) => token.means === 'unit')?.unit;
  const role = tokens.findLast((token) => token.means === 'role')?.role;
  const isRate = tokens.some(({ means }) => means === 'rate') || (unit?.endsWith('bps') ?? false);
  return { subject, ...(role && { role }), ...(unit && { unit }), isRate };
}

function subjectOf(tokens: readonly Token[]): Subject | undefined {
  const things = new Set(tokens.flatMap((token) => (token.means === 'subject' ? [token.subject] : [])));
  const ways = tokens.flatMap((token) => (token.means === 'way' ? [token] : []));
  const [way] = ways;
  if (things.size > 1 || ways.some((other) => other.way !== way?.way)) return undefined;
  const [thing = way && thingOf(way, tokens)] = things;
  if (way) return Object.entries(flows).find(([flow]) => flow === `${thing} ${way.way}`)?.[1];
  if (thing === 'cpu') return cpuSubject(tokens);
  return thing === 'network' || tokens.some(({ means }) => means === 'cores') ? undefined : thing;
}

type Way = Extract<Token, { means: 'way' }>;

/** What flows where the name says only which way: `rx`, `bytes_in`, `read_bytes`. */
function thingOf({ way, isClear }: Way, tokens: readonly Token[]): 'network' | 'disk' | undefined {
  if (!isClear && !tokens.some(({ means }) => means === 'unit' || means === 'rate')) return undefined;
  return way === 'in' || way === 'out' ? 'network' : 'disk';
}

/** Tells the use of CPUs from their number. What is free of them is neither. */
function cpuSubject(tokens: readonly Token[]): Subject | undefined {
  const roles = tokens.flatMap((token) => (token.means === 'role' ? [token.role] : []));
  if (roles.includes('free')) return undefined;
  return roles.includes('total') || tokens.some(({ means }) => means === 'cores') ? 'cores' : 'cpu';
}

/** Tells whether a name is only a wrapping, such as `data`, `live`, `result` or the name of a VPS. */
export function isWrapping(field: string): boolean {
  return tokensOf([field])?.every(({ means }) => means === 'filler') ?? false;
}
