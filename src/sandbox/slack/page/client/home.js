import { showBlocks } from './blocks.js';
import { h } from './dom.js';

/** Shows a person's Home tab; it is drawn anew when its view changes. */
export function createHome(placeFor) {
  const node = h('section', { class: 'home', 'aria-label': 'Home tab' });
  let shownHash;

  function show(view) {
    if (!view)
      node.replaceChildren(h('p', { class: 'empty' }, 'The app has not published a Home tab for you.'));
    else if (view.hash !== shownHash)
      node.replaceChildren(h('div', { class: 'blocks' }, showBlocks(view.blocks, placeFor(view))));
    shownHash = view?.hash;
  }

  return { node, show };
}
