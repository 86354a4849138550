import { freshId, h } from './dom.js';
import { mrkdwn, plainText } from './mrkdwn.js';
import { isMenu, selectField } from './select-fields.js';

/**
 * A field that people fill in or choose in. `read` answers what `state.values` holds for it; `chosen` its bare value
 * or values, as the control API's click takes them; `target` is what a label and the focus belong to.
 *
 * @typedef {{ node: HTMLElement, target: HTMLElement, isGroup?: boolean, read(): any, chosen(): any }} Field
 */

/** Builds the field of an element; `undefined` where the element is none. */
export function createField(element, state, sources, onchange) {
  if (isMenu(element.type)) return selectField(element, state, sources, onchange);
  return builders[element.type]?.(element, state, onchange, sources);
}

const builders = {
  plain_text_input: (element, state, onchange) => textField(element, state, onchange, {}),
  email_text_input: (element, state, onchange) => textField(element, state, onchange, { type: 'email' }),
  url_text_input: (element, state, onchange) => textField(element, state, onchange, { type: 'url' }),
  number_input: (element, state, onchange) => textField(element, state, onchange, { inputMode: 'decimal' }),
  rich_text_input: richField,
  datepicker: (element, state, onchange) =>
    pickerField(element, state, onchange, 'date', 'selected_date', 'initial_date'),
  timepicker: (element, state, onchange) =>
    pickerField(element, state, onchange, 'time', 'selected_time', 'initial_time'),
  datetimepicker: momentField,
  radio_buttons: choiceField,
  checkboxes: choiceField,
  file_input: fileField,
};

function textField(element, state, onchange, props) {
  const value = (state ? state.value : element.initial_value) ?? '';
  const limits = { minLength: element.min_length, maxLength: element.max_length };
  const isTypedOn = element.dispatch_action_config?.trigger_actions_on?.includes('on_character_entered');
  const target = h(element.multiline ? 'textarea' : 'input', {
    id: freshId('field'),
    ...(element.multiline ? { rows: 4 } : props),
    ...(element.max_length ? limits : {}),
    value,
    autocomplete: 'off',
    placeholder: element.placeholder ? plainText(element.placeholder) : '',
    oninput: () => isTypedOn && onchange(),
    onkeydown: (event) => event.key === 'Enter' && !element.multiline && !isTypedOn && onchange(event),
  });
  const read = () => ({ type: element.type, value: target.value === '' ? null : target.value });
  return { node: target, target, read, chosen: () => target.value };
}

function richField(element, state, onchange) {
  const held = state ? state.rich_text_value : element.initial_value;
  const { target, node } = textField(
    { ...element, multiline: true, initial_value: textIn(held) },
    undefined,
    onchange,
    {},
  );
  const value = () => (target.value === '' ? null : richTextOf(target.value));
  return { node, target, read: () => ({ type: element.type, rich_text_value: value() }), chosen: value };
}

function richTextOf(text) {
  return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }] };
}

function textIn(value) {
  if (typeof value !== 'object' || value === null) return '';
  return (value.text ?? '') + (value.elements ?? []).map(textIn).join('');
}

function pickerField(element, state, onchange, type, field, initial) {
  const value = (state ? state[field] : element[initial]) ?? '';
  const target = h('input', { id: freshId('field'), type, value, onchange });
  const hint = element.timezone && h('small', {}, element.timezone);
  const node = hint ? h('span', { class: 'picker' }, target, hint) : target;
  const chosen = () => target.value || null;
  return { node, target, read: () => ({ type: element.type, [field]: chosen() }), chosen };
}

function momentField(element, state, onchange) {
  const seconds = state ? state.selected_date_time : element.initial_date_time;
  const target = h('input', {
    id: freshId('field'),
    type: 'datetime-local',
    value: seconds ? localMoment(seconds) : '',
    onchange,
  });
  const chosen = () => (target.value ? Math.floor(new Date(target.value).getTime() / 1000) : null);
  return { node: target, target, read: () => ({ type: element.type, selected_date_time: chosen() }), chosen };
}

function localMoment(seconds) {
  const date = new Date(seconds * 1000);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

function choiceField(element, state, onchange, { names }) {
  const isMany = element.type === 'checkboxes';
  const held = state ?? {
    selected_options: element.initial_options,
    selected_option: element.initial_option,
  };
  const picked = [(isMany ? held.selected_options : held.selected_option) ?? []]
    .flat()
    .map(({ value }) => value);
  const name = freshId('choices');
  const boxes = element.options.map((option) => {
    const type = isMany ? 'checkbox' : 'radio';
    const box = h('input', {
      id: freshId('box'),
      type,
      name,
      checked: picked.includes(option.value),
      onchange,
    });
    return { box, option };
  });
  const rows = boxes.map(({ box, option }) => {
    const description = option.description && h('small', {}, textOf(option.description, names));
    return h(
      'label',
      { class: 'choice-row', htmlFor: box.id },
      box,
      h('span', {}, textOf(option.text, names), description),
    );
  });
  const options = () => boxes.filter(({ box }) => box.checked).map(({ option }) => option);
  const values = () => options().map(({ value }) => value);
  const read = isMany
    ? () => ({ type: element.type, selected_options: options() })
    : () => ({ type: element.type, selected_option: options()[0] ?? null });
  const node = h('div', { class: 'choices', role: isMany ? 'group' : 'radiogroup' }, rows);
  return { node, target: boxes[0].box, isGroup: true, read, chosen: () => (isMany ? values() : values()[0]) };
}

function fileField(element) {
  const target = h('input', {
    id: freshId('field'),
    type: 'file',
    disabled: true,
    title: 'Files cannot be chosen here yet',
  });
  return { node: target, target, read: () => ({ type: element.type, files: [] }), chosen: () => [] };
}

/** Shows a text object of either kind. */
export function textOf(text, names) {
  return text.type === 'mrkdwn' ? mrkdwn(text.text, names) : plainText(text);
}
