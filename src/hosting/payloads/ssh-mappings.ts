import { type Entry, findEntries } from './entries.ts';
import { sshValues } from './known-values.ts';
import { type Candidate, listCandidates, type Matcher, openMatcher } from './matcher.ts';
import { hasMorePages } from './pages.ts';
import { parseInteger } from './quantity.ts';
import type { ServiceRecord } from './record.ts';
import { findName, isVpsName } from './vps-name.ts';

/** How a VPS is reached by SSH through the proxy. */
export interface SshMapping {
  readonly vpsName: string;
  /** The SSH port of the VPS. */
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
  const readVps = (entry: Entry) => {
    const name = matcher.text(sshValues.vps, entry) ?? findName(entry.record, entry.key);
    return isVpsName(name) ? name : undefined;
  };
  const { entries, otherFields } = findEntries(data, {
    listNames: /^(mappings?|portmappings?|proxyssh.*|sshproxy.*|ports?|proxies)$/,
    matcher,
    name: sshValues.vps,
    isUnmistakable: true,
    isCertain: (entry) => readVps(entry) !== undefined,
    // In a map, it's unknown which port a lone number is.
    toRecord: (value, { key }) =>
      isVpsName(key) ? { [parseEndpoint(value) ? 'endpoint' : 'port']: value } : undefined,
  });
  const mappings = entries.flatMap((entry) => {
    const vpsName = readVps(entry);
    return vpsName === undefined ? [] : [toMapping(vpsName, entry, matcher)];
  });
  return { mappings, hasMore: hasMorePages(data, mappings.length), otherFields };
}

function toMapping(vpsName: string, entry: Entry, matcher: Matcher): SshMapping {
  const { record } = entry;
  const used = new Set<string>();
  const read = (known: (typeof sshValues)['port'], candidates: readonly Candidate[]) => {
    const value = matcher.read(known, entry, candidates);
    const from = candidates.find((one) => one.value === value)?.path[0];
    if (from !== undefined) used.add(from);
    return value;
  };
  const hosts = listCandidates(sshValues.host, record);
  const endpoints = hosts.map(({ path, value }) => ({
    path,
    ...(parseEndpoint(value) ?? { host: String(value) }),
  }));
  const host = read(
    sshValues.host,
    endpoints.map((one) => ({ path: one.path, value: one.host })),
  );
  const inEndpoint = endpoints.flatMap((one) => ('port' in one ? [{ path: one.path, value: one.port }] : []));
  const external = listCandidates(sshValues.externalPort, record);
  const externalPort = read(sshValues.externalPort, [...external, ...inEndpoint]);
  const port = read(sshValues.port, listCandidates(sshValues.port, record));
  return {
    vpsName,
    ...(typeof port === 'number' && { port }),
    ...(typeof externalPort === 'number' && { externalPort }),
    ...(host !== undefined && { host: String(host) }),
    record,
    otherFields: Object.fromEntries(Object.entries(record).filter(([field]) => !used.has(field))),
  };
}

/** Parses `host:40001`, even in a URL. IPv6 addresses are in brackets. */
function parseEndpoint(value: unknown): { readonly host: string; readonly port: number } | undefined {
  const text = typeof value === 'string' ? value.trim() : '';
  const [, host, digits] =
    /^(?:\w+:\/\/)?(?:[^@\s/]+@)?(\[[\da-f:]+\]|[^:\s/[\]]+):(\d{1,5})\/?$/i.exec(text) ?? [];
  const port = parseInteger(digits, 1, 65_535);
  return host === undefined || port === undefined ? undefined : { host, port };
}

/** Finds the SSH port of a VPS in a list of mappings. */
export function readSshPort(data: unknown, name: string): number | undefined {
  return readSshMappings(data).mappings.find(({ vpsName }) => vpsName === name)?.port;
}
