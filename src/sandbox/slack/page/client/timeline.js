import { showAttachments, showBlocks } from './blocks.js';
import { dayOf, timeOf } from './dates.js';
import { menuButton } from './dialogs.js';
import { h } from './dom.js';
import { mrkdwn } from './mrkdwn.js';

/**
 * Shows messages, oldest first; one that did not change keeps its elements, so that what is half chosen in it stays.
 *
 * @param {{ label: string, author(message: any): { name: string, isApp: boolean }, placeFor(message: any): any,
 *   openThread?(ts: string): void, shortcutsFor(message: any): { label: string, onclick(): void }[] }} options
 */
export function createTimeline({ label, ...handlers }) {
  const node = h('ol', { class: 'timeline', 'aria-label': label, role: 'log' });
  const shown = new Map();

  /** @param {any[]} messages */
  function show(messages) {
    const isAtEnd = node.scrollHeight - node.scrollTop - node.clientHeight < 80;
    const kept = new Set();
    const rows = messages.flatMap((message, index) => {
      const key = `${message.ts}${message.ephemeral ? '-ephemeral' : ''}`;
      const content = JSON.stringify(message);
      const known = shown.get(key);
      const row = known?.content === content ? known.row : messageRow(message, handlers);
      shown.set(key, { content, row });
      kept.add(key);
      const day = dayOf(message.ts);
      const isNewDay = index === 0 || day !== dayOf(messages[index - 1].ts);
      return isNewDay ? [dayRow(day), row] : [row];
    });
    for (const key of shown.keys()) if (!kept.has(key)) shown.delete(key);
    arrange(node, rows.length > 0 ? rows : [h('li', { class: 'empty' }, 'Nothing here yet.')]);
    if (isAtEnd) node.scrollTop = node.scrollHeight;
  }

  /** Shows a sentence instead of messages. */
  function tell(text) {
    shown.clear();
    node.replaceChildren(h('li', { class: 'empty' }, text));
  }

  return { node, show, tell };
}

/** Puts rows in order and moves none that is in its place already: a moved element would lose the focus. */
function arrange(node, rows) {
  const wanted = new Set(rows);
  for (const child of [...node.children]) if (!wanted.has(child)) child.remove();
  rows.forEach((row, index) => {
    if (node.children[index] !== row) node.insertBefore(row, node.children[index] ?? null);
  });
}

function dayRow(day) {
  return h('li', { class: 'day' }, h('span', {}, day));
}

function messageRow(message, handlers) {
  const { name, isApp } = handlers.author(message);
  const place = handlers.placeFor(message);
  const hasBlocks = message.blocks?.length > 0;
  return h(
    'li',
    { class: message.ephemeral ? 'message ephemeral' : 'message', 'data-ts': message.ts },
    h(
      'span',
      { class: isApp ? 'avatar app' : 'avatar', 'aria-hidden': 'true' },
      name.slice(0, 1).toUpperCase(),
    ),
    h(
      'div',
      { class: 'content' },
      message.ephemeral && h('div', { class: 'only-you' }, 'Only visible to you'),
      h(
        'div',
        { class: 'byline' },
        h('strong', {}, name),
        isApp && h('span', { class: 'badge' }, 'APP'),
        h('time', {}, timeOf(message.ts)),
        message.edited && h('span', { class: 'subtle' }, '(edited)'),
      ),
      hasBlocks
        ? showBlocks(message.blocks, place)
        : h('div', { class: 'text' }, mrkdwn(message.text ?? '', place.names)),
      message.attachments && showAttachments(message.attachments, place),
      (message.files ?? []).map((file) => fileLink(file, hasBlocks)),
      threadLink(message, handlers),
    ),
    tools(message, handlers),
  );
}

function fileLink(file, hasBlocks) {
  const isPicture = file.mimetype?.startsWith('image/');
  if (isPicture && !hasBlocks)
    return h('img', { class: 'file', src: file.url_private, alt: file.alt_txt ?? file.title });
  return h('a', { class: 'file', href: file.url_private, target: '_blank' }, `📎 ${file.title ?? file.name}`);
}

function threadLink({ ts, reply_count: count = 0 }, { openThread }) {
  if (!openThread || count === 0) return undefined;
  const label = `${count} ${count === 1 ? 'reply' : 'replies'}`;
  return h('button', { type: 'button', class: 'thread-link', onclick: () => openThread(ts) }, label);
}

function tools(message, { openThread, shortcutsFor }) {
  if (message.ephemeral) return undefined;
  const reply = { type: 'button', class: 'quiet', onclick: () => openThread(message.ts) };
  const items = shortcutsFor(message);
  return h(
    'div',
    { class: 'tools' },
    openThread && h('button', reply, 'Reply in thread'),
    items.length > 0 && menuButton({ label: 'Message actions', items }),
  );
}
