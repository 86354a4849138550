import type { Problem } from '../block-kit/validation/validate.ts';
import { getString, isObject } from '../json.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import type { Workspace } from '../workspace/workspace.ts';

/**
 * Reports images in blocks that Slack can't show, because the file is unknown, deleted, not an
 * image, or not processed yet. `pointer` says where `value` is.
 */
export function validateSlackFiles(workspace: Workspace, value: unknown, pointer: string): Problem[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => validateSlackFiles(workspace, item, `${pointer}/${index}`));
  }
  if (!isObject(value)) return [];
  const parts = Object.entries(value).flatMap(([field, part]) =>
    validateSlackFiles(workspace, part, `${pointer}/${field}`),
  );
  const isShown =
    value.type !== 'image' ||
    !('slack_file' in value) ||
    isDisplayableImage(findSlackFile(workspace, value.slack_file));
  return isShown ? parts : [...parts, { pointer: `${pointer}/slack_file`, message: 'invalid slack file' }];
}

const isDisplayableImage = (file: StoredFile | undefined) => file?.type?.isImage === true && !file.isDeleted;

function findSlackFile(workspace: Workspace, slackFile: unknown): StoredFile | undefined {
  if (!isObject(slackFile)) return undefined;
  const id = getString(slackFile, 'id') ?? /-(F[A-Z0-9]+)\//.exec(getString(slackFile, 'url') ?? '')?.[1];
  return id === undefined ? undefined : workspace.files.findById(id);
}
