import { createReadStream } from 'node:fs';
import { request } from 'undici';
import type { SlackClient } from './slack-clients.ts';

/** Base timeout of an upload. The time needed to send the bytes over a slow connection is added. */
const baseUploadTimeoutMs = 20_000;
const minBytesPerMs = 500;

export interface SlackFile {
  readonly name: string;
  readonly title: string;
  readonly content: Uint8Array | { readonly path: string; readonly sizeBytes: number };
}

/**
 * Uploads a file and returns its ID. The file is shared in the given channel (an ID) or thread, or
 * with nobody.
 *
 * `filesUploadV2` of @slack/web-api isn't used. It reads a whole file into memory, which blocks the
 * event loop (an export can be large). Its timeout doesn't grow with the size. Its upload goes
 * through the client's queue, where retries and a 429 delay every other call.
 */
export async function uploadFile(
  client: SlackClient,
  { name, title, content }: SlackFile,
  channel?: string,
  threadTs?: string,
): Promise<string> {
  const isInMemory = content instanceof Uint8Array;
  const sizeBytes = isInMemory ? content.length : content.sizeBytes;
  const { upload_url, file_id: id } = await client.files.getUploadURLExternal({
    filename: name,
    length: sizeBytes,
  });
  if (!upload_url || !id) throw new Error('Slack returned no upload URL');
  const response = await request(upload_url, {
    method: 'POST',
    headers: { 'content-length': String(sizeBytes) },
    body: isInMemory ? content : createReadStream(content.path),
    signal: AbortSignal.timeout(baseUploadTimeoutMs + Math.ceil(sizeBytes / minBytesPerMs)),
  });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`Slack rejected an upload (${response.statusCode})`);
  const files: [{ id: string; title: string }] = [{ id, title }];
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await client.files.completeUploadExternal({
    files,
    ...(channel !== undefined && { channel_id: channel, ...thread }),
  });
  return id;
}
