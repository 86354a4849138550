import { onTestFinished } from 'vitest';

/**
 * Collects server-sent events of the control API until the test ends. The returned list fills as
 * they arrive.
 */
export async function collectEvents(url: string): Promise<unknown[]> {
  const aborter = new AbortController();
  onTestFinished(() => aborter.abort());
  const { body } = await fetch(url, { signal: aborter.signal });
  const heard: unknown[] = [];
  void readEvents(heard, body).catch(() => {});
  return heard;
}

async function readEvents(heard: unknown[], stream: ReadableStream<Uint8Array> | null): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) heard.push(JSON.parse(event.replace(/^data: /, '')));
  }
}
