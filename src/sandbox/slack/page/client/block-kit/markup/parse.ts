/** What stands in a line of mrkdwn. */
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

/** A stretch of mrkdwn: lines, quoted lines, or preformatted text. */
export type Part =
  | { readonly kind: 'lines' | 'quote'; readonly lines: readonly (readonly Span[])[] }
  | { readonly kind: 'preformatted'; readonly spans: readonly Span[] };

const styles: Readonly<Record<string, Style>> = { '*': 'bold', _: 'italic', '~': 'strike' };

/** Reads mrkdwn. `verbatim` leaves bare addresses as text. Marks that make nothing stay as they are, so it never throws. */
export function parseMrkdwn(text: string, { verbatim = false }: { verbatim?: boolean } = {}): Part[] {
  // The line breaks beside preformatted text are not shown.
  const pieces = text.split(/\n?(```[\s\S]+?```)\n?/);
  return pieces.flatMap((piece, index): Part[] => {
    if (index % 2 === 0) return piece === '' ? [] : parseLines(piece, !verbatim);
    const code = piece.slice(3, -3).replace(/^\n/, '').replace(/\n$/, '');
    return [{ kind: 'preformatted', spans: spansWithTokensOnly(code) }];
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

/** Reads one line: code, `<…>`, marked words, bare addresses and text. */
export function parseLine(line: string, isLinking = true): Span[] {
  const spans: Span[] = [];
  /** Marks without a closing one from here on. */
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
    const atomEnd = endOfAtom(line, at);
    const address = isLinking && char === 'h' ? addressAt(line, at) : undefined;
    if (atomEnd > at) take(atomOf(line.slice(at, atomEnd)), atomEnd);
    else if (address !== undefined)
      take({ kind: 'link', url: unescaped(address), label: unescaped(address) }, at + address.length);
    else if (style && !unclosed.has(char) && mayOpen(line, at)) {
      const end = closingOf(line, at, char);
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
  if (text !== '') spans.push({ kind: 'text', text: unescaped(text) });
}

/** Where the code or the `<…>` that begins here ends; not after `at` where none begins. */
function endOfAtom(line: string, at: number): number {
  const char = line.charAt(at);
  if (char === '`') {
    const end = line.indexOf('`', at + 1);
    return end > at + 1 ? end + 1 : at;
  }
  if (char !== '<') return at;
  const end = line.indexOf('>', at + 1);
  return end > at && isToken(line.slice(at + 1, end)) ? end + 1 : at;
}

/** Tells what Slack made from a `<` that somebody did not escape. */
function isToken(inner: string): boolean {
  return /^(?:[@#!][^\s<]|[a-z][\w+.-]*:)[^<]*$/i.test(inner);
}

function atomOf(atom: string): Span {
  return atom.startsWith('`')
    ? { kind: 'code', text: unescaped(atom.slice(1, -1)) }
    : tokenOf(atom.slice(1, -1));
}

const wordChar = /[\p{L}\p{N}]/u;

function mayOpen(line: string, at: number): boolean {
  return (
    !wordChar.test(line.charAt(at - 1)) &&
    /^[^\s]$/.test(line.charAt(at + 1)) &&
    line.charAt(at + 1) !== line.charAt(at)
  );
}

function closingOf(line: string, from: number, mark: string): number | undefined {
  for (let at = from + 1; at < line.length; at += 1) {
    const atomEnd = endOfAtom(line, at);
    if (atomEnd > at) at = atomEnd - 1;
    else if (line.charAt(at) === mark && at > from + 1 && isClosing(line, at)) return at;
  }
  return undefined;
}

function isClosing(line: string, at: number): boolean {
  return !/\s/.test(line.charAt(at - 1)) && !wordChar.test(line.charAt(at + 1));
}

function addressAt(line: string, at: number): string | undefined {
  if (wordChar.test(line.charAt(at - 1))) return undefined;
  const found = /^https?:\/\/[^\s<>|`]+/.exec(line.slice(at))?.[0];
  return found?.replace(/(?:[.,;:!?'")\]*_~]|&gt;)+$/, '');
}

/** Reads what stands between `<` and `>`. */
function tokenOf(token: string): Span {
  const bar = token.indexOf('|');
  const target = bar < 0 ? token : token.slice(0, bar);
  const label = bar < 0 ? '' : unescaped(token.slice(bar + 1));
  if (target.startsWith('@')) return { kind: 'user', id: target.slice(1), label };
  if (target.startsWith('#')) return { kind: 'channel', id: target.slice(1), label };
  if (target.startsWith('!subteam^')) return { kind: 'group', id: target.slice('!subteam^'.length), label };
  if (target.startsWith('!date^')) return dateOf(target, label);
  if (target.startsWith('!')) return { kind: 'broadcast', range: label || target.slice(1) };
  const url = unescaped(target);
  return { kind: 'link', url, label: label || url.replace(/^mailto:/, '') };
}

function dateOf(target: string, fallback: string): Span {
  const [, seconds = '', format = '', url = ''] = target.split('^');
  return {
    kind: 'date',
    seconds: /^-?\d+$/.test(seconds) ? Number(seconds) : Number.NaN,
    format: unescaped(format),
    url: unescaped(url),
    fallback,
  };
}

function spansWithTokensOnly(code: string): Span[] {
  const spans: Span[] = [];
  for (const [index, piece] of code.split(/(<[^<>]+>)/).entries()) {
    if (index % 2 === 1 && isToken(piece.slice(1, -1))) spans.push(tokenOf(piece.slice(1, -1)));
    else pushText(spans, piece);
  }
  return spans;
}

/** Undoes the three escapes that Slack asks for. */
export function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}
