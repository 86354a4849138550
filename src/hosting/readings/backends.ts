import { integerOf } from './numbers.ts';
import {
  canonicalName,
  isRecord,
  isVpsName,
  ownerOf,
  type ServiceRecord,
  textOf,
  valuesOf,
} from './records.ts';

/** A VPS behind a load balancer. */
export interface BackendReading {
  readonly vpsName?: string;
  readonly targetPort?: number;
  readonly weight?: number;
  readonly isBackup?: boolean;
  readonly record: ServiceRecord;
}

/** Bare names of a port on a VPS. */
export const targetPortFields = [
  'targetport',
  'internalport',
  'privateport',
  'backendport',
  'vpsport',
  'target',
];

/** Reads backends: a list, or a map by VPS. */
export function backendsIn(value: unknown): BackendReading[] {
  if (Array.isArray(value)) return value.flatMap((item: unknown) => backendIn(item) ?? []);
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => backendIn(inner, key) ?? []);
}

/** Reads a backend: a record, `VPS-10001:8080`, or in a map by VPS a record or a port. */
function backendIn(value: unknown, key?: string): BackendReading | undefined {
  if (isRecord(value)) return backendInRecord(value, key);
  const [name, port] = typeof value === 'string' && key === undefined ? value.split(':') : [key, value];
  if (!isVpsName(name)) return undefined;
  const targetPort = integerOf(port, 1, 65_535);
  return {
    vpsName: canonicalName(name),
    ...(targetPort !== undefined && { targetPort }),
    record: key === undefined ? { backend: value } : { [key]: value },
  };
}

function backendInRecord(record: ServiceRecord, key: string | undefined): BackendReading {
  const named = [textOf(record, ['name', 'id']), key].find(isVpsName);
  const vpsName = ownerOf(record) ?? (named === undefined ? undefined : canonicalName(named));
  const targetPort = portAt(record, [...targetPortFields, 'port']);
  const weight = valuesOf(record, ['weight']).map((value) => integerOf(value))[0];
  const isBackup = valuesOf(record, ['isbackup', 'backup']).find((value) => typeof value === 'boolean');
  return {
    ...(vpsName !== undefined && { vpsName }),
    ...(targetPort !== undefined && { targetPort }),
    ...(weight !== undefined && { weight }),
    ...(typeof isBackup === 'boolean' && { isBackup }),
    record,
  };
}

/** Reads the first port under the given bare names. */
export function portAt(
  record: ServiceRecord,
  fields: readonly string[],
  { min, max }: { readonly min: number; readonly max: number } = { min: 1, max: 65_535 },
): number | undefined {
  return valuesOf(record, fields)
    .map((value) => integerOf(value, min, max))
    .find((port) => port !== undefined);
}
