import type { MessageRef } from '../../messages/message.ts';

/** Throws if Slack's response lacks the channel or the timestamp. */
export function requirePosted({
  channel,
  ts,
}: { readonly [Part in keyof MessageRef]?: string | undefined }): MessageRef {
  if (channel === undefined || ts === undefined)
    throw new Error('Slack posted a message without returning its channel and ts');
  return { channel, ts };
}
