import type { MessageRef } from '../../messages/message.ts';

/** Returns the reference to a posted message. Throws if Slack's response doesn't contain one. */
export function requirePosted({
  channel,
  ts,
}: { readonly [Part in keyof MessageRef]?: string | undefined }): MessageRef {
  if (channel === undefined || ts === undefined)
    throw new Error('Slack posted a message without returning its channel and ts');
  return { channel, ts };
}
