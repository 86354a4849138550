/** An inline part of a line of mrkdwn. */
export type Span =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'styled'; readonly style: Style; readonly children: readonly Span[] }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'link'; readonly url: string; readonly label: string }
  | { readonly kind: 'user' | 'channel' | 'group'; readonly id: string; readonly label: string }
  | { readonly kind: 'broadcast'; readonly range: string }
  | {
      readonly kind: 'date';
      readonly seconds: number;
      readonly format: string;
      readonly url: string;
      readonly fallback: string;
    };

export type Style = 'bold' | 'italic' | 'strike';

/** A block of mrkdwn: lines, quoted lines, or preformatted text. */
export type Part =
  | { readonly kind: 'lines' | 'quote'; readonly lines: readonly (readonly Span[])[] }
  | { readonly kind: 'preformatted'; readonly spans: readonly Span[] };

const styles: Readonly<Record<string, Style>> = { '*': 'bold', _: 'italic', '~': 'strike' };

/**
 * Parses mrkdwn. With `verbatim`, bare URLs stay text. Unmatched marks stay unchanged, so this
 * never throws.
 */
export function parseMrkdwn(text: string, { verbatim = false }: { verbatim?: boolean } = {}): Part[] {
  // Line breaks next to preformatted text aren't shown.
  const pieces = text.split(/\n?(```[\s\S]+?```)\n?/);
  return pieces.flatMap((piece, index): Part[] => {
    if (index % 2 === 0) return piece === '' ? [] : parseLines(piece, !verbatim);
    const code = piece.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '');
    return [{ kind: 'preformatted', spans: parseTokensOnly(code) }];
  });
}

function parseLines(text: string, isLinking: boolean): Part[] {
  const parts: { kind: 'lines' | 'quote'; lines: Span[][] }[] = [];
  let isQuotedToEnd = false;
  for (const line of text.split('\n')) {
    const toEnd: string | undefined = isQuotedToEnd ? undefined : /^(?:&gt;|>){3} ?(.*)$/.exec(line)?.[1];
    isQuotedToEnd ||= toEnd !== undefined;
    const quoted = isQuotedToEnd ? (toEnd ?? line) : /^(?:&gt;|>) ?(.*)$/.exec(line)?.[1];
    const kind = quoted === undefined ? 'lines' : 'quote';
    const spans = parseLine(quoted ?? line, isLinking);
    const last = parts.at(-1);
    if (last?.kind === kind) last.lines.push(spans);
    else parts.push({ kind, lines: [spans] });
  }
  return parts;
}

/** Parses a line into code, `<…>`, marks, bare URLs and text. */
export function parseLine(line: string, isLinking = true): Span[] {
  const spans: Span[] = [];
  /** Marks that have no closing mark in the rest of the line. */
  const unclosed = new Set<string>();
  let textStart = 0;
  let at = 0;

  function take(span: Span, end: number) {
    pushText(spans, line.slice(textStart, at));
    spans.push(span);
    textStart = end;
    at = end;
  }

  while (at < line.length) {
    const char = line.charAt(at);
    const style = styles[char];
    const atomEnd = findAtomEnd(line, at);
    const address = isLinking && char === 'h' ? matchUrlAt(line, at) : undefined;
    if (atomEnd > at) take(parseAtom(line.slice(at, atomEnd)), atomEnd);
    else if (address !== undefined)
      take(
        { kind: 'link', url: unescapeEntities(address), label: unescapeEntities(address) },
        at + address.length,
      );
    else if (style && !unclosed.has(char) && canOpenMark(line, at)) {
      const end = findClosingMark(line, at, char);
      if (end === undefined) {
        unclosed.add(char);
        at += 1;
      } else
        take({ kind: 'styled', style, children: parseLine(line.slice(at + 1, end), isLinking) }, end + 1);
    } else at += 1;
  }
  pushText(spans, line.slice(textStart));
  return spans;
}

function pushText(spans: Span[], text: string): void {
  if (text !== '') spans.push({ kind: 'text', text: unescapeEntities(text) });
}

