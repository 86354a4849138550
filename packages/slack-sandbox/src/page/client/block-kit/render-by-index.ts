import { createElement, Fragment, type ReactNode } from 'react';

/** Renders a list whose items are identified by their positions, so that they need no keys. */
export function renderByIndex<Item>(
  items: readonly Item[],
  draw: (item: Item, index: number) => ReactNode,
): ReactNode {
  return createElement(Fragment, null, ...items.map(draw));
}
