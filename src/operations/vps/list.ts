import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList, type VpsReading } from '../../hosting/readings.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import { readableName, readableValue } from '../facts.ts';
import { defineRead } from '../operation.ts';
import type { Outcome, Value } from '../outcome.ts';

/** Columns beside name and state: few enough to be read on a phone. */
const mostExtraColumns = 3;

/** Fields that tell servers apart best, best first; others follow as the service orders them. */
const preferred = ['hostname', 'label', 'ipv4', 'ip', 'ip_address', 'os', 'plan', 'region', 'location'];

const shownAlready = ['vps_name', 'name', 'state', 'status'];

export const list = defineRead({
  name: 'list',
  heading: 'List VPS',
  summary: 'List the VPS of the account',
  arguments: {},
  uses: [listVps],
  async run({ read }) {
    return describeFleet(readVpsList(await read(listVps, {}, { maxAgeMs: 5_000 })));
  },
});

function describeFleet({ vps, mayHaveMore }: ReturnType<typeof readVpsList>): Outcome {
  const notes = mayHaveMore ? ['The service hints at further pages: there may be more VPS than these.'] : [];
  if (vps.length === 0) {
    return { title: 'No VPS', notes: [...notes, 'The account of this API key has no VPS.'] };
  }
  const extra = chooseColumns(vps);
  return {
    title: vps.length === 1 ? '1 VPS' : `${vps.length} VPS`,
    table: {
      columns: ['VPS', 'State', ...extra.map((field) => readableName([field]))],
      rows: vps.map(({ name, state, record }) => [
        name,
        { state: state ?? 'not shown' },
        ...extra.map((field) => cell(record[field])),
      ]),
    },
    notes,
  };
}

/** Chooses the fields that at least half of the records have as short values. */
function chooseColumns(vps: readonly VpsReading[]): string[] {
  const fields = new Set(vps.flatMap(({ record }) => Object.keys(record)));
  const candidates = [...fields].filter((field) => !shownAlready.includes(field) && !looksSecret(field));
  const common = candidates.filter(
    (field) => vps.filter(({ record }) => isShort(record[field])).length * 2 >= vps.length,
  );
  const rank = (field: string) => (preferred.includes(field) ? preferred.indexOf(field) : preferred.length);
  return common.sort((a, b) => rank(a) - rank(b)).slice(0, mostExtraColumns);
}

function isShort(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '' && value.length <= 60) ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  );
}

function cell(value: unknown): Value {
  return isShort(value) ? readableValue(value) : '–';
}
