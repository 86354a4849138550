import { vpsName } from './fields.ts';

/** A record of the service, its fields as they came. */
export type ServiceRecord = Readonly<Record<string, unknown>>;

/** A VPS as far as a payload of unknown shape tells. */
export interface VpsReading {
  /** As the service writes it. */
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

/** Reads a list of VPS: `data.vps`, `data.items`, a map by name, or any list of records that carry a name. */
export function readVpsList(data: unknown): VpsListReading {
  return { vps: findRecords(data).flatMap(readNamed), mayHaveMore: hintsAtMorePages(data) };
}

/** Reads one VPS, which may stand in `data` itself or in a field of it. */
export function readVps(data: unknown, name: string): VpsReading {
  const candidates = [data, ...(isRecord(data) ? Object.values(data) : [])].filter(isRecord);
  const record = candidates.find((candidate) => nameFields.some((field) => sameName(candidate[field], name)));
  const found = record ?? candidates[0] ?? {};
  return { name, state: stateOf(found), record: found };
}

function readNamed({ key, record }: KeyedRecord): VpsReading[] {
  const field = nameFields.find((candidate) => typeof record[candidate] === 'string');
  const name = field === undefined ? key : record[field];
  return typeof name === 'string' ? [{ name: canonical(name), state: stateOf(record), record }] : [];
}

/** Reads the SSH port of a VPS from the proxy's list of mappings, whose fields the API document does not show. */
export function readSshPort(data: unknown, name: string): number | undefined {
  const mapping = findRecords(data).find(
    ({ key, record }) => sameName(key, name) || nameFields.some((field) => sameName(record[field], name)),
  );
  const port = Number(
    mapping?.record.port_vps_ssh ?? mapping?.record.ssh_port ?? mapping?.record.internal_port,
  );
  return Number.isInteger(port) ? port : undefined;
}

interface KeyedRecord {
  /** Key in a map by name. */
  readonly key?: string;
  readonly record: ServiceRecord;
}

/** Finds the list in a payload: the first array of records, looked for from the top, or a map whose values are records. */
function findRecords(data: unknown, depth = 3): readonly KeyedRecord[] {
  if (Array.isArray(data)) {
    return data.flatMap((record) => {
      if (isRecord(record)) return [{ record }];
      return typeof record === 'string' ? [{ record: { name: record } }] : [];
    });
  }
  if (!isRecord(data) || depth === 0) return [];
  const entries = Object.entries(data);
  const lists = entries.filter(
    ([, value]) => Array.isArray(value) && value.some((item) => isRecord(item) || typeof item === 'string'),
  );
  const list = lists.find(([key]) => ['vps', 'items', 'data', 'results', 'list'].includes(key)) ?? lists[0];
  if (list) return findRecords(list[1], depth - 1);
  const records = entries.flatMap(([key, record]) => (isRecord(record) ? [{ key, record }] : []));
  const byName = records.filter(({ key }) => vpsName.safeParse(key).success);
  if (byName.length > 0) return byName;
  for (const { record } of records) {
    const nested = findRecords(record, depth - 1);
    if (nested.length > 0) return nested;
  }
  return [];
}

function hintsAtMorePages(data: unknown, depth = 2): boolean {
  if (!isRecord(data) || depth === 0) return false;
  return Object.entries(data).some(([field, value]) => {
    if (/^(next|next_page|next_cursor|next_page_url|has_more)$/.test(field)) return Boolean(value);
    if (/^(pages|total_pages|last_page)$/.test(field)) return Number(value) > 1;
    return hintsAtMorePages(value, depth - 1);
  });
}

function stateOf(record: ServiceRecord): string | undefined {
  for (const field of stateFields) {
    const value = record[field];
    if (typeof value === 'string' && value !== '') return value;
    if (isRecord(value)) return stateOf(value);
  }
  return undefined;
}

function sameName(value: unknown, name: string): boolean {
  return typeof value === 'string' && canonical(value) === name;
}

function canonical(name: string): string {
  const parsed = vpsName.safeParse(name);
  return parsed.success ? parsed.data : name;
}

function isRecord(value: unknown): value is ServiceRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
