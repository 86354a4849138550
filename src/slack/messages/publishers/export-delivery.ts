import type { DeliverExport } from '../../../audit/history/history-operation.ts';
import { RackhandError } from '../../../errors.ts';
import { renderNotice } from '../../blocks/notice.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { missingScope } from '../../client/slack-errors.ts';
import { uploadFile } from '../../client/upload-file.ts';
import { requirePosted } from '../require-posted.ts';

/** Sends exports to people by direct message. */
export function createExportDelivery(clients: SlackClients): DeliverExport {
  return async ({ teamId, userId }, { name, title, path, sizeBytes }) => {
    const client = await clients(teamId);
    // Sharing a file requires the conversation's ID. Posting a message returns it, without an additional
    // scope.
    const message = renderNotice(`${title}: ${name}`);
    const { channel } = requirePosted(await client.chat.postMessage({ channel: userId, ...message }));
    await uploadFile(client, { name, title, content: { path, sizeBytes } }, channel).catch((cause) => {
      const scope = missingScope(cause);
      if (scope === undefined) throw cause;
      const message = `The file can't be sent: the app lacks the Slack scope ${scope}.`;
      throw new RackhandError('scope_missing', message, { cause });
    });
  };
}
