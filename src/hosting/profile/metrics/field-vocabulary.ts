import { isVpsName } from '../values/records.ts';

/**
 * How a number relates to its subject. It is an amount (`used`, `total`, `limit`, `free`), or
 * `usage`, which services use both for amounts and for shares.
 */
export type FieldRole = 'used' | 'usage' | 'total' | 'limit' | 'free';

/** The meaning of one word in a field name. */
export type FieldToken =
  | { readonly means: 'subject'; readonly subject: 'cpu' | 'memory' | 'disk' | 'network' }
  | {
      readonly means: 'role';
      readonly role: FieldRole;
      /** Whether the word can also mean a load average. */
      readonly isLoad?: boolean;
      /** Whether the word can also mean the highest value of an interval. */
      readonly isMaximum?: boolean;
    }
  | {
      readonly means: 'direction';
      readonly direction: 'in' | 'out' | 'read' | 'write';
      /** Whether the word alone identifies a data flow and its kind. */
      readonly isClear: boolean;
      /** Whether services that use this word count since the start and not per second. */
      readonly isCounter: boolean;
    }
  | { readonly means: 'unit'; readonly unit: string }
  | { readonly means: 'cores' | 'rate' | 'average' | 'filler' };

/** All known words. A field name that contains any other word isn't understood. */
const vocabulary: ReadonlyMap<string, FieldToken> = new Map([
  ...wordEntries('cpu processor vcpu', { means: 'subject', subject: 'cpu' }),
  ...wordEntries('mem memory ram', { means: 'subject', subject: 'memory' }),
  ...wordEntries('disk disks storage hdd ssd rootfs', { means: 'subject', subject: 'disk' }),
  ...wordEntries('net network nic traffic', { means: 'subject', subject: 'network' }),
  ...wordEntries('used consumed', { means: 'role', role: 'used' }),
  ...wordEntries('usage use utilization utilisation busy', { means: 'role', role: 'usage' }),
  ...wordEntries('load', { means: 'role', role: 'usage', isLoad: true }),
  ...wordEntries('total size', { means: 'role', role: 'total' }),
  ...wordEntries('max maximum', { means: 'role', role: 'limit', isMaximum: true }),
  ...wordEntries('limit capacity quota plan allowed', { means: 'role', role: 'limit' }),
  ...wordEntries('free available avail', { means: 'role', role: 'free' }),
  ...directionEntries('in download down', 'in', 'vague'),
  ...directionEntries('incoming inbound ingress', 'in', 'clear'),
  ...directionEntries('rx received receive recv', 'in', 'counter'),
  ...directionEntries('out upload up', 'out', 'vague'),
  ...directionEntries('outgoing outbound egress', 'out', 'clear'),
  ...directionEntries('tx sent transmitted transmit', 'out', 'counter'),
  ...directionEntries('read reads', 'read', 'vague'),
  ...directionEntries('write writes written', 'write', 'vague'),
  ...wordEntries('percent percentage pct perc', { means: 'unit', unit: 'percent' }),
  ...wordEntries('fraction ratio share', { means: 'unit', unit: 'fraction' }),
  ...unitEntries('bytes byte b kb mb gb tb kib mib gib tib bps kbps mbps gbps kbit mbit gbit'),
  ...wordEntries('cores core count number num', { means: 'cores' }),
  ...wordEntries('rate speed throughput per s sec second ps', { means: 'rate' }),
  ...wordEntries('avg average mean', { means: 'average' }),
  // Services use `bandwidth` both for a rate and for a monthly quota.
  ...wordEntries('current now value values io space bandwidth', { means: 'filler' }),
  ...wordEntries(
    'vm ve vps server instance virtualmachine guest live remote state metric data stats statistics metrics monitoring result results status',
    {
      means: 'filler',
    },
  ),
  ...wordEntries(
    'rrd rrddata points history series graph rows list items resource resources doc embedded measurements',
    { means: 'filler' },
  ),
]);

function wordEntries(list: string, token: FieldToken): [string, FieldToken][] {
  return list.split(' ').map((word) => [word, token]);
}

function directionEntries(
  list: string,
  direction: 'in' | 'out' | 'read' | 'write',
  kind: 'vague' | 'clear' | 'counter',
): [string, FieldToken][] {
  return wordEntries(list, {
    means: 'direction',
    direction,
    isClear: kind !== 'vague',
    isCounter: kind === 'counter',
  });
}

function unitEntries(list: string): [string, FieldToken][] {
  return list.split(' ').map((unit) => [unit, { means: 'unit', unit }]);
}

/**
 * Words that can be written together, longest first, so that `download` isn't split into `down` and
 * `load`.
 */
const fusibleWords = [...vocabulary.keys()].filter((word) => word.length > 2 || word === 'in');
const fusedWordPattern = new RegExp(
  [...fusibleWords, 'rx', 'tx'].toSorted((a, b) => b.length - a.length).join('|'),
  'g',
);

const maxNameLength = 200;

/**
 * Splits field names into tokens. `maxMem`, `max_mem` and `maxmem` have the same result. Returns
 * undefined if any word is unknown.
 */
export function tokenizePath(path: readonly string[]): FieldToken[] | undefined {
  const tokens = path
    .filter((field): boolean => !isVpsName(field))
    .flatMap(splitFieldName)
    .map(tokenizeWord);
  return tokens.includes(undefined) ? undefined : tokens.flatMap((ofWord) => ofWord ?? []);
}

const coreCountTokens: readonly FieldToken[] = [{ means: 'subject', subject: 'cpu' }, { means: 'cores' }];

function tokenizeWord(word: string): readonly FieldToken[] | undefined {
  // The plural means a number of cores: Proxmox VE has `cpus: 8` beside `cpu: 0.97`.
  if (/^(v?cpus|processors)$/.test(word)) return coreCountTokens;
  const whole = vocabulary.get(word);
  if (whole) return [whole];
  const fused = word.match(fusedWordPattern) ?? [];
  return fused.join('') === word ? fused.flatMap((part) => vocabulary.get(part) ?? []) : undefined;
}

function splitFieldName(field: string): string[] {
  return field
    .slice(0, maxNameLength)
    .replaceAll('%', ' percent ')
    .replace(/time[_-]?series/gi, 'series')
    .replace(/(?<=\p{Ll})In([KMGT]i?B|Bytes)$/u, (_, unit: string) => ` ${unit.toLowerCase()}`)
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
