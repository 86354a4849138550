/** How many pages of a list are read for one request of a person. */
export const maxPagesForPeople = 20;

/**
 * How many pages are read in the background. They take ten minutes of the background lane's share
 * of the default quota.
 */
export const maxPagesInBackground = 400;

/** Average time per page of a long list. 15 calls a minute leave slots for other calls. */
const msPerPage = 4_000;

/**
 * Returns how long the pages of a list are reused, in ms. Longer lists are reused for longer,
 * because reading them again costs more calls.
 */
export function listLifetimeMs(pages: number): number {
  return pages > 1 ? pages * msPerPage : 0;
}

/** Returns whether a list is too long to be read again for each request. */
export function isLongList(pages: number): boolean {
  return pages > maxPagesForPeople;
}
