import { parseUnit, type Unit } from './quantity.ts';
import { normalizeFieldName } from './record.ts';
import { isVpsName } from './vps-name.ts';

/** A figure's meaning, derived from its field name and the names around it. */
export interface FieldMeaning {
  readonly subject: Subject;
  readonly role?: Role;
  /** The unit in the field name. */
  readonly unit?: Unit;
  /** Whether the name says `max`, which can be a limit or the highest value in an interval. */
  readonly isMaximum: boolean;
}

export type Subject = 'cpu' | 'cores' | 'memory' | 'disk' | Flow;
export type Flow = 'networkIn' | 'networkOut' | 'diskRead' | 'diskWrite';

/** An amount (`used`, `total`, `free`), or `usage`, which can be an amount or a share. */
export type Role = 'used' | 'usage' | 'total' | 'free';

type Direction = 'in' | 'out' | 'read' | 'write';

type Token =
  | { readonly means: 'subject'; readonly subject: 'cpu' | 'memory' | 'disk' | 'network' }
  | { readonly means: 'role'; readonly role: Role; readonly isMaximum?: boolean; readonly isLoad?: boolean }
  | { readonly means: 'direction'; readonly direction: Direction }
  /** `written` is the word as the service writes it. */
  | { readonly means: 'unit'; readonly unit: string; readonly written?: string }
  | { readonly means: 'cores' | 'rate' | 'activity' | 'util' | 'filler' };

/** All known words. A field name that contains any other word isn't understood. */
const vocabulary: ReadonlyMap<string, readonly Token[]> = new Map([
  ...entries('cpu processor vcpu', { means: 'subject', subject: 'cpu' }),
  ...entries('mem memory ram', { means: 'subject', subject: 'memory' }),
  ...entries('disk disks storage hdd ssd rootfs filesystem', { means: 'subject', subject: 'disk' }),
  ...entries('net network nic traffic', { means: 'subject', subject: 'network' }),
  ...entries('used consumed', { means: 'role', role: 'used' }),
  ...entries('usage use utilization utilisation', { means: 'role', role: 'usage' }),
  ...entries('util', { means: 'role', role: 'usage' }, { means: 'util' }),
  ...entries('busy', { means: 'role', role: 'usage' }, { means: 'activity' }),
  ...entries('load', { means: 'role', role: 'usage', isLoad: true }),
  ...entries('total size limit capacity quota plan allowed', { means: 'role', role: 'total' }),
  ...entries('max maximum', { means: 'role', role: 'total', isMaximum: true }),
  ...entries('free available avail', { means: 'role', role: 'free' }),
  ...entries('in download down received receive recv', { means: 'direction', direction: 'in' }),
  ...entries('out upload up sent transmitted transmit', { means: 'direction', direction: 'out' }),
  // Only networks have these directions.
  ...entries(
    'rx ingress inbound incoming',
    { means: 'subject', subject: 'network' },
    { means: 'direction', direction: 'in' },
  ),
  ...entries(
    'tx egress outbound outgoing',
    { means: 'subject', subject: 'network' },
    { means: 'direction', direction: 'out' },
  ),
  ...entries('read reads', { means: 'direction', direction: 'read' }),
  ...entries('write writes written', { means: 'direction', direction: 'write' }),
  ...entries('percent percentage pct perc', { means: 'unit', unit: 'percent' }),
  ...entries('fraction ratio share', { means: 'unit', unit: 'fraction' }),
  ...'bytes byte b octets kb mb gb tb kib mib gib tib bps kbps mbps gbps kbit mbit gbit'
    .split(' ')
    .flatMap((unit) => entries(unit, { means: 'unit', unit })),
  ...entries('cores core count number num', { means: 'cores' }),
  ...entries('processors', { means: 'subject', subject: 'cpu' }, { means: 'cores' }),
  ...entries('vcpus cpus', { means: 'subject', subject: 'cpu' }, { means: 'cores' }),
  ...entries('rate speed per s sec second ps', { means: 'rate' }),
  // Services use `bandwidth` both for a rate and for a monthly quota.
  ...entries('io bandwidth', { means: 'activity' }),
  ...entries(
    `current now value values space vm ve vps server instance virtualmachine guest live remote state metric data
    stats statistics metrics monitoring result results status rrd rrddata points history series graph rows list items
    resource resources doc embedded measurements avg average mean`,
    { means: 'filler' },
  ),
]);

function entries(list: string, ...tokens: readonly Token[]): [string, readonly Token[]][] {
  return list.split(/\s+/).map((word) => [word, tokens]);
}

/** Matches words that can be written together, longest first, so `download` isn't `down` and `load`. */
const fused = new RegExp(
  [...vocabulary.keys()]
    .filter((word) => word.length > 2 || /^(in|rx|tx)$/.test(word))
    .toSorted((a, b) => b.length - a.length)
    .join('|'),
  'gi',
);

