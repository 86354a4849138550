import type { Change } from '../change-feed.ts';
import type { Core } from '../core.ts';
import type { JsonObject } from '../json.ts';
import type { CoveredEventName } from '../platform/coverage.ts';
import type { Message } from '../workspace/messages/message.ts';

/**
 * Sends the app a `message_metadata_*` event when metadata of a type in its manifest is posted,
 * changed or deleted in one of its channels.
 */
export function forwardMetadataEvents(core: Core): void {
  core.changes.subscribe((change) => {
    const found = findMetadataChange(change);
    const workspace = core.findWorkspace(change.team);
    const channel = 'channel' in change ? workspace?.channels.get(change.channel) : undefined;
    if (!found || !workspace || !channel?.members.has(workspace.bot.userId)) return;
    const { type, message, fields } = found;
    const { event_type } = message.metadata ?? {};
    if (typeof event_type !== 'string' || !core.manifest.metadataTypes.has(event_type)) return;
    void core.events.send(workspace, {
      event: {
        type,
        app_id: message.app_id,
        ...(message.bot_id !== undefined && { bot_id: message.bot_id }),
        user_id: message.user,
        team_id: message.team,
        channel_id: channel.id,
        message_ts: message.ts,
        ...fields,
        event_ts: type === 'message_metadata_posted' ? message.ts : core.ids.ts(),
      },
      channel,
    });
  });
}

interface MetadataChange {
  readonly type: CoveredEventName & `message_metadata_${string}`;
  /** The message with the metadata. If the metadata was deleted, the message as it was before. */
  readonly message: Message;
  readonly fields: JsonObject;
}

function findMetadataChange(change: Change): MetadataChange | undefined {
  if (!('channel' in change) || change.kind === 'channel' || change.user !== undefined) return undefined;
  const message = change.kind === 'message_deleted' ? undefined : change.message;
  const previous = change.kind === 'message_posted' ? undefined : change.previous;
  const { metadata } = message ?? {};
  const previousMetadata = previous?.metadata;
  if (JSON.stringify(metadata) === JSON.stringify(previousMetadata)) return undefined;
  if (message && !previousMetadata) return { type: 'message_metadata_posted', message, fields: { metadata } };
  if (message && metadata) {
    const fields = { metadata, previous_metadata: previousMetadata };
    return { type: 'message_metadata_updated', message, fields };
  }
  if (!previous) return undefined;
  const fields = { previous_metadata: previousMetadata, deleted_ts: previous.ts };
  return { type: 'message_metadata_deleted', message: previous, fields };
}
