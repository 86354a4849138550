import type { Reading } from './reading.ts';

/** Facts about VPS, from the list and from a single record. */
export const vpsReadings = {
  names: {
    id: 'vps.names',
    label: 'Names of the VPS',
    endpoint: 'listVps',
    type: 'names',
    fields: ['vpsname', 'name', 'vps', 'id'],
  },
  hostname: {
    id: 'vps.hostname',
    label: 'Hostname or label',
    endpoint: 'listVps',
    type: 'text',
    fields: [
      ...['hostname', 'hostnames', 'fqdn', 'label', 'displayname', 'friendlyname', 'customname', 'nickname'],
      ...['alias', 'aliases', 'name', 'servername', 'vmname', 'instancename', 'vpsname', 'vps', 'title'],
      'dnsname',
    ],
  },
  listState: { id: 'vps.list_state', label: 'State in the list of VPS', endpoint: 'listVps', type: 'text' },
  state: { id: 'vps.state', label: 'State of a VPS', endpoint: 'getVps', type: 'text' },
} as const satisfies Record<string, Reading>;
