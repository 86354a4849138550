import { askToConfirm, menuButton } from './dialogs.js';
import { h } from './dom.js';
import { createField } from './fields.js';
import { plainText } from './mrkdwn.js';

/**
 * What an element needs to work where it stands.
 *
 * @typedef {{ names: any, act(blockId: string, actionId: string, value?: unknown): Promise<void>,
 *   sourcesFor(blockId: string, actionId: string): any, stateOf(blockId: string, actionId: string): any,
 *   imageUrl(image: any): string }} Place
 */

/** Shows an element of an actions block, a section's accessory or a card's button. */
export function interactive(element, blockId, place) {
  switch (element.type) {
    case 'button':
    case 'icon_button':
      return button(element, blockId, place);
    case 'feedback_buttons':
      return feedback(element, blockId, place);
    case 'overflow':
      return overflow(element, blockId, place);
    case 'image':
      return h('img', { class: 'accessory', src: place.imageUrl(element), alt: element.alt_text });
    default:
      return chooser(element, blockId, place);
  }
}

function button(element, blockId, place) {
  const label = plainText(element.text);
  const props = { type: 'button', class: element.style, 'aria-label': element.accessibility_label };
  const press = () => {
    openBeside(element.url);
    return confirmed(element, place, () => place.act(blockId, element.action_id, element.value));
  };
  return h(
    'button',
    { ...props, onclick: (event) => busyWhile(event.currentTarget, press) },
    element.icon === 'trash' && '🗑️ ',
    label,
  );
}

function feedback(element, blockId, place) {
  return [element.positive_button, element.negative_button].map(
    ({ text, value, accessibility_label: label }) => {
      const press = (event) =>
        busyWhile(event.currentTarget, () => place.act(blockId, element.action_id, value));
      return h('button', { type: 'button', 'aria-label': label, onclick: press }, plainText(text));
    },
  );
}

function overflow(element, blockId, place) {
  const items = element.options.map((option) => ({
    label: plainText(option.text),
    onclick: () => {
      openBeside(option.url);
      confirmed(element, place, () => place.act(blockId, element.action_id, option.value));
    },
  }));
  return menuButton({ label: 'More actions', items });
}

function chooser(element, blockId, place) {
  const { action_id: actionId } = element;
  const send = () => place.act(blockId, actionId, field.chosen());
  const onchange = () => field.chosen() !== undefined && confirmed(element, place, send);
  const field = createField(
    element,
    place.stateOf(blockId, actionId),
    place.sourcesFor(blockId, actionId),
    onchange,
  );
  if (!field) return h('span', { class: 'placeholder' }, `[${element.type}]`);
  field.target.setAttribute(
    'aria-label',
    element.placeholder ? plainText(element.placeholder) : element.type.replaceAll('_', ' '),
  );
  return field.node;
}

/** Opens a page of the web in another tab. */
function openBeside(url) {
  if (/^https?:/i.test(url ?? '')) window.open(url, '_blank', 'noopener');
}

async function confirmed(element, place, run) {
  if (element.confirm && !(await askToConfirm(element.confirm, place.names))) return;
  await run();
}

async function busyWhile(target, run) {
  target.setAttribute('aria-busy', 'true');
  await run().finally(() => target.removeAttribute('aria-busy'));
}
