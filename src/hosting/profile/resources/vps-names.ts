import { findValues, isRecord, isVpsName, type ServiceRecord } from '../values/records.ts';

/** The names that people use for a VPS besides its VPS name. They are untrusted text. */
export interface VpsAliases {
  /** Names as the service writes them: hostname, label, display name. The most helpful ones come first. */
  readonly full: readonly string[];
  /** The first labels of hostnames: `web-01` for `web-01.acme.example`. */
  readonly short: readonly string[];
}

/** Normalized names of fields that name a VPS. */
const nameFields = [
  'hostname',
  'hostnames',
  'fqdn',
  'label',
  'displayname',
  'friendlyname',
  'customname',
  'nickname',
  'alias',
  'aliases',
  'name',
  'servername',
  'vmname',
  'instancename',
  'vpsname',
  'vps',
  'title',
  'dnsname',
];

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

/** Maximum length of a host name, from RFC 1035. */
const maxNameChars = 253;

/** Control characters would break lines of a message. */
const controlCharacter = /\p{Cc}/u;

/** Matches a host name with at least two labels, which can contain letters of any script. */
const hostnamePattern = /^[\p{L}\p{N}](?:[\p{L}\p{N}_-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}_-]+)+\.?$/u;

/** Matches numbers and dots only, which are an address. An address has no short form. */
const ipv4Pattern = /^[\d.]+$/;

/**
 * Returns the names in a VPS record, and its key in a map. A name that looks like a VPS name is
 * left out, because people could mistake it for another VPS.
 */
export function findVpsAliases(record: ServiceRecord, key?: string): VpsAliases {
  const nested = findValues(record, wrapperFields).filter(isRecord);
  const found = [record, ...nested].flatMap((one) => findValues(one, nameFields).flat());
  const full = unique([...found, key].flatMap(toAlias));
  const short = unique(full.filter(isHostname).map((name) => name.split('.')[0] ?? ''));
  return { full, short: short.filter((name) => !full.includes(name) && !isVpsName(name)) };
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
