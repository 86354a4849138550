import { portReadings } from '../../readings/service-readings.ts';
import { findFlag } from '../../values/flags.ts';
import { parseInteger } from '../../values/numbers.ts';
import { findPort } from '../../values/ports.ts';
import {
  findOwnerVpsName,
  findText,
  findValues,
  isRecord,
  isVpsName,
  normalizeVpsName,
  type ServiceRecord,
} from '../../values/records.ts';

/** A VPS behind a load balancer. */
export interface LoadBalancerBackend {
  readonly vpsName?: string;
  readonly targetPort?: number;
  readonly weight?: number;
  readonly isBackup?: boolean;
  readonly record: ServiceRecord;
}

/** Reads backends from a list, a map by VPS, or a single backend in place of the list. */
export function readBackends(value: unknown): LoadBalancerBackend[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => readBackend(item) ?? []);
  if (!isRecord(value)) return [];
  if (findOwnerVpsName(value) !== undefined) return [readBackendRecord(value, undefined)];
  return Object.entries(value).flatMap(([key, inner]) =>
    Array.isArray(inner) ? readBackends(inner) : (readBackend(inner, key) ?? []),
  );
}

/** Reads a backend: a record or `VPS-10001:8080`. In a map by VPS, the value can be a record or a port. */
function readBackend(value: unknown, key?: string): LoadBalancerBackend | undefined {
  if (isRecord(value)) return readBackendRecord(value, key);
  const [name, port] = typeof value === 'string' && key === undefined ? value.split(':') : [key, value];
  if (!isVpsName(name)) return undefined;
  const targetPort = parseInteger(port, 1, 65_535);
  return {
    vpsName: normalizeVpsName(name),
    ...(targetPort !== undefined && { targetPort }),
    record: key === undefined ? { backend: value } : { [key]: value },
  };
}

function readBackendRecord(record: ServiceRecord, key: string | undefined): LoadBalancerBackend {
  const named = [findText(record, ['name', 'id']), key].find(isVpsName);
  const vpsName = findOwnerVpsName(record) ?? (named === undefined ? undefined : normalizeVpsName(named));
  const targetPort = findPort(record, [...portReadings.target.fields, 'port'])?.port;
  const weight = findValues(record, ['weight']).map((value) => parseInteger(value))[0];
  const isBackup = findFlag(record, ['isbackup', 'backup']);
  return {
    ...(vpsName !== undefined && { vpsName }),
    ...(targetPort !== undefined && { targetPort }),
    ...(weight !== undefined && { weight }),
    ...(isBackup !== undefined && { isBackup }),
    record,
  };
}
