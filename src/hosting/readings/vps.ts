import { findList, type ListKind } from './lists.ts';
import {
  canonicalName,
  isRecord,
  isVpsName,
  type ServiceRecord,
  stateOf,
  valuesOf,
  vpsNameOrName,
} from './records.ts';

/** A VPS as far as a payload of unknown shape tells. */
export interface VpsReading {
  /** As the service writes it, with the prefix of a VPS name in upper case. */
  readonly name: string;
  /** The service's own word for the state, if one was found. */
  readonly state: string | undefined;
  readonly record: ServiceRecord;
}

export interface VpsListReading {
  readonly vps: readonly VpsReading[];
  /** Whether the payload hints at further pages, so that a name not in the list may still exist. */
  readonly mayHaveMore: boolean;
  /** What came beside the list. */
  readonly rest: ServiceRecord;
}

const vpsKind: ListKind<VpsReading> = {
  fields: /^(vps|vpslist|vpss|servers?|instances|machines|vms)$/,
  fits: ({ key, record }) => isVpsName(vpsNameOrName(record, key)),
  recordOf: (value, key) => {
    if (key !== undefined) return isVpsName(key) ? { value } : undefined;
    return isVpsName(value) ? { name: value } : undefined;
  },
  read({ key, record }) {
    const name = vpsNameOrName(record, key);
    return name === undefined ? undefined : { name, state: stateOf(record), record };
  },
};

/** Reads a list of VPS: `data.vps`, `data.items`, a map by name, or any list of records that carry a name. */
export function readVpsList(data: unknown): VpsListReading {
  const { readings, mayHaveMore, rest } = findList(data, vpsKind);
  return { vps: readings, mayHaveMore, rest };
}

/** How deep a VPS may be wrapped. */
const mostDepth = 3;

/** Reads one VPS, which may stand in `data` itself or in a field of it. */
export function readVps(data: unknown, name: string): VpsReading {
  const candidates = isRecord(data) ? [data, ...Object.values(data)].filter(isRecord) : [];
  const record =
    candidates.find((candidate) => isCalled(candidate, name)) ??
    findList(data, vpsKind).readings.find((vps) => vps.name === name)?.record ??
    unwrap(data);
  return { name, state: stateOf(record), record };
}

function isCalled(record: ServiceRecord, name: string): boolean {
  return valuesOf(record, ['vpsname', 'name', 'vps', 'id']).some(
    (value) => typeof value === 'string' && canonicalName(value) === name,
  );
}

/** Takes a record out of what is only its wrapping. */
function unwrap(data: unknown, depth = mostDepth): ServiceRecord {
  if (Array.isArray(data)) return data.find(isRecord) ?? {};
  if (!isRecord(data)) return {};
  const values = Object.values(data);
  const inner = isRecord(data.vps) ? data.vps : values.length === 1 ? values[0] : undefined;
  const isWrapping = stateOf(data) === undefined && typeof inner === 'object' && inner !== null && depth > 0;
  return isWrapping ? unwrap(inner, depth - 1) : data;
}
