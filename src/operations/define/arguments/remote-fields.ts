import { isVpsName, normalizeVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { Operation } from '../operation.ts';
import type { Control } from './argument.ts';
import type { ChoiceSource } from './choice-source.ts';
import type { RawInput, RawRow } from './raw-input.ts';

// A path leads to a field (`vps`), to a field in a row (`backends.0.vps_name`), or to a word in a text
// (`vps.0`).

/** A value in the input that names something at the service. */
export interface RemoteField {
  readonly path: string;
  readonly source: ChoiceSource;
  /** Set if the path leads to a word in a text. */
  readonly isWord?: true;
}

/** Returns the input's values that can name something at the service. Those that depend on another value come last. */
export function listRemoteFields({ arguments: fields }: Operation, raw: RawInput): readonly RemoteField[] {
  const places = Object.entries(fields).flatMap(([name, { control }]): readonly RemoteField[] => {
    if (control.kind === 'remote') return [{ path: name, source: control.source }];
    const rows = raw[name];
    if (control.kind === 'vpsWords' && typeof rows === 'string')
      return splitWords(rows).flatMap((word, index) =>
        isVpsReference(word)
          ? [{ path: `${name}.${index}`, source: control.source, isWord: true as const }]
          : [],
      );
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

export function getValueAt(operation: Operation, raw: RawInput, path: string): string | undefined {
  const [name = '', index, field = ''] = path.split('.');
  const given = raw[name];
  if (index !== undefined && typeof given === 'string') return splitWords(given)[Number(index)];
  const value = index === undefined ? given : getRowAt(operation, raw, name, Number(index))?.[field];
  return typeof value === 'string' ? value : undefined;
}

export function setValueAt(operation: Operation, raw: RawInput, path: string, text: string): RawInput {
  const [name = '', index, field = ''] = path.split('.');
  const rows = raw[name];
  if (index !== undefined && typeof rows === 'string')
    return { ...raw, [name]: replaceWord(rows, Number(index), text) };
  if (index === undefined || !Array.isArray(rows)) return { ...raw, [name]: text };
  const row = { ...getRowAt(operation, raw, name, Number(index)), [field]: text };
  return { ...raw, [name]: rows.map((given, position) => (position === Number(index) ? row : given)) };
}

/** Splits a text into words. Paths refer to a word by its index. */
export function splitWords(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter((word) => word !== '');
}

export function replaceWord(text: string, index: number, word: string): string {
  return splitWords(text)
    .map((given, position) => (position === index ? word : given))
    .join(' ');
}

/** Returns whether a word has to be resolved: it is neither a VPS name nor a pattern. */
export function isVpsReference(word: string): boolean {
  return !word.includes('*') && !isVpsName(normalizeVpsName(word));
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
