import { z } from 'zod';
import { readContent } from '../../posting/content.ts';
import { shareFiles } from '../../posting/share-files.ts';
import type { StoredFile } from '../../world/files.ts';
import type { Workspace } from '../../world/workspace.ts';
import { count, json, reference } from '../arguments.ts';
import { channelById, threadParent } from '../destination.ts';
import { fileFacts } from '../file-facts.ts';
import { defineMethod } from '../method.ts';
import { SlackError } from '../slack-error.ts';

const maxAltTextChars = 1000;
/** Largest file that Slack takes: slack.com/help/articles/201330736. */
const maxFileBytes = 1_000_000_000;

const writeScopes = ['files:write'];

export const filesGetUploadUrlExternal = defineMethod({
  name: 'files.getUploadURLExternal',
  tier: 4,
  scopes: writeScopes,
  acceptsJson: false,
  args: z.object({
    filename: reference,
    length: count,
    alt_txt: z.string().optional(),
    snippet_type: z.string().optional(),
  }),
  run({ filename, length, alt_txt }, { baseUrl }, { files }) {
    if (length <= 0) throw new SlackError('missing_argument');
    if (length > maxFileBytes) throw new SlackError('file_upload_size_restricted');
    if ((alt_txt?.length ?? 0) > maxAltTextChars) throw new SlackError('alt_txt_too_large');
    const { file, ticket } = files.announce(filename, length, alt_txt);
    return { upload_url: `${baseUrl()}/upload/v1/${ticket}`, file_id: file.id };
  },
});

export const filesCompleteUploadExternal = defineMethod({
  name: 'files.completeUploadExternal',
  tier: 4,
  scopes: writeScopes,
  args: z.object({
    files: json(z.array(z.looseObject({ id: reference, title: z.string().optional() })).min(1)),
    channel_id: reference.optional(),
    channels: reference.optional(),
    thread_ts: reference.optional(),
    initial_comment: z.string().optional(),
    blocks: z.unknown().optional(),
  }),
  run(args, core, workspace) {
    const uploads = args.files.map(({ id, title }) => ({ file: uploaded(workspace, id), title }));
    const ids = args.channels?.split(',') ?? (args.channel_id ? [args.channel_id] : []);
    const channels = ids.map((id) => channelById(workspace, id));
    if (channels.some(({ members }) => !members.has(workspace.bot.userId)))
      throw new SlackError('not_in_channel');
    const content = readContent(
      args.initial_comment ? { text: args.initial_comment } : { blocks: args.blocks },
      workspace,
      core.mint,
    );
    const places = channels.map((channel) => ({
      channel,
      threadTs: threadParent(workspace, channel, args.thread_ts)?.ts,
    }));
    shareFiles(core, workspace, uploads, content, places);
    return { files: uploads.map(({ file }) => fileFacts(core, workspace, file)) };
  },
});

export const filesInfo = defineMethod({
  name: 'files.info',
  tier: 4,
  scopes: ['files:read'],
  acceptsJson: false,
  args: z.object({ file: reference }),
  run({ file }, core, workspace) {
    return {
      file: fileFacts(core, workspace, existing(workspace, file)),
      comments: [],
      response_metadata: { next_cursor: '' },
    };
  },
});

export const filesDelete = defineMethod({
  name: 'files.delete',
  tier: 3,
  scopes: writeScopes,
  args: z.object({ file: reference }),
  run({ file: id }, _core, workspace) {
    existing(workspace, id).deleted = true;
    return {};
  },
});

/** A file that was announced, whose bytes came, and which was not completed before. */
function uploaded({ files }: Workspace, id: string): StoredFile {
  const file = files.byId(id);
  if (!file?.bytes || file.completedMs !== undefined) throw new SlackError('file_not_found');
  return file;
}

function existing({ files }: Workspace, id: string): StoredFile {
  const file = files.byId(id);
  if (file?.deleted) throw new SlackError('file_deleted');
  if (file?.completedMs === undefined) throw new SlackError('file_not_found');
  return file;
}
