import type { Core } from '../core.ts';
import { sendFileEvent } from '../delivery/app-events.ts';
import type { JsonObject } from '../json.ts';
import { toFileObject } from '../web-api/objects/file-object.ts';
import type { Channel } from '../workspace/channels/channels.ts';
import type { StoredFile } from '../workspace/files/file-store.ts';
import type { Message } from '../workspace/messages/message.ts';
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
    const files = uploads.map(({ file }) => file);
    for (const place of places) {
      postWithFiles(core, workspace, files, place.channel, (shared) =>
        postAsApp(core, workspace, content, { ...place, files: shared }),
      );
    }
  };
  for (const { file, title } of uploads) {
    workspace.files.complete(file, title, whenAllAreKnown);
    sendFileEvent(core, workspace, file, 'file_created');
  }
}

/** Posts a message with files, and tells the apps where the files are shared. */
export function postWithFiles(
  core: Core,
  workspace: Workspace,
  shared: readonly StoredFile[],
  channel: Channel,
  post: (files: readonly JsonObject[]) => Message,
): Message {
  for (const file of shared) {
    const wasPublic = file.shares.some(({ channel: id }) => workspace.channels.get(id)?.kind === 'public');
    if (channel.kind === 'public' && !wasPublic) sendFileEvent(core, workspace, file, 'file_public');
  }
  const message = post(shared.map((file) => toFileObject(core, workspace, file)));
  for (const file of shared) {
    file.shares = [...file.shares, { channel: channel.id, ts: message.ts }];
    sendFileEvent(core, workspace, file, 'file_shared', channel);
  }
  return message;
}
