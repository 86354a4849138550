import { h } from './dom.js';

/**
 * Shows where a person can go: channels and the app, whose direct messages and Home tab are two of its places.
 *
 * @param {{ channels: any[], app: any, user: string, current: string, go(place: string): void }} state
 */
export function sidebar({ channels, app, user, current, go }) {
  const item = (place, label, note) => {
    const props = { type: 'button', 'aria-current': place === current ? 'page' : undefined };
    return h(
      'li',
      {},
      h('button', { ...props, onclick: () => go(place) }, label, note && h('small', {}, note)),
    );
  };
  const channelItem = ({ id, name, has_app: hasApp }) =>
    item(id, `# ${name}`, hasApp ? undefined : 'without the app');
  return [
    h('h2', {}, 'Channels'),
    h('ul', {}, channels.map(channelItem)),
    h('h2', {}, 'Apps'),
    h('ul', {}, item(user, app.name, 'direct messages'), app.home_tab && item('home', `${app.name} Home`)),
  ];
}

/** A menu with a label, for the bar on top. */
export function switcher(label, options, current, onchange) {
  const choices = options.map(({ id, label: name }) =>
    h('option', { value: id, selected: id === current }, name),
  );
  const menu = h('select', { onchange: (event) => onchange(event.target.value) }, choices);
  return h('label', { class: 'switcher' }, h('span', {}, label), menu);
}
