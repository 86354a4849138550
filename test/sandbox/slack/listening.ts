import { onTestFinished } from 'vitest';

/** Follows server-sent events of the control API until the test ends; the answer fills as they come. */
export async function listen(url: string): Promise<unknown[]> {
  const aborter = new AbortController();
  onTestFinished(() => aborter.abort());
  const { body } = await fetch(url, { signal: aborter.signal });
  const heard: unknown[] = [];
  void fill(heard, body).catch(() => {});
  return heard;
}

async function fill(heard: unknown[], stream: ReadableStream<Uint8Array> | null): Promise<void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of stream ?? []) {
    const events = (rest + decoder.decode(chunk, { stream: true })).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) heard.push(JSON.parse(event.replace(/^data: /, '')));
  }
}
