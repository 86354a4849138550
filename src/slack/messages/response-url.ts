import { request } from 'undici';
import { spans } from '../../tracing/spans.ts';
import { abortAfter } from '../../with-timeout.ts';

const responseTimeoutMs = 5_000;

/**
 * Posts to a response URL. Returns false if the URL isn't Slack's, can't be reached or has expired
 * (after 30 minutes or five uses). `apiUrl` is the URL of Slack's Web API.
 */
export async function postToResponseUrl(
  url: string,
  body: Readonly<Record<string, unknown>>,
  apiUrl: string,
): Promise<boolean> {
  if (!isSlackUrl(url, apiUrl)) return false;
  try {
    const status = await spans.tracePromise(() => post(url, body), {
      name: 'slack response_url',
      kind: 'client',
      describeResult: (status: number) => ({ 'http.response.status_code': status }),
    });
    return status === 200;
  } catch {
    return false;
  }
}

async function post(url: string, body: Readonly<Record<string, unknown>>): Promise<number> {
  const timeout = abortAfter(responseTimeoutMs);
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: timeout.signal,
    });
    await response.body.dump();
    return response.statusCode;
  } finally {
    timeout.cancel();
  }
}

/** Returns whether a URL leads to Slack: `hooks.slack.com` for `slack.com`, or the same host. */
function isSlackUrl(url: string, apiUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const [{ protocol, host, username }, api] = [new URL(url), new URL(apiUrl)];
  return protocol === api.protocol && username === '' && [api.host, `hooks.${api.host}`].includes(host);
}
