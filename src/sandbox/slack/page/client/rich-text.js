import { formatDate } from './dates.js';
import { h } from './dom.js';
import { emoji } from './emoji.js';
import { link, mention } from './mrkdwn.js';

/** Shows the elements of a rich text block. */
export function richText({ elements = [] }, names) {
  return elements.map((element) => part(element, names));
}

function part(element, names) {
  const { type, elements = [] } = element;
  if (type === 'rich_text_list') {
    const items = elements.map((item) => h('li', {}, runs(item.elements, names)));
    const list = h(element.style === 'ordered' ? 'ol' : 'ul', { start: 1 + (element.offset ?? 0) }, items);
    list.style.marginInlineStart = `${(element.indent ?? 0) * 1.5}em`;
    return list;
  }
  if (type === 'rich_text_preformatted') return h('pre', {}, runs(elements, names));
  if (type === 'rich_text_quote') return h('blockquote', {}, runs(elements, names));
  return h('p', {}, runs(elements, names));
}

function runs(elements = [], names) {
  return elements.map((element) => styled(run(element, names), element.style));
}

function run(element, names) {
  switch (element.type) {
    case 'text':
      return lines(element.text);
    case 'link':
      return link(element.url, element.text || element.url);
    case 'emoji':
      return emoji(element.name);
    case 'user':
      return mention(`@${names.user(element.user_id)}`);
    case 'channel':
      return mention(`#${names.channel(element.channel_id)}`);
    case 'usergroup':
      return mention(`@${names.group(element.usergroup_id)}`);
    case 'broadcast':
      return mention(`@${element.range}`, true);
    case 'date':
      return h('time', {}, formatDate(element.timestamp, element.format));
    case 'color':
      return h('code', {}, element.value);
    default:
      return h('span', { class: 'placeholder' }, `[${element.type}]`);
  }
}

function lines(text) {
  return text.split('\n').flatMap((line, index) => (index > 0 ? [h('br'), line] : [line]));
}

function styled(content, style = {}) {
  const tags = { code: 'code', strike: 's', italic: 'em', underline: 'u', bold: 'strong' };
  return Object.entries(tags).reduce(
    (inner, [name, tag]) => (style[name] ? h(tag, {}, inner) : inner),
    content,
  );
}
