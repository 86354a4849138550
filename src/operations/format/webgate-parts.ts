import { findState } from '../../hosting/payloads/record.ts';
import type { DedicatedPort, LoadBalancerBackend } from '../../hosting/payloads/webgate.ts';
import type { Fact } from '../define/outcome.ts';

/** Formats a backend, with its state if known: `VPS-10001:80 (backup, up)`. */
export function formatBackend({
  vpsName = 'not shown',
  targetPort,
  isBackup,
  record,
}: LoadBalancerBackend): string {
  const traits = [isBackup ? 'backup' : undefined, findState(record)].filter((trait) => trait !== undefined);
  return `${formatTarget(vpsName, targetPort)}${traits.length > 0 ? ` (${traits.join(', ')})` : ''}`;
}

/** Formats the target of a dedicated port: `VPS-10001:25 by tcp`. */
export function formatPort({ vpsName = 'not shown', targetPort, protocol }: DedicatedPort): string {
  return `${formatTarget(vpsName, targetPort)}${protocol === undefined ? '' : ` by ${protocol}`}`;
}

/** Returns whether a fact says that no dedicated port is linked. The service writes that as 0. */
export function isUnlinkedPort({ label, value }: Fact): boolean {
  return /^dedicated port( ID)?$/i.test(label) && value === '0';
}

function formatTarget(vpsName: string, targetPort: number | undefined): string {
  return targetPort === undefined ? vpsName : `${vpsName}:${targetPort}`;
}
