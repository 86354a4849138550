import type { Problem } from '../block-kit/check.ts';
import { isObject, textAt } from '../json.ts';
import type { StoredFile } from '../world/files.ts';
import type { Workspace } from '../world/workspace.ts';

/**
 * Finds images of blocks that Slack cannot show: their file is unknown, deleted, no picture, or not yet looked at.
 * `pointer` is where `value` stands.
 */
export function checkSlackFiles(workspace: Workspace, value: unknown, pointer: string): Problem[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => checkSlackFiles(workspace, item, `${pointer}/${index}`));
  }
  if (!isObject(value)) return [];
  const parts = Object.entries(value).flatMap(([field, part]) =>
    checkSlackFiles(workspace, part, `${pointer}/${field}`),
  );
  const isShown =
    value.type !== 'image' || !('slack_file' in value) || isPicture(find(workspace, value.slack_file));
  return isShown ? parts : [...parts, { pointer: `${pointer}/slack_file`, message: 'invalid slack file' }];
}

const isPicture = (file: StoredFile | undefined) => file?.kind?.isImage === true && !file.deleted;

function find(workspace: Workspace, slackFile: unknown): StoredFile | undefined {
  if (!isObject(slackFile)) return undefined;
  const id = textAt(slackFile, 'id') ?? /-(F[A-Z0-9]+)\//.exec(textAt(slackFile, 'url') ?? '')?.[1];
  return id === undefined ? undefined : workspace.files.byId(id);
}
