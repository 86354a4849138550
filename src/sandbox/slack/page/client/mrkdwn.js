import { formatDate } from './dates.js';
import { h, nodes } from './dom.js';
import { withEmoji } from './emoji.js';

/** @typedef {{ user(id: string): string, channel(id: string): string, group(id: string): string }} Names */

/**
 * Shows Slack's markup: blocks of code and quotes, then what stands in lines.
 *
 * @param {string} text
 * @param {Names} names
 */
export function mrkdwn(text, names) {
  const parts = text.split(/(```[\s\S]+?```)/).map((part) => {
    const code = /^```\n?([\s\S]+?)\n?```$/.exec(part)?.[1];
    return code === undefined ? quotesAndLines(part, names) : preformatted(code, names);
  });
  return nodes(parts);
}

function preformatted(code, names) {
  return h(
    'pre',
    {},
    code.split(/(<[^>]+>)/).map((piece) => plainToken(piece, names)),
  );
}

/** Shows text without markup, but with emoji. */
export function plainText({ text, emoji = true }) {
  return emoji ? withEmoji(text) : text;
}

function quotesAndLines(text, names) {
  const groups = [];
  for (const line of text.split('\n')) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line)?.[1];
    const last = groups.at(-1);
    if (last && last.isQuote === (quoted !== undefined)) last.lines.push(quoted ?? line);
    else groups.push({ isQuote: quoted !== undefined, lines: [quoted ?? line] });
  }
  return groups.flatMap(({ isQuote, lines }, index) => {
    const content = lines.flatMap((line, row) => [row > 0 && h('br'), ...inline(line, names)]);
    if (isQuote) return [h('blockquote', {}, content)];
    return index > 0 && lines.join('') === '' ? [] : content;
  });
}

const styles = { '*': 'strong', _: 'em', '~': 's' };

/** In order: code, `<…>`, and marked words, whose marks stand at their edges and not inside a word. */
const inlineToken =
  /`([^`]+)`|<([^<>]+)>|(?<![\p{L}\p{N}])([*_~])(?=\S)((?:(?!\3)[^`<])*?(?:<[^<>]+>(?:(?!\3)[^`<])*?)*)(?<=\S)\3(?![\p{L}\p{N}])/gu;

function inline(text, names) {
  const shown = [];
  let end = 0;
  for (const match of text.matchAll(inlineToken)) {
    const [whole, code, token, mark, marked] = match;
    shown.push(readable(text.slice(end, match.index)));
    if (code) shown.push(h('code', {}, unescaped(code)));
    else if (token) shown.push(special(token, names));
    else shown.push(h(styles[mark], {}, inline(marked, names)));
    end = match.index + whole.length;
  }
  return [...shown, readable(text.slice(end))].filter((part) => part !== '');
}

function special(token, names) {
  const [target, label] = splitLabel(token);
  if (target.startsWith('@')) return mention(`@${names.user(target.slice(1))}`);
  if (target.startsWith('#')) return mention(`#${label || names.channel(target.slice(1))}`);
  if (target.startsWith('!subteam^')) return mention(`@${names.group(target.slice('!subteam^'.length))}`);
  if (target.startsWith('!date^')) return date(target, label);
  if (target.startsWith('!')) return mention(`@${target.slice(1)}`, true);
  return link(unescaped(target), unescaped(label || target.replace(/^mailto:/, '')));
}

function date(target, fallback) {
  const [, seconds, template, url] = target.split('^');
  const shown =
    Number.isFinite(Number(seconds)) && template
      ? formatDate(Number(seconds), template)
      : unescaped(fallback);
  return url ? link(unescaped(url), shown) : h('time', {}, shown);
}

/** A link that opens beside the page; an address that is neither of the web nor mail is shown as text. */
export function link(url, label = url) {
  if (!/^(https?:|mailto:)/i.test(url)) return label;
  return h('a', { href: url, target: '_blank', rel: 'noopener noreferrer' }, label);
}

/** A name of somebody or something in the workspace. */
export function mention(label, isLoud = false) {
  return h('span', { class: isLoud ? 'mention loud' : 'mention' }, label);
}

function plainToken(piece, names) {
  const token = /^<([^>]+)>$/.exec(piece)?.[1];
  return token ? special(token, names) : unescaped(piece);
}

function splitLabel(token) {
  const bar = token.indexOf('|');
  return bar < 0 ? [token, ''] : [token.slice(0, bar), token.slice(bar + 1)];
}

function readable(text) {
  return withEmoji(unescaped(text));
}

function unescaped(text) {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
