import { getVps } from '../../hosting/endpoints/vps.ts';
import { textOf } from '../../hosting/readings/records.ts';
import { readVps, type VpsReading } from '../../hosting/readings/vps.ts';
import type { Present, Read } from '../operation.ts';
import type { Fact } from '../outcome.ts';
import { presentIfPermitted, presentOf } from '../present.ts';

/** What tells people which VPS it is, and what is on it, by the bare names of fields. */
const identity: readonly (readonly [label: string, fields: readonly string[]])[] = [
  ['Hostname', ['hostname', 'fqdn', 'label']],
  ['System', ['os', 'operatingsystem', 'osname', 'image', 'template', 'distribution']],
];

/** Reads what a confirmation shows of a VPS: its state. */
export function presentVps(read: Read, name: string): Promise<Present> {
  return presentIfPermitted('State', async () => presentOf([stateFact(await readOne(read, name))]));
}

/** Reads what a confirmation shows of a VPS that may be lost: its state, and what is on it. */
export function presentVpsWhole(read: Read, name: string): Promise<Present> {
  return presentIfPermitted('State', async () => {
    const vps = await readOne(read, name);
    const known = identity.flatMap(([label, fields]) => {
      const value = textOf(vps.record, fields);
      return value === undefined ? [] : [{ label, value }];
    });
    return presentOf([stateFact(vps), ...known]);
  });
}

async function readOne(read: Read, name: string): Promise<VpsReading> {
  return readVps(await read(getVps, { params: { vps_name: name } }), name);
}

function stateFact({ state = 'not shown' }: VpsReading): Fact {
  return { label: 'State', value: { state } };
}
