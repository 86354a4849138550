import type { Delivery } from '../delivery/transport.ts';
import type { AppManifest } from '../manifest.ts';

/**
 * Returns a function that finds the URL for a payload. A URL with a path gets everything. To a URL
 * without a path, payloads go under the path of their own URL in the manifest, as an app has one for
 * events, one for interactivity, one for options of menus, and one for each command.
 */
export function createUrlFinder(
  url: string,
  { commands, requestUrls }: AppManifest,
): (delivery: Delivery) => string {
  if (new URL(url).pathname !== '/') return () => url;

  function findDeclared({ kind, payload }: Delivery): string | undefined {
    if (kind === 'events_api') return requestUrls.events;
    if (kind === 'slash_commands') return commands.find(({ command }) => command === payload.command)?.url;
    return payload.type === 'block_suggestion' ? requestUrls.options : requestUrls.interactivity;
  }

  return (delivery) => {
    const declared = findDeclared(delivery);
    if (declared === undefined) return url;
    const { pathname, search } = new URL(declared);
    return new URL(pathname + search, url).href;
  };
}
