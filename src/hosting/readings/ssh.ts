import { findList, type ListKind } from './lists.ts';
import { integerOf } from './numbers.ts';
import { isVpsName, ownerOf, type ServiceRecord, textOf, valuesOf, vpsNameOrName } from './records.ts';

/** How SSH of a VPS can be reached through the proxy. */
export interface SshMappingReading {
  readonly vpsName: string;
  /** The port that the SSH server of the VPS listens on. */
  readonly port?: number;
  /** The proxy's port. */
  readonly externalPort?: number;
  /** The proxy. */
  readonly host?: string;
  readonly record: ServiceRecord;
}

export interface SshMappingListReading {
  readonly mappings: readonly SshMappingReading[];
  readonly mayHaveMore: boolean;
  /** What came beside the list. */
  readonly rest: ServiceRecord;
}

const portFields = ['portvpsssh', 'vpssshport', 'sshport', 'internalport', 'targetport', 'value'];
const externalPortFields =
  'externalport portexternal proxyport publicport sshproxyport listenport sourceport port'.split(' ');
const hostFields =
  'host hostname proxyhost proxyhostname proxy sshhost publichost endpoint address publicip ip'.split(' ');

const mappingKind: ListKind<SshMappingReading> = {
  fields: /^(mappings?|portmappings?|proxyssh.*|sshproxy.*|ports?|proxies)$/,
  fits: ({ key, record }) => isVpsName(vpsNameOrName(record, key)),
  recordOf: (value, key) => (isVpsName(key) ? { value } : undefined),
  read({ key, record }) {
    const vpsName = ownerOf(record) ?? vpsNameOrName(record, key);
    if (vpsName === undefined) return undefined;
    const port = portIn(record, portFields);
    const externalPort = portIn(record, externalPortFields);
    const host = textOf(record, hostFields);
    return {
      vpsName,
      ...(port !== undefined && { port }),
      ...(externalPort !== undefined && { externalPort }),
      ...(host !== undefined && { host }),
      record,
    };
  },
};

function portIn(record: ServiceRecord, fields: readonly string[]): number | undefined {
  return valuesOf(record, fields)
    .map((value) => integerOf(value, 1, 65_535))
    .find((port) => port !== undefined);
}

/** Reads the proxy's list of SSH mappings, a list of records or a map by name. */
export function readSshMappings(data: unknown): SshMappingListReading {
  const { readings, mayHaveMore, rest } = findList(data, mappingKind);
  return { mappings: readings, mayHaveMore, rest };
}

/** Reads the SSH port of a VPS from the proxy's list of mappings, whose fields the API document does not show. */
export function readSshPort(data: unknown, name: string): number | undefined {
  return readSshMappings(data).mappings.find(({ vpsName }) => vpsName === name)?.port;
}
