import { isVpsName } from './records.ts';

/** What a word in the name of a field stands for. */
export type Token =
  | { readonly means: 'subject'; readonly subject: 'cpu' | 'memory' | 'disk' | 'network' }
  | { readonly means: 'role'; readonly role: 'used' | 'total' | 'free' }
  | { readonly means: 'way'; readonly way: 'in' | 'out' | 'read' | 'write'; readonly isClear: boolean }
  | { readonly means: 'unit'; readonly unit: string }
  | { readonly means: 'cores' | 'rate' | 'filler' };

/** Every word that may stand in the name of a field that is understood. One word more, and the name means something else. */
const vocabulary: ReadonlyMap<string, Token> = new Map([
  ...words('cpu cpus processor processors vcpu', { means: 'subject', subject: 'cpu' }),
  ...words('mem memory ram', { means: 'subject', subject: 'memory' }),
  ...words('disk storage hdd ssd rootfs', { means: 'subject', subject: 'disk' }),
  ...words('net network nic traffic', { means: 'subject', subject: 'network' }),
  ...words('used usage use utilization utilisation consumed busy load', { means: 'role', role: 'used' }),
  ...words('max maximum total size limit capacity', { means: 'role', role: 'total' }),
  ...words('free available avail', { means: 'role', role: 'free' }),
  ...words('in download down', { means: 'way', way: 'in', isClear: false }),
  ...words('rx received receive recv incoming inbound ingress', { means: 'way', way: 'in', isClear: true }),
  ...words('out upload up', { means: 'way', way: 'out', isClear: false }),
  ...words('tx sent transmitted transmit outgoing outbound egress', {
    means: 'way',
    way: 'out',
    isClear: true,
  }),
  ...words('read reads', { means: 'way', way: 'read', isClear: false }),
  ...words('write writes written', { means: 'way', way: 'write', isClear: false }),
  ...words('percent percentage pct perc', { means: 'unit', unit: 'percent' }),
  ...words('fraction ratio share', { means: 'unit', unit: 'fraction' }),
  ...units('bytes byte b kb mb gb tb kib mib gib tib bps kbps mbps gbps kbit mbit gbit'),
  ...words('cores core count number num', { means: 'cores' }),
  ...words('rate speed throughput bandwidth per s sec second ps', { means: 'rate' }),
  ...words('avg average mean current now value values io space', { means: 'filler' }),
  ...words('vm vps guest live data stats statistics metrics monitoring result results status', {
    means: 'filler',
  }),
  ...words('rrd rrddata points history series graph rows list items resources', { means: 'filler' }),
]);

function words(list: string, token: Token): [string, Token][] {
  return list.split(' ').map((word) => [word, token]);
}

function units(list: string): [string, Token][] {
  return list.split(' ').map((unit) => [unit, { means: 'unit', unit }]);
}

/** Longest first, so that `download` is not `down` and `load`. */
const parts = [...vocabulary.keys()].filter((word) => word.length > 2 || word === 'in');
const eachPart = new RegExp([...parts, 'rx', 'tx'].toSorted((a, b) => b.length - a.length).join('|'), 'g');

const mostNameChars = 200;

/** Takes names apart into what their words stand for: `maxMem`, `max_mem` and `maxmem` alike. Gives nothing where a single word is unheard of. */
export function tokensOf(path: readonly string[]): Token[] | undefined {
  const found = path
    .filter((field): boolean => !isVpsName(field))
    .flatMap(splitName)
    .map(tokensOfWord);
  return found.includes(undefined) ? undefined : found.flatMap((tokens) => tokens ?? []);
}

function tokensOfWord(word: string): Token[] | undefined {
  const whole = vocabulary.get(word);
  if (whole) return [whole];
  const fused = word.match(eachPart) ?? [];
  return fused.join('') === word ? fused.flatMap((part) => vocabulary.get(part) ?? []) : undefined;
}

function splitName(field: string): string[] {
  return field
    .slice(0, mostNameChars)
    .replaceAll('%', ' percent ')
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
