import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** An install page's content, in plain text without markup. */
export interface PageContent {
  readonly heading: string;
  readonly tone?: 'plain' | 'success' | 'failure';
  readonly paragraphs: readonly string[];
  readonly list?: { readonly title: string; readonly items: readonly string[]; readonly isOrdered?: boolean };
  /** The next step, shown as a button. */
  readonly action?: { readonly label: string; readonly url: string };
  readonly note?: string;
}

const style = `
:root {
  color-scheme: light dark;
  --background: light-dark(#f4f6f7, #121417);
  --card: light-dark(#ffffff, #202329);
  --line: light-dark(#dde3e7, #33383f);
  --text: light-dark(#1c2126, #e4e7ea);
  --subtle: light-dark(#59646d, #9ea9b2);
  --accent: light-dark(#1b6b8f, #6cc0e5);
  --on-accent: light-dark(#ffffff, #0d161c);
  --success: light-dark(#17735a, #63c7a3);
  --failure: light-dark(#b3261e, #ff8a80);
  font: 16px / 1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif;
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 16px; background: var(--background); color: var(--text); }
main { width: 100%; max-width: 480px; padding: 32px; background: var(--card); border: 1px solid var(--line); border-top: 4px solid var(--tone); border-radius: 12px; }
.plain { --tone: var(--accent); }
.success { --tone: var(--success); }
.failure { --tone: var(--failure); }
.name { margin: 0 0 8px; color: var(--subtle); font-size: 14px; font-weight: 600; }
h1 { margin: 0 0 16px; font-size: 24px; line-height: 1.25; overflow-wrap: anywhere; }
h2 { margin: 24px 0 8px; font-size: 16px; }
p { margin: 0 0 12px; overflow-wrap: anywhere; }
ul, ol { margin: 0; padding-left: 24px; }
li { margin: 4px 0; }
a.action { display: block; margin-top: 24px; padding: 12px 20px; border-radius: 8px; background: var(--accent); color: var(--on-accent); font-weight: 600; text-align: center; text-decoration: none; }
a.action:hover { filter: brightness(1.08); }
a.action:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
.note { margin: 16px 0 0; color: var(--subtle); font-size: 14px; }
@media (max-width: 480px) { main { padding: 24px 20px; } }
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Headers that keep the page from loading anything from other sites, in addition to the server's own headers. */
const pageHeaders = new Map([
  ['content-type', 'text/html; charset=utf-8'],
  [
    'content-security-policy',
    `default-src 'none'; style-src 'sha256-${styleHash}'; base-uri 'none'; frame-ancestors 'none'`,
  ],
]);

export function setPageHeaders(response: ServerResponse): void {
  response.setHeaders(pageHeaders);
}

export function sendPage(response: ServerResponse, status: number, content: PageContent): void {
  setPageHeaders(response);
  response.writeHead(status).end(renderPage(content));
}

export function renderPage({ heading, tone = 'plain', paragraphs, list, action, note }: PageContent): string {
  const items = list?.items.map((item) => `<li>${escapeHtml(item)}</li>`).join('');
  const tag = list?.isOrdered ? 'ol' : 'ul';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(heading)} · Rackhand</title>
<style>${style}</style>
</head>
<body>
<main class="${tone}">
<p class="name">Rackhand</p>
<h1>${escapeHtml(heading)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${list ? `<h2>${escapeHtml(list.title)}</h2><${tag}>${items}</${tag}>` : ''}
${action ? `<a class="action" href="${escapeHtml(action.url)}">${escapeHtml(action.label)}</a>` : ''}
${note ? `<p class="note">${escapeHtml(note)}</p>` : ''}
</main>
</body>
</html>
`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign);
}
