import { z } from 'zod';

/** Creates a headless browser session that keeps cookies and reports redirects. */
export function createBrowserSession() {
  const cookies = new Map<string, string>();

  async function visit(url: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (cookies.size > 0) headers.set('cookie', [...cookies].map((pair) => pair.join('=')).join('; '));
    const response = await fetch(url, { ...init, headers, redirect: 'manual' });
    for (const cookie of response.headers.getSetCookie()) {
      const [name = '', value = ''] = cookie.split(';')[0]?.split('=') ?? [];
      if (/expires=thu, 01 jan 1970/i.test(cookie)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }

  return { visit, cookies };
}

type BrowserSession = ReturnType<typeof createBrowserSession>;

/** Opens the install page and returns the URL of Slack's consent page. */
export async function openInstallPage({ visit }: BrowserSession, serverUrl: string): Promise<string> {
  const html = await (await visit(`${serverUrl}/slack/install`)).text();
  const href = /<a class="action" href="([^"]+)"/.exec(html)?.[1];
  return z.url().parse(href?.replaceAll('&amp;', '&'));
}

/** Submits Slack's consent page. Returns the URL to which Slack redirects. */
export async function submitConsent(
  { visit }: BrowserSession,
  consentUrl: string,
  decision: 'allow' | 'cancel',
  installer: string,
): Promise<string> {
  const response = await visit(consentUrl, {
    method: 'POST',
    body: new URLSearchParams({ decision, installer }),
  });
  return z.url().parse(response.headers.get('location'));
}

/** Installs the app by OAuth and returns the last page. */
export async function installAs(serverUrl: string, installer: string): Promise<string> {
  const visitor = createBrowserSession();
  const back = await submitConsent(visitor, await openInstallPage(visitor, serverUrl), 'allow', installer);
  return (await visitor.visit(back)).text();
}

/** Returns the value of one of the app's metrics, or 0. */
export async function readMetric(
  { serverUrl }: { readonly serverUrl: string },
  name: string,
): Promise<number> {
  const text = await (await fetch(`${serverUrl}/metrics`)).text();
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.split(' ')[1] ?? 0);
}
