import type { StoredFile } from '../../../workspace/files/file-store.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { SlackError } from '../../slack-error.ts';

/** Returns a completed file. Throws Slack's error if there is none. */
export function resolveFile({ files }: Workspace, id: string): StoredFile {
  const file = files.findById(id);
  if (file?.isDeleted) throw new SlackError('file_deleted');
  if (file?.completedMs === undefined) throw new SlackError('file_not_found');
  return file;
}
