import { z } from 'zod';
import { sendFileEvent } from '../../../delivery/app-events.ts';
import { parseMessageContent } from '../../../posting/message-content.ts';
import { shareFiles } from '../../../posting/share-files.ts';
import type { StoredFile } from '../../../workspace/files/file-store.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { integer, jsonArgument, nonEmptyString } from '../../arguments.ts';
import { resolveChannelById, resolveThreadParent } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { toFileObject } from '../../objects/file-object.ts';
import { SlackError } from '../../slack-error.ts';
import { resolveFile } from './resolve-file.ts';

const maxAltTextChars = 1000;
/** Maximum size of a file, from slack.com/help/articles/201330736. */
const maxFileBytes = 1_000_000_000;

const writeScopes = ['files:write'];

export const filesGetUploadUrlExternal = defineMethod({
  name: 'files.getUploadURLExternal',
  tier: 4,
  scopes: writeScopes,
  acceptsJson: false,
  args: () =>
    z.object({
      filename: nonEmptyString,
      length: integer,
      alt_txt: z.string().optional(),
      snippet_type: z.string().optional(),
    }),
  run({ filename, length, alt_txt }, { baseUrl }, { files, caller }) {
    if (length <= 0) throw new SlackError('missing_argument');
    if (length > maxFileBytes) throw new SlackError('file_upload_size_restricted');
    if ((alt_txt?.length ?? 0) > maxAltTextChars) throw new SlackError('alt_txt_too_large');
    const { file, ticket } = files.createUpload({
      name: filename,
      user: caller.userId,
      sizeBytes: length,
      altText: alt_txt,
    });
    return { upload_url: `${baseUrl()}/upload/v1/${ticket}`, file_id: file.id };
  },
});

export const filesCompleteUploadExternal = defineMethod({
  name: 'files.completeUploadExternal',
  tier: 4,
  scopes: writeScopes,
  args: () =>
    z.object({
      files: jsonArgument(
        z.array(z.looseObject({ id: nonEmptyString, title: z.string().optional() })).min(1),
      ),
      channel_id: nonEmptyString.optional(),
      channels: nonEmptyString.optional(),
      thread_ts: nonEmptyString.optional(),
      initial_comment: z.string().optional(),
      blocks: z.unknown().optional(),
    }),
  run(args, core, workspace) {
    const uploads = args.files.map(({ id, title }) => ({ file: resolveUpload(workspace, id), title }));
    const ids = args.channels?.split(',') ?? (args.channel_id ? [args.channel_id] : []);
    const channels = ids.map((id) => resolveChannelById(workspace, id));
    if (channels.some(({ members }) => !members.has(workspace.caller.userId)))
      throw new SlackError('not_in_channel');
    const content = parseMessageContent(
      args.initial_comment ? { text: args.initial_comment } : { blocks: args.blocks },
      workspace,
      core,
    );
    const places = channels.map((channel) => ({
      channel,
      threadTs: resolveThreadParent(workspace, channel, args.thread_ts)?.ts,
    }));
    shareFiles(core, workspace, uploads, content, places);
    return { files: uploads.map(({ file }) => toFileObject(core, workspace, file)) };
  },
});

export const filesInfo = defineMethod({
  name: 'files.info',
  tier: 4,
  scopes: ['files:read'],
  acceptsJson: false,
  args: () => z.object({ file: nonEmptyString }),
  run({ file }, core, workspace) {
    return {
      file: toFileObject(core, workspace, resolveFile(workspace, file)),
      comments: [],
      response_metadata: { next_cursor: '' },
    };
  },
});

export const filesDelete = defineMethod({
  name: 'files.delete',
  tier: 3,
  scopes: writeScopes,
  args: () => z.object({ file: nonEmptyString }),
  run({ file: id }, core, workspace) {
    const file = resolveFile(workspace, id);
    file.isDeleted = true;
    sendFileEvent(core, workspace, file, 'file_deleted');
    return {};
  },
});

export const filesList = defineMethod({
  name: 'files.list',
  tier: 3,
  scopes: ['files:read'],
  acceptsJson: false,
  args: () =>
    z.object({
      channel: nonEmptyString.optional(),
      user: nonEmptyString.optional(),
      count: integer.optional(),
      page: integer.optional(),
    }),
  run({ channel, user, count = 100, page = 1 }, core, workspace) {
    if (user !== undefined && !workspace.people.has(user)) throw new SlackError('user_not_found');
    const all = workspace.files
      .list()
      .filter(({ completedMs, isDeleted }) => completedMs !== undefined && !isDeleted)
      .filter(({ shares }) => channel === undefined || shares.some((share) => share.channel === channel))
      .filter((file) => user === undefined || user === file.user);
    const shown = all.slice((page - 1) * count, page * count);
    return {
      files: shown.map((file) => toFileObject(core, workspace, file)),
      paging: { count, total: all.length, page, pages: Math.ceil(all.length / count) },
    };
  },
});

/** Returns an announced file whose bytes have arrived but which isn't completed yet. */
function resolveUpload({ files }: Workspace, id: string): StoredFile {
  const file = files.findById(id);
  if (!file?.bytes || file.completedMs !== undefined) throw new SlackError('file_not_found');
  return file;
}
