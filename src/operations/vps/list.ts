import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList, type VpsListReading, type VpsReading } from '../../hosting/readings/vps.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import { readableName, readableValue } from '../facts.ts';
import { defineRead } from '../operation.ts';
import type { Outcome, Value } from '../outcome.ts';
import { tellResult } from '../tell-result.ts';

/** Columns beside name and state: few enough to be read on a phone. */
const mostExtraColumns = 3;

/** States that are counted by name. */
const mostStates = 6;

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

function describeFleet({ vps, mayHaveMore, rest }: VpsListReading): Outcome {
  const notes = mayHaveMore ? ['The service hints at further pages: there may be more VPS than these.'] : [];
  if (vps.length === 0) {
    return {
      title: 'No VPS',
      ...tellResult(rest),
      notes: [...notes, 'The account of this API key has no VPS.'],
      next: [{ label: 'Whose Key Is It?', operation: 'whoami', input: {} }],
    };
  }
  const extra = chooseColumns(vps);
  return {
    title: `${vps.length} VPS`,
    ...tellResult(rest, { known: [{ label: 'States', value: countStates(vps) }] }),
    table: {
      columns: ['VPS', 'State', ...extra.map((field) => readableName([field]))],
      rows: vps.map(({ name, state, record }) => [
        name,
        { state: state ?? 'not shown' },
        ...extra.map((field) => cell(record[field])),
      ]),
    },
    notes,
    next: [{ label: 'Quota', operation: 'quota', input: {} }],
    choose: [{ label: 'Show a VPS', operation: 'show', argument: 'vps', input: {} }],
  };
}

/** Counts the states in words, the most frequent first: "11 running, 1 stopped". */
function countStates(vps: readonly VpsReading[]): string {
  const counts = new Map<string, number>();
  for (const { state = 'without a state' } of vps) counts.set(state, (counts.get(state) ?? 0) + 1);
  const frequent = [...counts].sort(([, a], [, b]) => b - a);
  const others = frequent.slice(mostStates).reduce((sum, [, count]) => sum + count, 0);
  const words = frequent.slice(0, mostStates).map(([state, count]) => `${count} ${state}`);
  return [...words, ...(others > 0 ? [`${others} in other states`] : [])].join(', ');
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
