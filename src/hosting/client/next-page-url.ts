import type { NextPage } from '../payloads/pages.ts';

/**
 * Returns the URL of a list's next page, or undefined if the address from the service can't be used. The URL
 * is always the list's own or one below it, with another query, so the key is never sent elsewhere.
 */
export function nextPageUrl(listUrl: URL, next: NextPage): URL | undefined {
  const url = new URL(listUrl);
  if (next.kind === 'query') {
    url.searchParams.set(next.param, next.value);
    return url;
  }
  const target = URL.parse(next.url, listUrl.href);
  if (!target) return undefined;
  // A service behind a proxy often returns a different scheme, host or prefix than Rackhand uses. The query
  // identifies the page.
  const isBelow = target.origin === url.origin && target.pathname.startsWith(`${url.pathname}/`);
  if (isBelow) url.pathname = target.pathname;
  url.search = target.search;
  return isBelow || target.search !== '' ? url : undefined;
}
