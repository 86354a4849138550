import type { Schedule } from '../schedule.ts';

/** Services limit the length of names, so this leaves room for the time. */
const maxPrefixChars = 40;

/**
 * Returns the name of an occurrence's snapshot: `nightly-20261124T0200Z`. The time makes it unique.
 */
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