/** Returns the end of the code or `<…>` that starts at `at`, or `at` if nothing starts there. */
function findAtomEnd(line: string, at: number): number {
  const char = line.charAt(at);
  if (char === '`') {
    const end = line.indexOf('`', at + 1);
    return end > at + 1 ? end + 1 : at;
  }
  if (char !== '<') return at;
  const end = line.indexOf('>', at + 1);
  return end > at && isToken(line.slice(at + 1, end)) ? end + 1 : at;
}

/** Returns whether `<…>` is one of Slack's tokens and not an unescaped `<`. */
function isToken(inner: string): boolean {
  return /^(?:[@#!][^\s<]|[a-z][\w+.-]*:)[^<]*$/i.test(inner);
}

function parseAtom(atom: string): Span {
  return atom.startsWith('`')
    ? { kind: 'code', text: unescapeEntities(atom.slice(1, -1)) }
    : parseToken(atom.slice(1, -1));
}

/** A zero-width space counts as part of a word, so that a mark beside it is text. */
const wordChar = /[\p{L}\p{N}\u200B]/u;

function canOpenMark(line: string, at: number): boolean {
  return (
    !wordChar.test(line.charAt(at - 1)) &&
    /^[^\s]$/.test(line.charAt(at + 1)) &&
    line.charAt(at + 1) !== line.charAt(at)
  );
}

function findClosingMark(line: string, from: number, mark: string): number | undefined {
  for (let at = from + 1; at < line.length; at += 1) {
    const atomEnd = findAtomEnd(line, at);
    if (atomEnd > at) at = atomEnd - 1;
    else if (line.charAt(at) === mark && at > from + 1 && isClosing(line, at)) return at;
  }
  return undefined;
}

function isClosing(line: string, at: number): boolean {
  return !/\s/.test(line.charAt(at - 1)) && !wordChar.test(line.charAt(at + 1));
}

function matchUrlAt(line: string, at: number): string | undefined {
  if (wordChar.test(line.charAt(at - 1))) return undefined;
  const found = /^https?:\/\/[^\s<>|`]+/.exec(line.slice(at))?.[0];
  return found?.replace(/(?:[.,;:!?'")\]*_~]|&gt;)+$/, '');
}

/** The groups of people that a message can notify. */
export const broadcastRanges: ReadonlySet<string> = new Set(['here', 'channel', 'everyone']);

/** Parses the content between `<` and `>`. */
function parseToken(token: string): Span {
  const bar = token.indexOf('|');
  const target = bar < 0 ? token : token.slice(0, bar);
  const label = bar < 0 ? '' : unescapeEntities(token.slice(bar + 1));
  if (target.startsWith('@')) return { kind: 'user', id: target.slice(1), label };
  if (target.startsWith('#')) return { kind: 'channel', id: target.slice(1), label };
  if (target.startsWith('!subteam^')) return { kind: 'group', id: target.slice('!subteam^'.length), label };
  if (target.startsWith('!date^')) return parseDateToken(target, label);
  if (target.startsWith('!')) {
    const range = target.slice(1);
    return { kind: 'broadcast', range: broadcastRanges.has(range) ? range : label || range };
  }
  const url = unescapeEntities(target);
  return { kind: 'link', url, label: label || url.replace(/^mailto:/, '') };
}

function parseDateToken(target: string, fallback: string): Span {
  const [, seconds = '', format = '', url = ''] = target.split('^');
  return {
    kind: 'date',
    seconds: /^-?\d+$/.test(seconds) ? Number(seconds) : Number.NaN,
    format: unescapeEntities(format),
    url: unescapeEntities(url),
    fallback,
  };
}

function parseTokensOnly(code: string): Span[] {
  const spans: Span[] = [];
  for (const [index, piece] of code.split(/(<[^<>]+>)/).entries()) {
    if (index % 2 === 1 && isToken(piece.slice(1, -1))) spans.push(parseToken(piece.slice(1, -1)));
    else pushText(spans, piece);
  }
  return spans;
}

/** Reverses the three escapes that Slack requires. */
export function unescapeEntities(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
