import type { Argument, Arguments, Control } from '../../../operations/define/arguments/argument.ts';
import type { FormMetadata } from './form-metadata.ts';

type BlockIdContext = Pick<FormMetadata, 'revision' | 'prefillField'>;

/**
 * Returns a field's block ID: its path, such as `snapshot` or `backends.ROW.vps_name`. Includes the revision
 * if the field's choices or initial value depend on another field.
 */
export function toBlockId(
  path: string,
  control: Control,
  { revision, prefillField }: BlockIdContext,
): string {
  const isDependent = control.kind === 'remote' && control.source.dependsOn !== undefined;
  const isPrefilled = prefillField !== undefined && path !== prefillField;
  return isDependent || isPrefilled ? `${path}@${revision}` : path;
}

export function toFieldPath(blockId: string): string {
  return blockId.replace(/@\d+$/, '');
}

export function findArgument(fields: Arguments, blockId: string): Argument | undefined {
  const [name = '', , field] = toFieldPath(blockId).split('.');
  const argument = fields[name];
  return field !== undefined && argument?.control.kind === 'rows' ? argument.control.fields[field] : argument;
}
