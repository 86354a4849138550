import { h } from './dom.js';
import { interactive } from './elements.js';
import { textOf } from './fields.js';
import { mrkdwn, plainText } from './mrkdwn.js';
import { richText } from './rich-text.js';
import { chartTable, dataTable, table } from './tables.js';

/**
 * Shows blocks in order. Inputs are shown by `place.input`, which only a view has.
 *
 * @param {any[]} blocks
 * @param {import('./elements.js').Place & { input?(block: any): HTMLElement }} place
 */
export function showBlocks(blocks, place) {
  return blocks.map((block) => {
    const content = kinds[block.type]?.(block, place) ?? placeholder(block);
    return h('div', { class: `block ${block.type}` }, content);
  });
}

const kinds = {
  section,
  divider: () => h('hr'),
  header: ({ text, level = 2 }) => h(`h${level + 1}`, {}, plainText(text)),
  context: ({ elements }, place) => elements.map((element) => contextPart(element, place)),
  actions: ({ elements, block_id: id }, place) => elements.map((element) => interactive(element, id, place)),
  context_actions: ({ elements, block_id: id }, place) =>
    elements.map((element) => interactive(element, id, place)),
  input: (block, place) => place.input?.(block),
  image,
  rich_text: (block, { names }) => richText(block, names),
  markdown: ({ text }) => h('pre', { class: 'markdown' }, text),
  table: (block, { names }) => table(block, names),
  data_table: (block, { names }) => dataTable(block, names),
  data_visualization: chartTable,
  alert: ({ text, level = 'default' }, { names }) =>
    h('div', { class: `callout ${level}`, role: 'note' }, textOf(text, names)),
  card,
  carousel: ({ elements }, place) =>
    elements.map((element) => h('div', { class: 'block card' }, card(element, place))),
  container,
};

function section({ text, fields = [], accessory, block_id: id }, place) {
  const { names } = place;
  return [
    h(
      'div',
      { class: 'body' },
      text && h('div', { class: 'text' }, textOf(text, names)),
      fields.length > 0 &&
        h(
          'div',
          { class: 'fields' },
          fields.map((field) => h('div', { class: 'text' }, textOf(field, names))),
        ),
    ),
    accessory && interactive(accessory, id, place),
  ];
}

function contextPart(element, place) {
  if (element.type === 'image') return h('img', { src: place.imageUrl(element), alt: element.alt_text });
  return h('span', { class: 'text' }, textOf(element, place.names));
}

function image(block, place) {
  const picture = h('img', { src: place.imageUrl(block), alt: block.alt_text, loading: 'lazy' });
  return h('figure', {}, block.title && h('figcaption', {}, plainText(block.title)), picture);
}

function card(block, place) {
  const { names } = place;
  const part = (text, tag, name) => text && h(tag, { class: name }, textOf(text, names));
  const picture =
    block.hero_image && h('img', { src: place.imageUrl(block.hero_image), alt: block.hero_image.alt_text });
  return [
    picture,
    part(block.title, 'div', 'title'),
    part(block.subtitle, 'div', 'subtle'),
    part(block.body, 'p', 'text'),
    part(block.subtext, 'div', 'subtle'),
    h(
      'div',
      { class: 'block actions' },
      (block.actions ?? []).map((element) => interactive(element, block.block_id, place)),
    ),
  ];
}

function container(
  {
    title,
    rich_text_title: richTitle,
    subtitle,
    child_blocks: children,
    is_collapsible: isCollapsible,
    default_collapsed: isCollapsed,
  },
  place,
) {
  const heading = [
    richTitle ? richText(richTitle, place.names) : plainText(title),
    subtitle && h('small', {}, textOf(subtitle, place.names)),
  ];
  if (!isCollapsible) return [h('div', { class: 'title' }, heading), showBlocks(children, place)];
  return h('details', { open: !isCollapsed }, h('summary', {}, heading), showBlocks(children, place));
}

/** Shows what a block that is not drawn yet would say. */
function placeholder(block) {
  const words = wordsIn(block).join(' · ');
  return h('div', { class: 'placeholder' }, `[${block.type}] `, words);
}

function wordsIn(value) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' && ['text', 'title', 'alt_text'].includes(key) ? [inner] : wordsIn(inner),
  );
}

/** Shows the older kind of attachment: a bar, a title, text, fields and whatever blocks it has. */
export function showAttachments(attachments, place) {
  return attachments.map(({ title, pretext, text, fallback, fields = [], blocks = [] }) =>
    h(
      'div',
      { class: 'attachment' },
      title && h('strong', {}, title),
      [pretext, text ?? (blocks.length === 0 ? fallback : undefined)].map(
        (words) => words && h('p', {}, mrkdwn(words, place.names)),
      ),
      fields.map((field) => h('p', {}, h('strong', {}, field.title), ' ', field.value)),
      showBlocks(blocks, place),
    ),
  );
}
