import { h } from './dom.js';

const shownForMs = 8000;

/** Tells the person something that no message tells, such as a command that failed. */
export function notify(text) {
  const close = () => notice.remove();
  const notice = h(
    'div',
    { class: 'notice' },
    h('span', {}, text),
    h('button', { type: 'button', 'aria-label': 'Dismiss', onclick: close }, '×'),
  );
  document.querySelector('#notices').append(notice);
  setTimeout(close, shownForMs);
}
