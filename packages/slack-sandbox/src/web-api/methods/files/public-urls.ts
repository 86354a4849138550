import { z } from 'zod';
import { sendFileEvent } from '../../../delivery/app-events.ts';
import { nonEmptyString } from '../../arguments.ts';
import { defineMethod } from '../../method.ts';
import { toFileObject } from '../../objects/file-object.ts';
import { resolveFile } from './resolve-file.ts';

export const filesSharedPublicUrl = defineMethod({
  name: 'files.sharedPublicURL',
  tier: 3,
  scopes: ['files:write'],
  callers: 'people',
  args: z.object({ file: nonEmptyString }),
  run({ file: id }, core, workspace) {
    const file = resolveFile(workspace, id);
    file.publicSecret ??= core.ids.secret();
    sendFileEvent(core, workspace, file, 'file_public');
    return { file: toFileObject(core, workspace, file) };
  },
});

export const filesRevokePublicUrl = defineMethod({
  name: 'files.revokePublicURL',
  tier: 3,
  scopes: ['files:write'],
  args: z.object({ file: nonEmptyString }),
  run({ file: id }, core, workspace) {
    const file = resolveFile(workspace, id);
    file.publicSecret = undefined;
    return { file: toFileObject(core, workspace, file) };
  },
});
