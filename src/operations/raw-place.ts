import type { Control } from './argument.ts';
import type { Operation } from './operation.ts';
import type { RawInput, RawRow } from './outcome.ts';
import type { Source } from './sources/source.ts';

// Places in what a person gave: a field (`vps`), or a field of a row (`backends.0.vps_name`).

/** A place where one of what the service has is named. */
export interface RemotePlace {
  readonly path: string;
  readonly source: Source;
}

/** Lists the places at which an input can name what the service has, those before on which others depend. */
export function remotePlaces({ arguments: fields }: Operation, raw: RawInput): readonly RemotePlace[] {
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

/** Gives the text at a place. */
export function valueAt(operation: Operation, raw: RawInput, path: string): string | undefined {
  const [name = '', index, field = ''] = path.split('.');
  const value = index === undefined ? raw[name] : rowAt(operation, raw, name, Number(index))?.[field];
  return typeof value === 'string' ? value : undefined;
}

/** Gives the input with another text at a place. */
export function withValueAt(operation: Operation, raw: RawInput, path: string, text: string): RawInput {
  const [name = '', index, field = ''] = path.split('.');
  const rows = raw[name];
  if (index === undefined || !Array.isArray(rows)) return { ...raw, [name]: text };
  const row = { ...rowAt(operation, raw, name, Number(index)), [field]: text };
  return { ...raw, [name]: rows.map((given, position) => (position === Number(index) ? row : given)) };
}

function rowAt(
  { arguments: fields }: Operation,
  raw: RawInput,
  name: string,
  index: number,
): RawRow | undefined {
  const control: Control | undefined = fields[name]?.control;
  const rows = raw[name];
  const row = Array.isArray(rows) ? rows[index] : undefined;
  return typeof row === 'string' && control?.kind === 'rows' ? control.fromWord(row) : row;
}
