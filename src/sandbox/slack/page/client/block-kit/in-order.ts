import { createElement, Fragment, type ReactNode } from 'react';

/** Draws a list whose items are known by their place alone, so that they need no keys. */
export function inOrder<Item>(
  items: readonly Item[],
  draw: (item: Item, index: number) => ReactNode,
): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}
