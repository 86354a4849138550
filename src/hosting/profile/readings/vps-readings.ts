import { readVps, readVpsList } from '../resources/vps.ts';
import { nonEmpty, type Reading, rememberByPayload, valuesByName } from './reading.ts';

const parseVpsList = rememberByPayload((data) => readVpsList(data));

/** Facts about VPS, from the list and from a single record. */
export const vpsReadings: readonly Reading[] = [
  {
    id: 'vps.names',
    label: 'Names of the VPS',
    endpoint: 'listVps',
    type: 'names',
    canonicalField: 'vps_name',
    read: (data) => nonEmpty(parseVpsList(data, '').vps.map(({ name }) => name)),
  },
  {
    id: 'vps.hostname',
    label: 'Hostname or label',
    endpoint: 'listVps',
    type: 'text',
    canonicalField: 'hostname',
    read: (data) =>
      valuesByName(
        parseVpsList(data, '').vps,
        ({ name }) => name,
        ({ aliases }) => aliases.full[0],
      ),
  },
  {
    id: 'vps.list_state',
    label: 'State in the list of VPS',
    endpoint: 'listVps',
    type: 'text',
    canonicalField: 'state',
    read: (data) =>
      valuesByName(
        parseVpsList(data, '').vps,
        ({ name }) => name,
        ({ state }) => state,
      ),
  },
  {
    id: 'vps.state',
    label: 'State of a VPS',
    endpoint: 'getVps',
    type: 'text',
    canonicalField: 'state',
    read: (data, vpsName) => readVps(data, vpsName).state,
  },
];
