import type { Core } from '../core.ts';
import { sendFileEvent } from '../delivery/app-events.ts';
import { toFileObject } from '../web-api/objects/file-object.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { MessageContent } from './message-content.ts';
import { postAsApp } from './post-message.ts';

interface Upload {
  readonly file: StoredFile;
  readonly title: string | undefined;
}

interface ShareTarget {
  readonly channel: Channel;
  readonly threadTs: string | undefined;
}

/**
 * Completes uploads. Once Slack has processed all of them, they are posted to the requested places.
 */
export function shareFiles(
  core: Core,
  workspace: Workspace,
  uploads: readonly Upload[],
  content: MessageContent,
  places: readonly ShareTarget[],
): void {
  let left = uploads.length;
  const whenAllAreKnown = () => {
    left -= 1;
    if (left > 0) return;
    for (const place of places) share(core, workspace, uploads, content, place);
  };
  for (const { file, title } of uploads) {
    workspace.files.complete(file, title, whenAllAreKnown);
    sendFileEvent(core, workspace, file, 'file_created');
  }
}

/** Tells the apps that everybody in the workspace can see a file from now on. */
function announceIfFirstPublic(
  core: Core,
  workspace: Workspace,
  file: Upload['file'],
  channel: Channel,
): void {
  const wasPublic = file.shares.some(({ channel: id }) => workspace.channels.get(id)?.kind === 'public');
  if (channel.kind === 'public' && !wasPublic) sendFileEvent(core, workspace, file, 'file_public');
}

function share(
  core: Core,
  workspace: Workspace,
  uploads: readonly Upload[],
  content: MessageContent,
  { channel, threadTs }: ShareTarget,
) {
  for (const { file } of uploads) announceIfFirstPublic(core, workspace, file, channel);
  const files = uploads.map(({ file }) => toFileObject(core, workspace, file));
  const message = postAsApp(core, workspace, content, { channel, threadTs, files });
  for (const { file } of uploads) {
    file.shares = [...file.shares, { channel: channel.id, ts: message.ts }];
    sendFileEvent(core, workspace, file, 'file_shared', channel);
  }
}
