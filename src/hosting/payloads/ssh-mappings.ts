import { type Entry, findEntries } from './entries.ts';
import { sshValues } from './known-values.ts';
import { listCandidates, type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { omitUndefined, type ServiceRecord } from './record.ts';
import { findName, isVpsName } from './vps-name.ts';

/** A proxied SSH connection to a VPS. */
export interface SshMapping {
  readonly vpsName: string;
  /** The SSH port on the VPS. */
  readonly port?: number;
  /** The proxy's port. */
  readonly externalPort?: number;
  /** The proxy's host. */
  readonly host?: string;
  readonly record: ServiceRecord;
  /** The record without the fields used for the mapping. */
  readonly otherFields: ServiceRecord;
}

export interface SshMappingList {
  readonly mappings: readonly SshMapping[];
  readonly hasMore: boolean;
  /** The payload without the list. */
  readonly otherFields: ServiceRecord;
}

/** Reads the SSH mappings, from a list of records or a map by VPS. */
export function readSshMappings(data: unknown): SshMappingList {
  const matcher = openMatcher(data);
  const readVps = (entry: Entry, own: Matcher) => {
    const name = own.text(sshValues.vps, entry) ?? findName(entry.record, entry.key);
    return isVpsName(name) ? name : undefined;
  };
  const { entries, otherFields } = findEntries(data, {
    listNames: /^(mappings?|portmappings?|proxyssh.*|sshproxy.*|ports?|proxies)$/,
    matcher,
    name: sshValues.vps,
    isUnmistakable: true,
    isCertain: (entry, trial) => readVps(entry, trial) !== undefined,
    // In a map by VPS, a bare number could be either port.
    toRecord: (value, { key }) => (isVpsName(key) ? { port: value } : undefined),
  });
  const mappings = entries.flatMap((entry) => {
    const vpsName = readVps(entry, matcher);
    return vpsName === undefined ? [] : [toMapping(vpsName, entry, matcher)];
  });
  return { mappings, hasMore: hasMorePages(data, mappings.length), otherFields };
}

function toMapping(vpsName: string, entry: Entry, matcher: Matcher): SshMapping {
  const { record } = entry;
  // A host combined with its port is shown unchanged.
  const hosts = listCandidates(sshValues.host, record).filter(({ value }) => !/:\d+\/?$/.test(String(value)));
  const externalPorts = listCandidates(sshValues.externalPort, record);
  const ports = listCandidates(sshValues.port, record);
  const used = [hosts, externalPorts, ports].flatMap(([one]) => one?.path[0] ?? []);
  return omitUndefined({
    vpsName,
    port: matcher.number(sshValues.port, entry, ports),
    externalPort: matcher.number(sshValues.externalPort, entry, externalPorts),
    host: matcher.text(sshValues.host, entry, hosts),
    record,
    otherFields: Object.fromEntries(Object.entries(record).filter(([field]) => !used.includes(field))),
  });
}

export function readSshPort(data: unknown, name: string): number | undefined {
  return readSshMappings(data).mappings.find(({ vpsName }) => vpsName === name)?.port;
}
