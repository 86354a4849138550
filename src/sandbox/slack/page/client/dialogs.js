import { freshId, h } from './dom.js';
import { textOf } from './fields.js';
import { plainText } from './mrkdwn.js';

/** Asks as a confirmation object says; resolves to whether the person agreed. */
export function askToConfirm(confirm, names) {
  return new Promise((resolve) => {
    const titleId = freshId('title');
    const answer = (isAgreed) => () => {
      dialog.close();
      resolve(isAgreed);
    };
    const style = confirm.style === 'danger' ? 'danger' : 'primary';
    const dialog = h(
      'dialog',
      {
        class: 'confirm',
        'aria-labelledby': titleId,
        oncancel: answer(false),
        onclose: () => dialog.remove(),
      },
      h('h2', { id: titleId }, plainText(confirm.title)),
      h('div', { class: 'text' }, textOf(confirm.text, names)),
      h(
        'div',
        { class: 'buttons' },
        h('button', { type: 'button', onclick: answer(false) }, plainText(confirm.deny)),
        h('button', { type: 'button', class: style, onclick: answer(true) }, plainText(confirm.confirm)),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** A button that opens a short menu; each item has a `label` and an `onclick`. */
export function menuButton({ label, content = '⋯', items }) {
  const menu = h('div', {
    class: 'menu',
    popover: 'auto',
    role: 'menu',
    onkeydown: (event) => moveIn(menu, event),
  });
  menu.append(
    ...items.map((item) =>
      h('button', { type: 'button', role: 'menuitem', onclick: () => run(item) }, item.label),
    ),
  );
  const button = h(
    'button',
    { type: 'button', class: 'more', 'aria-label': label, 'aria-haspopup': 'menu', onclick: toggle },
    content,
  );

  function run(item) {
    menu.hidePopover();
    item.onclick();
  }

  function toggle() {
    if (menu.matches(':popover-open')) return menu.hidePopover();
    menu.showPopover();
    const place = button.getBoundingClientRect();
    const isLow = place.bottom + menu.offsetHeight > innerHeight;
    menu.style.top = `${isLow ? place.top - menu.offsetHeight : place.bottom}px`;
    menu.style.left = `${Math.max(8, Math.min(place.left, innerWidth - menu.offsetWidth - 8))}px`;
    menu.firstElementChild?.focus();
    return undefined;
  }

  return h('span', { class: 'menu-button' }, button, menu);
}

function moveIn(menu, event) {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const items = [...menu.children];
  const next = (items.indexOf(document.activeElement) + step + items.length) % items.length;
  items[next].focus();
}
