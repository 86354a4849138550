import { isUsualName } from '../../hosting/harmless-fields.ts';
import type { RedactedPayload } from '../../hosting/secret-redaction.ts';
import type { Secret } from '../define/outcome.ts';
import { formatFieldName } from './facts.ts';

/**
 * Labels a payload's secrets by their paths, without the prefix that all paths share. Leaves out unusual
 * field names, because everyone can see the labels.
 */
export function labelSecrets(found: RedactedPayload['secrets']): readonly Secret[] {
  const common = commonPrefixLength(found.map(({ path }) => path));
  return found.map(({ path, value }) => ({
    label: formatFieldName(path.slice(common).filter(isUsualName)) || 'Secret',
    value,
  }));
}

/** Returns the length of the prefix that all paths share. The last segment of a path is never part of it. */
function commonPrefixLength([first = [], ...others]: readonly (readonly string[])[]): number {
  if (others.length === 0) return 0;
  const most = Math.min(...[first, ...others].map(({ length }) => length - 1));
  const differs = first.findIndex((place, depth) => others.some((other) => other[depth] !== place));
  return Math.max(0, differs === -1 ? most : Math.min(differs, most));
}
