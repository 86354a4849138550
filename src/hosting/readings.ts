import { tcpPort, vpsName } from './fields.ts';

/** A record of the service, its fields as they came. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

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
}

const nameFields = ['vps_name', 'name', 'vps', 'id'];
const stateFields = ['state', 'status', 'power_state', 'power_status', 'vm_status', 'run_state'];
const sshPortFields = ['port_vps_ssh', 'vps_ssh_port', 'ssh_port', 'internal_port', 'target_port', 'value'];
const listFields = ['vps', 'items', 'data', 'results', 'list'];

/** How deep a payload is looked into. */
const mostDepth = 3;

/** Reads a list of VPS: `data.vps`, `data.items`, a map by name, or any list of records that carry a name. */
export function readVpsList(data: unknown): VpsListReading {
  const vps = findRecords(data).flatMap((found) => {
    const name = nameOf(found);
    return name === undefined ? [] : [{ name, state: stateOf(found.record), record: found.record }];
  });
  return { vps, mayHaveMore: hintsAtMorePages(data, vps.length) };
}

/** Reads one VPS, which may stand in `data` itself or in a field of it. */
export function readVps(data: unknown, name: string): VpsReading {
  const candidates = isRecord(data) ? [data, ...Object.values(data)].filter(isRecord) : [];
  const record =
    candidates.find((candidate) => nameFields.some((field) => isNamed(candidate[field], name))) ??
    findRecords(data).find((found) => nameOf(found) === name)?.record ??
    unwrap(data);
  return { name, state: stateOf(record), record };
}

/** Reads the SSH port of a VPS from the proxy's list of mappings, whose fields the API document does not show. */
export function readSshPort(data: unknown, name: string): number | undefined {
  const mapping = findRecords(data).find((candidate) => nameOf(candidate) === name);
  const ports = sshPortFields.map((field) => numberIn(mapping?.record[field]));
  return ports.find((port) => tcpPort.safeParse(port).success);
}

interface FoundRecord {
  /** Key in a map by name. */
  readonly key?: string;
  readonly record: ServiceRecord;
}

/**
 * Finds the list in a payload: an array of records, or a map of records or values by name. What carries VPS names goes before
 * what only stands where a list usually does.
 */
function findRecords(data: unknown, depth = mostDepth): readonly FoundRecord[] {
  if (Array.isArray(data)) {
    return data.flatMap((item) => {
      if (isRecord(item)) return [{ record: item }];
      return isVpsName(item) ? [{ record: { name: item } }] : [];
    });
  }
  if (!isRecord(data) || depth === 0) return [];
  const entries = Object.entries(data);
  const found = entries
    .map(([field, value]) => ({
      field,
      isList: Array.isArray(value),
      records: findRecords(value, depth - 1),
    }))
    .filter(({ records }) => records.length > 0)
    .toSorted((a, b) => Number(b.isList) - Number(a.isList));
  const named = found.filter(({ records }) => records.some(isVps));
  const byName = entries
    .filter(([key, value]) => isVpsName(key) || isRecord(value))
    .map(([key, value]) => ({ key, record: isRecord(value) ? value : { value } }))
    .filter(isVps);
  if (byName.length > 0 && !named[0]?.isList) return byName;
  return (named[0] ?? found.find(({ field }) => listFields.includes(field)) ?? found[0])?.records ?? [];
}

function isVps(found: FoundRecord): boolean {
  return isVpsName(nameOf(found));
}

/** Finds what a record is called: a VPS name wherever there is one, or else its first field for a name. */
function nameOf({ key, record }: FoundRecord): string | undefined {
  const names = [...nameFields.map((field) => record[field]), key].flatMap((value) =>
    isRecord(value) ? [value.vps_name, value.name] : [value],
  );
  const name = names.find(isVpsName) ?? names.find((value) => typeof value === 'string' && value !== '');
  return typeof name === 'string' ? canonical(name) : undefined;
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

const nextPage = /^(next|next_?(page|cursor|token|link|url|page_?url)|has_?(more|next))$/i;
const pageCount = /^(pages|total_?pages|last_?page)$/i;
const totalCount = /^total(_?(count|items|records|vps))?$/i;

function hintsAtMorePages(data: unknown, count: number, depth = mostDepth, place = 'page'): boolean {
  if (!isRecord(data) || depth === 0) return false;
  const countsTheList = /meta|pag/i.test(place) || Object.values(data).some(Array.isArray);
  return Object.entries(data).some(([field, value]) => {
    if (nextPage.test(field)) return Boolean(value);
    if (pageCount.test(field)) return numberIn(value) > 1;
    if (totalCount.test(field)) return countsTheList && numberIn(value) > count;
    return hintsAtMorePages(value, count, depth - 1, field);
  });
}

function stateOf(record: ServiceRecord, depth = mostDepth): string | undefined {
  for (const field of stateFields) {
    const value = record[field];
    if (typeof value === 'string' && value !== '') return value;
    const inner = isRecord(value) && depth > 0 ? stateOf(value, depth - 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Reads a whole number, also from text; gives NaN for anything else. */
function numberIn(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : Number.NaN;
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'string' && canonical(value) === name;
}

function isVpsName(value: unknown): value is string {
  return vpsName.safeParse(value).success;
}

function canonical(name: string): string {
  return vpsName.safeParse(name).data ?? name;
}

function isRecord(value: unknown): value is ServiceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
