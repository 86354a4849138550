/** How many pages of a list are read for one request of a person. */
export const maxPagesForPeople = 20;

/** How many pages are read in the background. They take ten minutes of its share of the default quota. */
export const maxPagesInBackground = 400;

/** Reads the pages of long lists at 15 calls a minute on average, so that other calls find slots. */
const msPerPage = 4_000;

/** Returns for how long the pages of a list are used, in ms, before reading them again is worth its calls. */
export function listLifetimeMs(pages: number): number {
  return pages > 1 ? pages * msPerPage : 0;
}

/** Returns whether a list is too long to be read again for each request. */
export function isLongList(pages: number): boolean {
  return pages > maxPagesForPeople;
}