/** Splits field names into tokens. Returns undefined if any word is unknown. */
function tokenize(path: readonly string[]): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (const word of path.filter((field) => !isVpsName(field)).flatMap(splitName)) {
    const isWhole = vocabulary.has(word.toLowerCase());
    const parts = isWhole ? [word] : (word.match(fused) ?? []);
    if (!isWhole && parts.join('') !== word) return undefined;
    for (const part of parts)
      for (const token of vocabulary.get(part.toLowerCase()) ?? [])
        tokens.push(token.means === 'unit' ? { ...token, written: part } : token);
  }
  return tokens;
}

function splitName(field: string): readonly string[] {
  return field
    .slice(0, 200)
    .replaceAll('%', ' percent ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** Derives a figure's meaning from its names. Returns undefined if any word is unknown. */
export function parseMeaning(path: readonly string[]): FieldMeaning | undefined {
  const tokens = tokenize(path);
  if (!tokens) return undefined;
  const has = (means: Token['means']) => tokens.some((token) => token.means === means);
  const role = tokens.findLast((token) => token.means === 'role');
  const { unit: unitName, written } = tokens.findLast((token) => token.means === 'unit') ?? {};
  const isMaximum = tokens.some((token) => token.means === 'role' && token.isMaximum);
  const subject = findSubject(tokens, unitName, path.at(-1) ?? '');
  if (subject === undefined) return undefined;
  const isFlow = isFlowSubject(subject);
  // How busy a disk is doesn't say how full it is.
  if (!isFlow && (has('activity') || (has('util') && subject !== 'cpu'))) return undefined;
  // The highest possible or remaining amount of data isn't a flow.
  if (isFlow && (role?.role === 'free' || isMaximum)) return undefined;
  // The highest usage is neither the current usage nor a limit.
  const last = tokenize(path.slice(-1)) ?? [];
  const isUsage = last.some((token) => token.means === 'role' && /^us/.test(token.role));
  if (isMaximum && isUsage) return undefined;
  const unit = unitName === undefined ? undefined : parseNameUnit(unitName, written, has('rate'));
  return {
    subject,
    ...(role && { role: role.role }),
    ...(unit && { unit }),
    isMaximum,
  };
}

export function isFlowSubject(subject: Subject): subject is Flow {
  return /^(network|disk)[A-Z]/.test(subject);
}

/** Parses the unit in a name. For a rate, only the case tells bits from bytes: `Mbps`, `MBps`. */
function parseNameUnit(unit: string, written = unit, isRate = false): Unit | undefined {
  if (!isRate && !unit.endsWith('ps')) return parseUnit(unit);
  if (!/^[kmgt]?b(ps)?$/.test(unit)) return parseUnit(toRate(unit));
  if (/^[KMGT]B(ps)?$/.test(written)) return parseUnit(toRate(written));
  return written.endsWith('bps') ? parseUnit(written) : undefined;
}

function toRate(unit: string): string {
  return unit.endsWith('ps') || unit === 'percent' || unit === 'fraction' ? unit : `${unit}/s`;
}

function findSubject(tokens: readonly Token[], unit: string | undefined, field: string): Subject | undefined {
  const isCounted = tokens.some(({ means }) => means === 'cores');
  if (/^cores$/i.test(field) && tokens.every(({ means }) => means === 'cores' || means === 'filler'))
    return 'cores';
  if (/^max_?cpus?$/i.test(field)) return 'cores';
  // This is the memory currently allotted to a VPS, which can be less than the VPS's maximum.
  if (/^current\w*mem/i.test(field)) return undefined;
  const subjects = new Set(tokens.flatMap((token) => (token.means === 'subject' ? [token.subject] : [])));
  const directions = tokens.flatMap((token) => (token.means === 'direction' ? [token] : []));
  const [direction] = directions;
  if (subjects.size > 1 || directions.some((one) => one.direction !== direction?.direction)) return undefined;
  const [subject] = subjects;
  if (direction) return flows[`${subject} ${direction.direction}`];
  if (subject === 'network' || subject === undefined) return undefined;
  if (subject !== 'cpu') return isCounted ? undefined : subject;
  const roles = tokens.flatMap((token) => (token.means === 'role' ? [token] : []));
  const isShare = unit === 'percent' || unit === 'fraction';
  if (isCounted && !isShare) return roles.length === 0 && unit === undefined ? 'cores' : undefined;
  // A load without a unit can also be a load average.
  const isOther = roles.some(
    ({ role, isLoad }) => role === 'free' || role === 'total' || (isLoad && !isShare),
  );
  return isOther ? undefined : 'cpu';
}

const flows: Readonly<Record<string, Flow>> = {
  'network in': 'networkIn',
  'network out': 'networkOut',
  'disk read': 'diskRead',
  'disk write': 'diskWrite',
};

/** Returns whether a field name is meaningless by itself, such as `data`, `live` or a VPS name. */
export function isWrapperField(field: string): boolean {
  return tokenize([field])?.every(({ means }) => means === 'filler') ?? false;
}

/** Joins the normalized field names of a path, without wrapper fields. */
export function joinUnwrapped(path: readonly string[]): string {
  return path
    .filter((field) => !isWrapperField(field))
    .map(normalizeFieldName)
    .join('');
}
