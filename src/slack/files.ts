import { createReadStream } from 'node:fs';
import { request } from 'undici';
import type { SlackClient } from './clients.ts';

/** How long Slack may take to receive a file, besides what its bytes take on a slow line. */
const uploadWithinMs = 20_000;
const slowestBytesPerMs = 500;

/** A file for Slack: its bytes, or where on this machine it is. */
export interface FileForSlack {
  readonly name: string;
  readonly title: string;
  readonly content: Uint8Array | { readonly path: string; readonly sizeBytes: number };
}

/** Brings a file to Slack, shared with nobody, or in a conversation given by its id, or a thread of that, and gives its id. */
export async function uploadFile(
  client: SlackClient,
  { name, title, content }: FileForSlack,
  channel?: string,
  threadTs?: string,
): Promise<string> {
  const isHere = content instanceof Uint8Array;
  const sizeBytes = isHere ? content.length : content.sizeBytes;
  const { upload_url, file_id: id } = await client.files.getUploadURLExternal({
    filename: name,
    length: sizeBytes,
  });
  if (!upload_url || !id) throw new Error('Slack gave no place for a file');
  const response = await request(upload_url, {
    method: 'POST',
    headers: { 'content-length': String(sizeBytes) },
    body: isHere ? content : createReadStream(content.path),
    signal: AbortSignal.timeout(uploadWithinMs + Math.ceil(sizeBytes / slowestBytesPerMs)),
  });
  await response.body.dump();
  if (response.statusCode !== 200) throw new Error(`Slack took no file (${response.statusCode})`);
  const files: [{ id: string; title: string }] = [{ id, title }];
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  await client.files.completeUploadExternal({
    files,
    ...(channel !== undefined && { channel_id: channel, ...thread }),
  });
  return id;
}
