import { openPlaces } from '../../readings/places.ts';
import { vpsReadings } from '../../readings/vps-readings.ts';
import { type FoundText, findFields, isRecord, isVpsName, type ServiceRecord } from '../../values/records.ts';

/** The names that people use for a VPS besides its VPS name. They are untrusted text. */
export interface VpsAliases {
  /**
   * Names as the service writes them: hostname, label, display name. The most helpful names are
   * first.
   */
  readonly full: readonly string[];
  /** The first labels of hostnames: `web-01` for `web-01.acme.example`. */
  readonly short: readonly string[];
}

/** Fields that contain the VPS itself. Other nested records, such as its node, have names of their own. */
const wrapperFields = [
  'vps',
  'server',
  'vm',
  'instance',
  'attributes',
  'properties',
  'details',
  'info',
  'general',
  'config',
];

/** Maximum length of a hostname, from RFC 1035. */
const maxNameChars = 253;

/** Control characters would break lines of a message. */
const controlCharacter = /\p{Cc}/u;

/** Matches a hostname with at least two labels, which can contain letters of any script. */
const hostnamePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}_-]+)+\.?$/u;

/** Matches numbers and dots only, which are an address. An address has no short form. */
const ipv4Pattern = /^[\d.]+$/;

/**
 * Returns the names in a VPS record, and its key in a map. A name that looks like a VPS name is
 * left out, because people could mistake it for another VPS.
 */
export function findVpsAliases(
  record: ServiceRecord,
  key?: string,
  places = openPlaces(undefined),
): VpsAliases {
  const found = listAliases(record, key);
  const first = places.findText(vpsReadings.hostname, record, () =>
    found.filter(({ path }) => path.length > 0),
  );
  const full = unique([...toAlias(first), ...found.map(({ value }) => value)]);
  const short = unique(full.filter(isHostname).map((name) => name.split('.')[0] ?? ''));
  return { full, short: short.filter((name) => !full.includes(name) && !isVpsName(name)) };
}

function listAliases(record: ServiceRecord, key: string | undefined): readonly FoundText[] {
  const nested = findFields(record, wrapperFields).flatMap(({ field, value }) =>
    isRecord(value) ? [{ group: [field], record: value }] : [],
  );
  const fields = [{ group: [], record }, ...nested].flatMap(({ group, record: one }) =>
    findFields(one, listNameFields(one)).map(({ field, value }) => ({ path: [...group, field], value })),
  );
  return [...fields, { path: [], value: key }].flatMap(({ path, value }) =>
    [value]
      .flat()
      .flatMap(toAlias)
      .map((alias) => ({ path, value: alias })),
  );
}

/** Beside the ID of a host, `hostname` is the name of the machine on which the VPS runs. */
function listNameFields(record: ServiceRecord): readonly string[] {
  const { fields } = vpsReadings.hostname;
  return findFields(record, ['hostid']).length > 0 ? fields.filter((field) => field !== 'hostname') : fields;
}

function toAlias(value: unknown): readonly string[] {
  const name = typeof value === 'string' ? value.trim() : '';
  const isUsable = name !== '' && name.length <= maxNameChars && !controlCharacter.test(name);
  return isUsable && !isVpsName(name) ? [name] : [];
}

function isHostname(name: string): boolean {
  return hostnamePattern.test(name) && !ipv4Pattern.test(name);
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names)];
}
