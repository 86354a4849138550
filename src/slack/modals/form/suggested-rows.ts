import type { RawRow } from '../../../operations/define/arguments/raw-input.ts';
import type { SuggestedRows } from '../../../runs/form-queries.ts';
import type { FormState } from './field-dependencies.ts';
import { createId } from './form-metadata.ts';

/**
 * Adds the suggested rows that the form doesn't have yet. Rows with the same name count as the
 * same.
 */
export function addSuggestedRows(state: FormState, suggested: SuggestedRows): FormState {
  return Object.entries(suggested).reduce((form, [name, rows]) => addRows(form, name, rows), state);
}

function addRows({ raw, metadata }: FormState, argument: string, suggested: readonly RawRow[]): FormState {
  const given = raw[argument];
  const rows = Array.isArray(given) ? given : [];
  const names = rows.map((row) => (typeof row === 'string' ? row.split('=')[0] : row.name));
  const added = suggested.filter(({ name }) => !names.includes(name));
  if (added.length === 0) return { raw, metadata };
  const rowIds = [...(metadata.rows[argument] ?? []), ...added.map(createId)];
  return {
    raw: { ...raw, [argument]: [...rows, ...added] },
    metadata: { ...metadata, rows: { ...metadata.rows, [argument]: rowIds } },
  };
}
