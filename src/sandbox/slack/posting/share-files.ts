import type { Core } from '../core.ts';
import { fileFacts } from '../web-api/file-facts.ts';
import type { Channel } from '../world/channels.ts';
import type { StoredFile } from '../world/files.ts';
import type { Workspace } from '../world/workspace.ts';
import type { Content } from './content.ts';
import { postAsApp } from './post.ts';

interface Upload {
  readonly file: StoredFile;
  readonly title: string | undefined;
}

interface Place {
  readonly channel: Channel;
  readonly threadTs: string | undefined;
}

/** Completes uploads; once Slack has looked at all of them, they are posted where they were asked for. */
export function shareFiles(
  core: Core,
  workspace: Workspace,
  uploads: readonly Upload[],
  content: Content,
  places: readonly Place[],
): void {
  let left = uploads.length;
  const whenAllAreKnown = () => {
    left -= 1;
    if (left > 0) return;
    for (const place of places) share(core, workspace, uploads, content, place);
  };
  for (const { file, title } of uploads) workspace.files.complete(file, title, whenAllAreKnown);
}

function share(
  core: Core,
  workspace: Workspace,
  uploads: readonly Upload[],
  content: Content,
  { channel, threadTs }: Place,
) {
  const files = uploads.map(({ file }) => fileFacts(core, workspace, file));
  const message = postAsApp(core, workspace, content, { channel, threadTs, files });
  for (const { file } of uploads) file.shares.push({ channel: channel.id, ts: message.ts });
}
