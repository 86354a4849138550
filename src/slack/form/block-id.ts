import type { Argument, Arguments, Control } from '../../operations/argument.ts';
import type { FormMetadata } from './metadata.ts';

/** What of a form the ids of its blocks depend on. */
type Ids = Pick<FormMetadata, 'revision' | 'filledBy'>;

/**
 * Writes the id of the block of a field: its path, `snapshot` or `backends.ROW.vps_name`, with the revision where its value depends on another
 * field, by its choices or because it is filled by it.
 */
export function blockIdOf(path: string, control: Control, { revision, filledBy }: Ids): string {
  const isDependent = control.kind === 'remote' && control.source.dependsOn !== undefined;
  const isFilled = filledBy !== undefined && path !== filledBy;
  return isDependent || isFilled ? `${path}@${revision}` : path;
}

/** Gives the path of the field that a block is of. */
export function pathOf(blockId: string): string {
  return blockId.replace(/@\d+$/, '');
}

/** Finds the argument whose field a block is of. */
export function argumentAt(fields: Arguments, blockId: string): Argument | undefined {
  const [name = '', , field] = pathOf(blockId).split('.');
  const argument = fields[name];
  return field !== undefined && argument?.control.kind === 'rows' ? argument.control.fields[field] : argument;
}
