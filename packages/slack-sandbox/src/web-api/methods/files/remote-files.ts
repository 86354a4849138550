import { z } from 'zod';
import { sendFileEvent } from '../../../delivery/app-events.ts';
import { postAsApp } from '../../../posting/post-message.ts';
import type { StoredFile } from '../../../workspace/files/file-store.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { nonEmptyString, paging } from '../../arguments.ts';
import { resolveChannelById } from '../../destination.ts';
import { defineMethod } from '../../method.ts';
import { toFileObject } from '../../objects/file-object.ts';
import { paginate } from '../../pagination.ts';
import { SlackError } from '../../slack-error.ts';

const reference = { file: nonEmptyString.optional(), external_id: nonEmptyString.optional() };
const url = z.url({ protocol: /^https?$/ });

export const filesRemoteAdd = defineMethod({
  name: 'files.remote.add',
  tier: 2,
  scopes: ['remote_files:write'],
  callers: 'bots',
  acceptsJson: false,
  args: () =>
    z.object({
      external_id: z.string().default(''),
      external_url: url,
      title: z.string().default(''),
      filetype: z.string().optional(),
    }),
  run({ external_id: externalId, external_url: externalUrl, title, filetype }, core, workspace) {
    if (title === '') throw new SlackError('bad_title');
    if (externalId === '' || findRemote(workspace, { external_id: externalId })) {
      throw new SlackError('invalid_external_id');
    }
    const file = workspace.files.addRemote(
      { id: externalId, url: externalUrl, filetype },
      title,
      workspace.caller.userId,
    );
    sendFileEvent(core, workspace, file, 'file_created');
    return { file: toFileObject(core, workspace, file) };
  },
});

export const filesRemoteInfo = defineMethod({
  name: 'files.remote.info',
  tier: 2,
  scopes: ['remote_files:read'],
  acceptsJson: false,
  args: () => z.object(reference),
  run: (args, core, workspace) => ({
    file: toFileObject(core, workspace, resolveRemote(workspace, args, 'too_many_ids', 'invalid_args')),
  }),
});

export const filesRemoteList = defineMethod({
  name: 'files.remote.list',
  tier: 2,
  scopes: ['remote_files:read'],
  acceptsJson: false,
  args: () => z.object({ ...paging, channel: nonEmptyString.optional() }),
  run({ channel, ...page }, core, workspace) {
    const isThere = ({ shares }: StoredFile) =>
      channel === undefined || shares.some((share) => share.channel === channel);
    const all = workspace.files.list().filter((file) => file.remote && !file.isDeleted && isThere(file));
    const { items, response_metadata } = paginate(all, page, 100);
    return { files: items.map((file) => toFileObject(core, workspace, file)), response_metadata };
  },
});

export const filesRemoteUpdate = defineMethod({
  name: 'files.remote.update',
  tier: 2,
  scopes: ['remote_files:write'],
  callers: 'bots',
  acceptsJson: false,
  args: () =>
    z.object({
      ...reference,
      title: z.string().optional(),
      external_url: z.string().optional(),
      filetype: z.string().optional(),
    }),
  run({ title, external_url: externalUrl, filetype, ...args }, core, workspace) {
    const file = resolveRemote(workspace, args, 'file_not_found', 'file_not_found');
    if (title === '') throw new SlackError('invalid_title');
    if (externalUrl !== undefined && !url.safeParse(externalUrl).success) throw new SlackError('invalid_url');
    file.title = title ?? file.title;
    if (file.remote) {
      file.remote = {
        ...file.remote,
        url: externalUrl ?? file.remote.url,
        filetype: filetype ?? file.remote.filetype,
      };
    }
    sendFileEvent(core, workspace, file, 'file_change');
    return { file: toFileObject(core, workspace, file) };
  },
});

export const filesRemoteShare = defineMethod({
  name: 'files.remote.share',
  tier: 2,
  scopes: ['remote_files:share'],
  acceptsJson: false,
  args: () => z.object({ ...reference, channels: nonEmptyString }),
  run({ channels, ...args }, core, workspace) {
    const file = resolveRemote(workspace, args, 'invalid_args', 'invalid_args');
    const places = channels.split(',').map((id) => resolveChannelById(workspace, id.trim()));
    if (places.some(({ members }) => !members.has(workspace.caller.userId))) {
      throw new SlackError('not_in_channel');
    }
    for (const channel of places) {
      const files = [toFileObject(core, workspace, file)];
      const content = { text: '', blocks: undefined, attachments: undefined, metadata: undefined };
      const { ts } = postAsApp(core, workspace, content, { channel, files });
      file.shares = [...file.shares, { channel: channel.id, ts }];
      sendFileEvent(core, workspace, file, 'file_shared', channel);
    }
    return { file: toFileObject(core, workspace, file) };
  },
});

export const filesRemoteRemove = defineMethod({
  name: 'files.remote.remove',
  tier: 2,
  scopes: ['remote_files:write'],
  callers: 'bots',
  acceptsJson: false,
  args: () => z.object(reference),
  run(args, core, workspace) {
    const file = resolveRemote(workspace, args, 'too_many_ids', 'invalid_args');
    file.isDeleted = true;
    sendFileEvent(core, workspace, file, 'file_deleted');
    return {};
  },
});

interface RemoteReference {
  readonly file?: string | undefined;
  readonly external_id?: string | undefined;
}

/** Returns a file that another service keeps. The methods differ in their errors for two IDs and for none. */
function resolveRemote(
  workspace: Workspace,
  args: RemoteReference,
  twoIdsError: string,
  noIdError: string,
): StoredFile {
  const { file, external_id } = args;
  if (file !== undefined && external_id !== undefined) throw new SlackError(twoIdsError);
  if (file === undefined && external_id === undefined) throw new SlackError(noIdError);
  const found = findRemote(workspace, args);
  if (!found) throw new SlackError('file_not_found');
  return found;
}

function findRemote({ files }: Workspace, { file, external_id }: RemoteReference): StoredFile | undefined {
  return files
    .list()
    .find(({ id, remote, isDeleted }) => remote && !isDeleted && (id === file || remote.id === external_id));
}
