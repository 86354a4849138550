import type { BackendReading } from '../../hosting/readings/backends.ts';
import { stateOf } from '../../hosting/readings/records.ts';
import type { DedicatedPortReading } from '../../hosting/readings/webgate.ts';
import type { Fact } from '../outcome.ts';

/** Writes what a backend is, with its state where the service tells: `VPS-10001:80 (backup, up)`. */
export function describeBackend({
  vpsName = 'not shown',
  targetPort,
  isBackup,
  record,
}: BackendReading): string {
  const traits = [isBackup ? 'backup' : undefined, stateOf(record)].filter((trait) => trait !== undefined);
  return `${targetOf(vpsName, targetPort)}${traits.length > 0 ? ` (${traits.join(', ')})` : ''}`;
}

/** Writes where a dedicated port leads: `VPS-10001:25 by tcp`. */
export function describePort({ vpsName = 'not shown', targetPort, protocol }: DedicatedPortReading): string {
  return `${targetOf(vpsName, targetPort)}${protocol === undefined ? '' : ` by ${protocol}`}`;
}

/** Tells whether a fact says that no dedicated port is linked: the service writes 0 for none. */
export function isNoPort({ label, value }: Fact): boolean {
  return /^dedicated port( ID)?$/i.test(label) && value === '0';
}

function targetOf(vpsName: string, targetPort: number | undefined): string {
  return targetPort === undefined ? vpsName : `${vpsName}:${targetPort}`;
}
