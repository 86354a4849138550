import type { Core } from '../../core.ts';
import type { JsonObject } from '../../json.ts';
import type { StoredFile } from '../../workspace/files/file-store.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { toImageFields } from './image-fields.ts';

/** Describes a file like `files.info` does. Its type is empty until Slack has processed it. */
export function toFileObject(core: Core, workspace: Workspace, file: StoredFile): JsonObject {
  const created = Math.floor(file.createdMs / 1000);
  const url = `${core.baseUrl()}/files-pri/${workspace.team.id}-${file.id}`;
  const channels = [...new Set(file.shares.map(({ channel }) => channel))];
  const isIm = (channel: string) => workspace.channels.get(channel)?.kind === 'im';
  return {
    id: file.id,
    created,
    timestamp: created,
    name: file.name,
    title: file.title,
    mimetype: file.type?.mimetype ?? '',
    filetype: file.remote?.filetype ?? file.type?.filetype ?? '',
    pretty_type: file.type?.prettyType ?? '',
    user: file.user,
    user_team: workspace.team.id,
    editable: false,
    file_access: 'visible',
    size: file.sizeBytes,
    mode: file.remote ? 'external' : 'hosted',
    is_external: file.remote !== undefined,
    external_type: file.remote ? 'app' : '',
    ...(file.remote && { external_id: file.remote.id, external_url: file.remote.url }),
    is_public: channels.some((channel) => !isIm(channel)),
    public_url_shared: file.publicSecret !== undefined,
    ...(file.publicSecret !== undefined && {
      permalink_public: `https://slack-files.com/${workspace.team.id}-${file.id}-${file.publicSecret}`,
    }),
    display_as_bot: false,
    username: '',
    url_private: `${url}/${encodeURIComponent(file.name)}`,
    url_private_download: `${url}/download/${encodeURIComponent(file.name)}`,
    ...toImageFields(file, `${core.baseUrl()}/files-tmb/${workspace.team.id}-${file.id}`),
    permalink: `https://${workspace.team.domain}.slack.com/files/${file.user}/${file.id}/${encodeURIComponent(file.name)}`,
    ...(file.altText !== undefined && { alt_txt: file.altText }),
    channels: channels.filter((channel) => !isIm(channel)),
    groups: [],
    ims: channels.filter(isIm),
    shares: toShares(workspace, file),
    comments_count: 0,
    has_rich_preview: false,
  };
}

/** Lists where a file is shared: by whether everyone can see the place, then by channel. */
function toShares({ channels, messages, team }: Workspace, { shares, user: owner }: StoredFile): JsonObject {
  const places: Record<string, Record<string, JsonObject[]>> = {};
  for (const { channel: id, ts } of shares) {
    const channel = channels.get(id);
    const kind = channel?.kind === 'public' ? 'public' : 'private';
    const thread = messages.find(id, ts)?.thread_ts;
    const replies = messages.list(id).filter((each) => each.thread_ts === ts && each.ts !== ts);
    const users = [...new Set(replies.map(({ user }) => user))];
    places[kind] ??= {};
    places[kind][id] = [
      ...(places[kind][id] ?? []),
      {
        reply_users: users,
        reply_users_count: users.length,
        reply_count: replies.length,
        ts,
        ...(thread !== undefined && { thread_ts: thread }),
        channel_name: channel?.name ?? '',
        team_id: team.id,
        share_user_id: owner,
      },
    ];
  }
  return places;
}
