import { request } from 'undici';

const responseTimeoutMs = 5_000;

/**
 * Posts to a response URL. Returns false if the URL can't be reached or has expired (after 30
 * minutes or five uses).
 */
export async function postToResponseUrl(
  url: string,
  body: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(responseTimeoutMs),
    });
    await response.body.dump();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}
