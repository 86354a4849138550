import { freshId, h } from './dom.js';

/**
 * @typedef {{ value: string, label: string, description?: string, option?: unknown }} Choice
 * @typedef {{ label?: string, choices: Choice[] }} Group
 */

/**
 * Builds a menu that is typed into: the ARIA pattern of a combobox with a list. Choices are loaded for what is typed.
 *
 * @param {{ placeholder?: string, multiple?: boolean, max?: number, chosen?: Choice[], minLength?: number,
 *   find(text: string): Promise<Group[]>, onchange(): void }} options
 */
export function createCombobox({
  placeholder,
  multiple = false,
  max = Infinity,
  chosen = [],
  minLength = 0,
  find,
  onchange,
}) {
  let picked = chosen;
  let shown = [];
  let active = -1;
  let asked = 0;

  const listId = freshId('list');
  const chips = h('span', { class: 'chips' });
  const list = h('div', {
    id: listId,
    role: 'listbox',
    class: 'list',
    hidden: true,
    'aria-multiselectable': multiple,
  });
  const input = h('input', {
    id: freshId('combo'),
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    placeholder: placeholder ?? 'Choose…',
    'aria-autocomplete': 'list',
    'aria-controls': listId,
    'aria-expanded': 'false',
    onclick: () => list.hidden && show(''),
    oninput: () => load(input.value),
    onkeydown: onKey,
    onblur: leave,
  });
  const node = h('div', { class: multiple ? 'combo multiple' : 'combo' }, chips, input, list);
  showPicked();

  function show(text) {
    input.select();
    load(text);
    return true;
  }

  async function load(text) {
    const question = ++asked;
    if (text.length < minLength) {
      showList([], `Type ${minLength} or more characters`);
      return;
    }
    showList([], 'Loading…');
    const groups = await find(text).catch((error) => ({ failure: error.message }));
    if (question === asked) showList(groups.failure ? [] : groups, groups.failure ?? 'Nothing found');
  }

  function showList(groups, otherwise) {
    shown = [];
    active = -1;
    list.replaceChildren(...groups.map(groupNode));
    if (shown.length === 0) list.replaceChildren(h('div', { class: 'hint' }, otherwise));
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    input.removeAttribute('aria-activedescendant');
  }

  function groupNode({ label, choices }) {
    return h(
      'div',
      { role: 'group', 'aria-label': label },
      label && h('div', { class: 'group' }, label),
      choices.map(choiceNode),
    );
  }

  function choiceNode(choice) {
    const option = h(
      'div',
      {
        id: freshId('choice'),
        role: 'option',
        class: 'choice',
        'aria-selected': picked.some(({ value }) => value === choice.value),
        onmousedown: (event) => {
          event.preventDefault();
          pick(choice);
        },
      },
      choice.label,
      choice.description && h('small', {}, choice.description),
    );
    shown.push({ choice, option });
    return option;
  }

  /** What a key does; one that answers true has done its work. */
  const keys = {
    ArrowDown: () => (list.hidden ? show('') : move(1)),
    ArrowUp: () => (list.hidden ? show('') : move(-1)),
    Enter: () => !list.hidden && pickActive(),
    Escape: () => !list.hidden && leave(),
    Backspace: () => multiple && input.value === '' && drop(picked.at(-1)),
  };

  function onKey(event) {
    if (!keys[event.key]?.()) return;
    event.preventDefault();
    event.stopPropagation();
  }

  function move(step) {
    if (shown.length === 0) return true;
    shown[active]?.option.classList.remove('active');
    active = (active + step + shown.length) % shown.length;
    const { option } = shown[active];
    option.classList.add('active');
    option.scrollIntoView({ block: 'nearest' });
    input.setAttribute('aria-activedescendant', option.id);
    return true;
  }

  function pickActive() {
    const found = shown[active] ?? (shown.length === 1 ? shown[0] : undefined);
    if (found) pick(found.choice);
    return true;
  }

  function pick(choice) {
    const isPicked = picked.some(({ value }) => value === choice.value);
    if (!multiple) picked = [choice];
    else if (isPicked) picked = picked.filter(({ value }) => value !== choice.value);
    else if (picked.length < max) picked = [...picked, choice];
    hide();
    onchange();
  }

  function drop(choice) {
    if (!choice) return false;
    picked = picked.filter(({ value }) => value !== choice.value);
    hide();
    onchange();
    return true;
  }

  /** Closes the list; a menu of one choice whose text was emptied has nothing chosen. */
  function leave() {
    const isEmptied = !multiple && picked.length > 0 && input.value === '';
    if (isEmptied) drop(picked[0]);
    else hide();
    return true;
  }

  function hide() {
    asked += 1;
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
    showPicked();
  }

  function showPicked() {
    input.value = multiple ? '' : (picked[0]?.label ?? '');
    if (multiple) chips.replaceChildren(...picked.map(chip));
  }

  function chip(choice) {
    const remove = { type: 'button', 'aria-label': `Remove ${choice.label}`, onclick: () => drop(choice) };
    return h('span', { class: 'chip' }, choice.label, h('button', remove, '×'));
  }

  return { node, input, chosen: () => picked };
}
