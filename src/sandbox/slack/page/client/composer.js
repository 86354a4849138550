import { menuButton } from './dialogs.js';
import { freshId, h } from './dom.js';

/**
 * The field that commands and messages are typed in. Enter sends, Shift+Enter begins a new line; while a command's name is typed, the
 * known ones are offered.
 *
 * @param {{ label: string, appName: string, commands: { command: string, description?: string, usage_hint?: string }[],
 *   shortcuts: { label: string, onclick(): void }[], send(text: string): Promise<void> }} options
 */
export function createComposer({ label, appName, commands, shortcuts, send }) {
  const hintId = freshId('hint');
  const offers = h('ul', { class: 'offers', hidden: true, 'aria-label': 'Commands' });
  const field = h('textarea', {
    rows: 1,
    placeholder: label,
    'aria-label': label,
    'aria-describedby': hintId,
    oninput: refresh,
    onkeydown: onKey,
  });
  const sendButton = h('button', { type: 'submit', class: 'primary', disabled: true }, 'Send');
  const addMention = { type: 'button', class: 'quiet', onclick: () => insert(`@${appName} `) };
  const node = h(
    'form',
    { class: 'composer', onsubmit: submit },
    offers,
    field,
    h(
      'div',
      { class: 'tools' },
      shortcuts.length > 0 && menuButton({ label: 'Shortcuts', content: '+', items: shortcuts }),
      h('button', addMention, `@${appName}`),
      commands.map(({ command }) =>
        h('button', { type: 'button', class: 'quiet', onclick: () => insert(`${command} `) }, command),
      ),
      h('small', { id: hintId, class: 'subtle' }, 'Enter sends'),
      sendButton,
    ),
  );

  function refresh() {
    sendButton.disabled = field.value.trim() === '';
    field.style.height = 'auto';
    field.style.height = `${Math.min(field.scrollHeight, 200)}px`;
    const typed = field.value;
    const fitting = /^\/\S*$/.test(typed)
      ? commands.filter(({ command }) => command.startsWith(typed) && command !== typed)
      : [];
    offers.hidden = fitting.length === 0;
    offers.replaceChildren(...fitting.map(offer));
  }

  function offer({ command, description = '', usage_hint: usage = '' }) {
    const choose = () => insert(`${command} `, true);
    return h(
      'li',
      {},
      h(
        'button',
        { type: 'button', onclick: choose },
        h('strong', {}, command),
        ` ${usage} `,
        h('small', {}, description),
      ),
    );
  }

  function insert(text, isWhole = false) {
    if (isWhole || field.value.trim() === '') field.value = text;
    else field.setRangeText(text, field.selectionStart, field.selectionEnd, 'end');
    field.focus();
    refresh();
  }

  function onKey(event) {
    if (event.key === 'Tab' && !offers.hidden) {
      event.preventDefault();
      offers.querySelector('button').click();
    } else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      submit(event);
    }
  }

  async function submit(event) {
    event.preventDefault();
    const text = field.value.trim();
    if (text === '') return;
    field.value = '';
    refresh();
    await send(text);
  }

  return { node };
}
