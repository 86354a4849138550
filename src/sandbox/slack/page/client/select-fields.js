import { createCombobox } from './combobox.js';
import { plainText } from './mrkdwn.js';

/** How each menu calls what is chosen in `state.values`, and where its choices come from. */
const menus = {
  static_select: { field: 'selected_option', initial: 'initial_option', source: 'static' },
  external_select: { field: 'selected_option', initial: 'initial_option', source: 'external' },
  users_select: { field: 'selected_user', initial: 'initial_user', source: 'people' },
  channels_select: { field: 'selected_channel', initial: 'initial_channel', source: 'channels' },
  conversations_select: {
    field: 'selected_conversation',
    initial: 'initial_conversation',
    source: 'conversations',
  },
};

/** Tells what is known of a menu by its `type`; `undefined` for what is no menu. */
function menuOf(type) {
  const multiple = type.startsWith('multi_');
  const menu = menus[type.replace(/^multi_/, '')];
  if (!menu) return undefined;
  return multiple
    ? { ...menu, field: `${menu.field}s`, initial: `${menu.initial}s`, multiple }
    : { ...menu, multiple };
}

export const isMenu = (type) => menuOf(type) !== undefined;

/**
 * Builds the field of a select menu of any kind.
 *
 * @param {any} element
 * @param {any} state what `state.values` holds for it
 * @param {{ people(): any[], channels(): any[], suggest(text: string): Promise<any> }} sources
 * @param {() => void} onchange
 */
export function selectField(element, state, sources, onchange) {
  const { field, initial, source, multiple } = menuOf(element.type);
  const asObject = source === 'static' || source === 'external';
  const held = [(state ? state[field] : element[initial]) ?? []].flat();
  const toChoice = asObject ? optionChoice : (id) => named(sources, id);

  const combobox = createCombobox({
    placeholder: element.placeholder && plainText(element.placeholder),
    multiple,
    max: element.max_selected_items,
    chosen: held.map(toChoice),
    minLength: source === 'external' ? (element.min_query_length ?? 3) : 0,
    find: async (text) =>
      source === 'external'
        ? groupsIn(await sources.suggest(text))
        : matching(local(source, element, sources), text),
    onchange,
  });
  const values = () => combobox.chosen().map((choice) => (asObject ? choice.option : choice.value));
  return {
    node: combobox.node,
    target: combobox.input,
    read: () => ({ type: element.type, [field]: multiple ? values() : (values()[0] ?? null) }),
    chosen: () => (multiple ? combobox.chosen().map(({ value }) => value) : combobox.chosen()[0]?.value),
  };
}

function local(source, element, sources) {
  if (source === 'static') return groupsIn(element);
  const people = sources.people().map(({ id, label }) => ({ value: id, label }));
  const channels = sources.channels().map(({ id, label }) => ({ value: id, label }));
  if (source === 'people') return [{ choices: people }];
  return [{ choices: source === 'channels' ? channels : [...channels, ...people] }];
}

function groupsIn({ options = [], option_groups: groups }) {
  if (!groups) return [{ choices: options.map(optionChoice) }];
  return groups.map((group) => ({ label: plainText(group.label), choices: group.options.map(optionChoice) }));
}

function matching(groups, text) {
  const wanted = text.toLowerCase();
  return groups
    .map(({ label, choices }) => ({
      label,
      choices: choices.filter((choice) => choice.label.toLowerCase().includes(wanted)),
    }))
    .filter(({ choices }) => choices.length > 0);
}

function optionChoice(option) {
  const description = option.description && plainText(option.description);
  return { value: option.value, label: plainText(option.text), description, option };
}

function named(sources, id) {
  const known = [...sources.people(), ...sources.channels()].find((item) => item.id === id);
  return { value: id, label: known?.label ?? id };
}
