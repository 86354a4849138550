import { z } from 'zod';

/** A browser without a window: it keeps cookies, and goes where it is sent. */
export function createVisitor() {
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

type Visitor = ReturnType<typeof createVisitor>;

/** Opens the install page and gives the address of Slack's page that it leads to. */
export async function openInstallPage({ visit }: Visitor, serverUrl: string): Promise<string> {
  const html = await (await visit(`${serverUrl}/slack/install`)).text();
  const href = /<a class="action" href="([^"]+)"/.exec(html)?.[1];
  return z.url().parse(href?.replaceAll('&amp;', '&'));
}

/** Answers Slack's page, and gives where Slack sends the person then. */
export async function decide(
  { visit }: Visitor,
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

/** Installs the app by OAuth as a person would, and gives the page at the end. */
export async function installAs(serverUrl: string, installer: string): Promise<string> {
  const visitor = createVisitor();
  const back = await decide(visitor, await openInstallPage(visitor, serverUrl), 'allow', installer);
  return (await visitor.visit(back)).text();
}
