import type { Schedule } from '../schedule.ts';

/** Leaves room for the time. Services limit the length of names. */
const maxPrefixChars = 40;

/** Returns the name of the snapshot of one time: `nightly-20261124T0200Z`. Each time has another one. */
export function toSnapshotName({ name, act }: Pick<Schedule, 'name' | 'act'>, dueMs: number): string {
  const { name: typed } = act.input;
  const words = typeof typed === 'string' ? typed : name;
  const prefix = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, maxPrefixChars);
  const time = new Date(dueMs).toISOString().slice(0, 16).replace(/[-:]/g, '');
  return [prefix || 'snapshot', `${time}Z`.toLowerCase()].join('-');
}
