import type { HandOver } from '../../workspaces/record/history.ts';
import type { SlackClients } from '../clients.ts';
import { uploadFile } from '../files.ts';
import { renderNotice } from '../render/notice.ts';

/** Creates what gives files to people, in their direct messages with the app. */
export function createHandOver(clients: SlackClients): HandOver {
  return async ({ teamId, userId }, { name, title, path, sizeBytes }) => {
    const client = await clients(teamId);
    // A file is shared in a conversation by its id, which what is said there gives, without a scope of its own.
    const { channel } = await client.chat.postMessage({
      channel: userId,
      ...renderNotice(`${title}: ${name}`),
    });
    if (channel === undefined) throw new Error('Slack posted a message without saying where');
    await uploadFile(client, { name, title, content: { path, sizeBytes } }, channel);
  };
}
