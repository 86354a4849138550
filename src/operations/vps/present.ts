import { getVps } from '../../hosting/endpoints/vps.ts';
import { readVps } from '../../hosting/readings.ts';
import { ifPermitted } from '../if-permitted.ts';
import type { Present, Read } from '../operation.ts';

/** Reads what a confirmation shows of a VPS: its state. */
export async function presentVps(read: Read, name: string): Promise<Present> {
  const value = await ifPermitted(async () => {
    const { state } = readVps(await read(getVps, { params: { vps_name: name } }), name);
    return { state: state ?? 'not shown' };
  });
  return { facts: [{ label: 'State', value }], state: JSON.stringify(value) };
}
