const linkedPaths = /^\/(?:archives|files|app_redirect)\b/;

/**
 * Returns the URL on this page's own server for a link to a channel, message or file of Slack, and other
 * URLs unchanged.
 */
export function toLocalUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const { hostname, pathname, search } = new URL(url);
  const isSlack = /^(?:[^/]+\.)?slack\.com$/.test(hostname);
  return isSlack && linkedPaths.test(pathname) ? `${location.origin}${pathname}${search}` : url;
}
