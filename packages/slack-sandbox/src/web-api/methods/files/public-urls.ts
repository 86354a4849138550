import { z } from 'zod';
import { sendFileEvent } from '../../../delivery/app-events.ts';
import type { StoredFile } from '../../../workspace/files/file-store.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { toFileObject } from '../../objects/file-object.ts';
import { SlackError } from '../../slack-error.ts';
import { resolveFile } from './resolve-file.ts';

export const filesSharedPublicUrl = defineMethod({
  name: 'files.sharedPublicURL',
  tier: 3,
  scopes: ['files:write'],
  callers: 'people',
  args: () => z.object({ file: nonEmptyString }),
  run({ file: id }, core, workspace) {
    const file = resolvePresentFile(workspace, id);
    file.publicSecret ??= core.ids.secret();
    sendFileEvent(core, workspace, file, 'file_public');
    return { file: toFileObject(core, workspace, file) };
  },
});

export const filesRevokePublicUrl = defineMethod({
  name: 'files.revokePublicURL',
  tier: 3,
  scopes: ['files:write'],
  args: () => z.object({ file: nonEmptyString }),
  run({ file: id }, core, workspace) {
    const file = resolvePresentFile(workspace, id);
    file.publicSecret = undefined;
    return { file: toFileObject(core, workspace, file) };
  },
});

/** Returns a file. A deleted one is not found, because these methods have no error of their own for it. */
function resolvePresentFile(workspace: Workspace, id: string): StoredFile {
  if (workspace.files.findById(id)?.isDeleted) throw new SlackError('file_not_found');
  return resolveFile(workspace, id);
}
