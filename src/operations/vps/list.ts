import { listVps } from '../../hosting/endpoints/vps.ts';
import { readVpsList, type VpsListReading, type VpsReading } from '../../hosting/readings/vps.ts';
import { looksSecret } from '../../hosting/secrets.ts';
import { readFact } from '../facts.ts';
import { defineRead } from '../operation.ts';
import type { Outcome, Value } from '../outcome.ts';
import { maySee, type Reach } from '../runs/access.ts';
import { tellResult } from '../tell-result.ts';
import { shownAnyway, tellingFirst } from './telling-fields.ts';

/** Columns beside name and state: few enough to be read on a phone. */
const mostExtraColumns = 3;

/** States that are counted by name. */
const mostStates = 6;

export const list = defineRead({
  name: 'list',
  heading: 'List VPS',
  summary: 'List the VPS of the account',
  arguments: {},
  isPartial: true,
  uses: [listVps],
  async run({ read, reach }) {
    const [fleet, mayDo] = await Promise.all([read(listVps, {}, { maxAgeMs: 5_000 }), reach()]);
    const reading = readVpsList(fleet);
    return mayDo({ right: 'look', vps: [] }) ? describePart(reading, mayDo) : describeFleet(reading);
  },
});

/** What stands beside the list tells of all of it, and is left out for who may not look at all. */
function describePart({ vps }: VpsListReading, reach: Reach): Outcome {
  const seen = vps.filter(({ name }) => maySee(reach, name));
  const notes = ['There may be more VPS than these: this is what you may look at.'];
  if (seen.length === 0) return { title: 'No VPS that you may look at', notes };
  return { ...describeFleet({ vps: seen, mayHaveMore: false, rest: {} }), notes };
}

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
      columns: ['VPS', 'State', ...extra.map((field) => columnOf(field, vps))],
      rows: vps.map(({ name, state, record }) => [
        name,
        { state: state ?? 'not shown' },
        ...extra.map((field) => cell(field, record[field])),
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
function chooseColumns(vps: readonly VpsReading[]): readonly string[] {
  const fields = new Set(vps.flatMap(({ record }) => Object.keys(record)));
  const candidates = [...fields].filter((field) => !shownAnyway.includes(field) && !looksSecret(field));
  const common = candidates.filter(
    (field) => vps.filter(({ record }) => isShort(record[field])).length * 2 >= vps.length,
  );
  return tellingFirst(common).slice(0, mostExtraColumns);
}

function isShort(value: unknown): boolean {
  return (
    (typeof value === 'string' && value !== '' && value.length <= 60) ||
    typeof value === 'number' ||
    typeof value === 'boolean'
  );
}

/** Names a column; a unit that its cells have is not in it. */
function columnOf(field: string, vps: readonly VpsReading[]): string {
  return readFact([field], vps.map(({ record }) => record[field]).find(isShort)).label;
}

function cell(field: string, value: unknown): Value {
  return isShort(value) ? readFact([field], value).value : '–';
}
