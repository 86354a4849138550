import { request } from 'undici';

const respondWithinMs = 5_000;

/** Posts to a response URL; `false` where that is over: it ends after 30 minutes or five uses, and may be out of reach. */
export async function postToResponseUrl(
  url: string,
  body: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(respondWithinMs),
    });
    await response.body.dump();
    return response.statusCode === 200;
  } catch {
    return false;
  }
}
