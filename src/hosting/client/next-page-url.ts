import type { NextPage } from '../payloads/pages.ts';

/**
 * Returns the URL of a list's next page, or undefined if the service's link to the page is unusable. The
 * result is always the list's own URL or a URL below it, so the key isn't sent elsewhere.
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
