import { normalizeFieldName } from '../values/records.ts';
import { type FieldRole, type FieldToken, tokenizePath } from './field-vocabulary.ts';

const flowSubjects = {
  'network in': 'networkIn',
  'network out': 'networkOut',
  'disk read': 'diskRead',
  'disk write': 'diskWrite',
} as const;

type MetricSubject =
  | 'cpu'
  | 'cpuLimit'
  | 'cores'
  | 'memory'
  | 'disk'
  | (typeof flowSubjects)[keyof typeof flowSubjects];

/** The meaning of a number, according to its field name. */
export interface FieldMeaning {
  readonly subject: MetricSubject;
  readonly role?: FieldRole;
  /** The unit in the field name, in lower case: `percent`, `fraction`, `gb`, `mbps`. */
  readonly unit?: string;
  /** Whether the field name says that the number is per second. */
  readonly isRate: boolean;
  /** Whether services that use this name count since the start and not per second. */
  readonly isCounter: boolean;
  /** Whether the number is an average and not the current value. */
  readonly isAverage: boolean;
  /** Whether the field name says `max`, which is a limit, or the highest value of an interval. */
  readonly isMaximum: boolean;
}

/**
 * Derives the meaning from the names of a field and its parent fields. Returns undefined if any
 * word is unknown.
 */
export function parseFieldMeaning(path: readonly string[]): FieldMeaning | undefined {
  const tokens = tokenizePath(path) ?? [];
  const unit = tokens.findLast((token) => token.means === 'unit')?.unit;
  const role = tokens.findLast((token) => token.means === 'role')?.role;
  const subject = findSubject(tokens, unit, path.at(-1));
  if (subject === undefined) return undefined;
  const isFlow = Object.values(flowSubjects).some((flow) => flow === subject);
  // The highest possible or remaining amount of data isn't a flow.
  if (isFlow && (role === 'limit' || role === 'free')) return undefined;
  const isRate = tokens.some(({ means }) => means === 'rate') || (unit?.endsWith('bps') ?? false);
  const isCounter =
    isFlow && (role === 'total' || tokens.some((token) => token.means === 'direction' && token.isCounter));
  const isAverage = tokens.some(({ means }) => means === 'average');
  const isMaximum = tokens.some((token) => token.means === 'role' && token.isMaximum);
  // The highest usage is neither the usage nor a limit. In a group called `usage`, `max` is a limit.
  const ownTokens = tokenizePath(path.slice(-1)) ?? [];
  if (isMaximum && ownTokens.some((token) => token.means === 'role' && isUsageRole(token.role)))
    return undefined;
  return { subject, ...(role && { role }), ...(unit && { unit }), isRate, isCounter, isAverage, isMaximum };
}

function isUsageRole(role: FieldRole): boolean {
  return role === 'used' || role === 'usage';
}

function findSubject(
  tokens: readonly FieldToken[],
  unit: string | undefined,
  field: string | undefined,
): MetricSubject | undefined {
  if (/^cores$/i.test(field ?? '') && tokens.every(({ means }) => means === 'cores' || means === 'filler')) {
    return 'cores';
  }
  const subjects = new Set(tokens.flatMap((token) => (token.means === 'subject' ? [token.subject] : [])));
  const directions = tokens.flatMap((token) => (token.means === 'direction' ? [token] : []));
  const [first] = directions;
  if (subjects.size > 1 || directions.some(({ direction }) => direction !== first?.direction)) {
    return undefined;
  }
  // The memory that a VPS was given at present, which can be less than its highest size.
  if (/^current\w*mem/i.test(field ?? '')) return undefined;
  const [subject = first && inferFlowDevice(first, tokens)] = subjects;
  if (first) {
    return Object.entries(flowSubjects).find(([flow]) => flow === `${subject} ${first.direction}`)?.[1];
  }
  if (subject === 'cpu') return resolveCpuSubject(tokens, unit, field);
  return subject === 'network' || tokens.some(({ means }) => means === 'cores') ? undefined : subject;
}

type DirectionToken = Extract<FieldToken, { means: 'direction' }>;

/**
 * Infers whether network or disk data is meant when a name has only the direction: `rx`,
 * `bytes_in`, `read_bytes`.
 */
function inferFlowDevice(
  { direction, isClear }: DirectionToken,
  tokens: readonly FieldToken[],
): 'network' | 'disk' | undefined {
  if (!isClear && !tokens.some(({ means }) => means === 'unit' || means === 'rate')) return undefined;
  return direction === 'in' || direction === 'out' ? 'network' : 'disk';
}

/**
 * Distinguishes CPU usage from a number of cores and from a limit. Returns undefined for free CPU, and
 * for a number of used cores.
 */
function resolveCpuSubject(
  tokens: readonly FieldToken[],
  unit: string | undefined,
  field: string | undefined,
): MetricSubject | undefined {
  const roles = tokens.flatMap((token) => (token.means === 'role' ? [token.role] : []));
  const isShare = unit === 'percent' || unit === 'fraction';
  if (/^maxcpus?$/i.test(field ?? '')) return 'cores';
  if (roles.includes('free')) return undefined;
  if (roles.includes('limit') || roles.includes('total')) return unit === undefined ? 'cpuLimit' : undefined;
  // A load without a unit can also be a load average.
  if (!isShare && tokens.some((token) => token.means === 'role' && token.isLoad)) return undefined;
  if (!tokens.some(({ means }) => means === 'cores')) return 'cpu';
  if (isShare) return 'cpu';
  return roles.length === 0 && unit === undefined ? 'cores' : undefined;
}

/**
 * Returns whether a field name has no meaning of its own, such as `data`, `live`, `result` or the
 * name of a VPS.
 */
export function isWrapperField(field: string): boolean {
  return tokenizePath([field])?.every(({ means }) => means === 'filler') ?? false;
}

/**
 * Joins the normalized field names of a path, without wrapper fields. Any name that remains means
 * that the value belongs to a part of the VPS.
 */
export function joinUnwrappedPath(path: readonly string[]): string {
  return path
    .filter((field) => !isWrapperField(field))
    .map(normalizeFieldName)
    .join('');
}
