import type { Operation } from '../operation.ts';
import type { Control } from './argument.ts';
import type { ChoiceSource } from './choice-source.ts';
import type { RawInput, RawRow } from './raw-input.ts';

// A path is the name of a field (`vps`), or leads to a field of a row (`backends.0.vps_name`).

/** A path in the input whose value names something at the service. */
export interface RemoteField {
  readonly path: string;
  readonly source: ChoiceSource;
}

/**
 * Returns the paths whose values can name something at the service. A path comes after those on
 * which it depends.
 */
export function listRemoteFields({ arguments: fields }: Operation, raw: RawInput): readonly RemoteField[] {
  const places = Object.entries(fields).flatMap(([name, { control }]) => {
    if (control.kind === 'remote') return [{ path: name, source: control.source }];
    const rows = raw[name];
    if (control.kind !== 'rows' || !Array.isArray(rows)) return [];
    const inRow = Object.entries(control.fields).flatMap(([field, { control: inner }]) =>
      inner.kind === 'remote' ? [{ field, source: inner.source }] : [],
    );
    return rows.flatMap((_, index) =>
      inRow.map(({ field, source }) => ({ path: `${name}.${index}.${field}`, source })),
    );
  });
  return places.toSorted(
    (a, b) => Number(a.source.dependsOn !== undefined) - Number(b.source.dependsOn !== undefined),
  );
}

/** Returns the text at a path in the input. */
export function getValueAt(operation: Operation, raw: RawInput, path: string): string | undefined {
  const [name = '', index, field = ''] = path.split('.');
  const value = index === undefined ? raw[name] : getRowAt(operation, raw, name, Number(index))?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** Returns the input with another text at a path. */
export function setValueAt(operation: Operation, raw: RawInput, path: string, text: string): RawInput {
  const [name = '', index, field = ''] = path.split('.');
  const rows = raw[name];
  if (index === undefined || !Array.isArray(rows)) return { ...raw, [name]: text };
  const row = { ...getRowAt(operation, raw, name, Number(index)), [field]: text };
  return { ...raw, [name]: rows.map((given, position) => (position === Number(index) ? row : given)) };
}

function getRowAt(
  { arguments: fields }: Operation,
  raw: RawInput,
  name: string,
  index: number,
): RawRow | undefined {
  const control: Control | undefined = fields[name]?.control;
  const rows = raw[name];
  const row = Array.isArray(rows) ? rows[index] : undefined;
  return typeof row === 'string' && control?.kind === 'rows' ? control.parseWord(row) : row;
}
