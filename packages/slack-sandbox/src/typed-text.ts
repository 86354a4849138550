/** Finds the ID for a name, which is given without `@` or `#`. */
export interface NameDirectory {
  /** Returns the names with spaces or punctuation that the text mentions. Other names are found as they are typed. */
  fullNames?(text: string): readonly string[];
  userByName(name: string): string | undefined;
  channelByName(name: string): string | undefined;
  groupByHandle(name: string): string | undefined;
}

interface EncodingOptions {
  /** Whether the text is for a slash command or a message. */
  readonly surface: 'command' | 'message';
  /** Value of `should_escape` in the command's manifest. Messages are always encoded completely. */
  readonly escape: boolean;
  /** Whether quotes and dashes become typographic ones. Defaults to true. */
  readonly smartPunctuation?: boolean;
}

/**
 * Encodes typed text like Slack does. `&`, `<` and `>` become entities
 * (https://docs.slack.dev/messaging/formatting-message-text), quotes and dashes become typographic
 * ones unless `smartPunctuation` is false, as macOS and phones insert them, and names and URLs become `<…>`. In a command's text,
 * names and URLs stay as typed unless its manifest sets `should_escape`: "whether the channels,
 * users, and links typed with the slash command should be escaped"
 * (https://docs.slack.dev/reference/app-manifest). A typed `<…>` is ordinary text.
 */
export function encodeTypedText(text: string, directory: NameDirectory, typing: EncodingOptions): string {
  let encoded = '';
  let end = 0;
  for (const match of text.matchAll(withFullNames(directory.fullNames?.(text) ?? []))) {
    encoded += text.slice(end, match.index) + encodeToken(match, directory, typing);
    end = match.index + match[0].length;
  }
  return encoded + text.slice(end);
}

/**
 * Matches everything that delivery changes. A dot or dash after a name or URL doesn't belong to it.
 */
const tokenPattern = new RegExp(
  [
    /(?<code>```[\s\S]*?```|`[^`\n]+`)/u,
    /(?<url>https?:\/\/[^\s<>|"`]*[^\s<>|"`.,;:!?)'])/u,
    /(?<email>(?<![\w.+-])[\w.+-]+@(?:[a-z0-9-]+\.)+[a-z]{2,}\b)/u,
    /(?<host>(?<![\w.@/-])(?:[a-z0-9-]+\.)+(?<domain>[a-z]{2,})(?![\w-])(?::\d+)?(?:\/[^\s<>|"`]*[^\s<>|"`.,;:!?)'])?)/u,
    /(?<![\p{L}\p{N}_])@(?<name>[\p{L}\p{N}._-]*[\p{L}\p{N}_])/u,
    /(?<![\p{L}\p{N}_&])#(?<channel>[\p{L}\p{N}_-]*[\p{L}\p{N}_])/u,
    /(?<dashes>--)/u,
    /(?<quote>["'])/u,
    /[&<>]/u,
  ]
    .map(({ source }) => source)
    .join('|'),
  'giu',
);

/** Returns the pattern that matches mentions of these names too, the longest names first. */
function withFullNames(names: readonly string[]): RegExp {
  if (names.length === 0) return tokenPattern;
  const escaped = names
    .toSorted((a, b) => b.length - a.length)
    .map((name) => name.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`));
  const fullName = String.raw`(?<![\p{L}\p{N}_])@(?<full>${escaped.join('|')})(?![\p{L}\p{N}_])`;
  return new RegExp(`${fullName}|${tokenPattern.source}`, tokenPattern.flags);
}

function encodeToken(match: RegExpMatchArray, directory: NameDirectory, typing: EncodingOptions): string {
  const [typed] = match;
  const { surface, smartPunctuation = true } = typing;
  const name = match.groups?.full ?? match.groups?.name;
  const { code, dashes, quote, url, email, host, domain = '', channel } = match.groups ?? {};
  if ((dashes || quote) && !smartPunctuation) return typed;
  if (dashes) return '—';
  if (quote) return toCurlyQuote(quote, match.input?.[(match.index ?? 0) - 1] ?? ' ');
  if (code || (surface === 'command' && !typing.escape)) return escapeEntities(typed);

  if (name) return encodeMention(name, directory, surface) ?? typed;
  if (channel) return encodeReference('#', directory.channelByName(channel), channel) ?? typed;
  if (url) return `<${escapeEntities(url)}>`;
  if (email) return `<mailto:${email}|${email}>`;
  if (host && isTopLevelDomain(domain)) return `<http://${escapeEntities(host)}|${escapeEntities(host)}>`;
  return escapeEntities(typed);
}

function encodeMention(
  name: string,
  directory: NameDirectory,
  surface: EncodingOptions['surface'],
): string | undefined {
  if (broadcasts.has(name)) return `<!${name}>`;
  const user = directory.userByName(name);
  if (user && surface === 'message') return `<@${user}>`;
  return (
    encodeReference('@', user, name) ??
    encodeReference('!subteam^', directory.groupByHandle(name), `@${name}`)
  );
}

function encodeReference(kind: string, id: string | undefined, label: string): string | undefined {
  return id && `<${kind}${id}|${label}>`;
}

const broadcasts: ReadonlySet<string> = new Set(['channel', 'everyone', 'here']);

function toCurlyQuote(quote: string, before: string): string {
  const isOpening = /[\s([{=—–-]/u.test(before);
  return quote === '"' ? (isOpening ? '“' : '”') : isOpening ? '‘' : '’';
}

function escapeEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const genericDomains: ReadonlySet<string> = new Set(
  'app biz blog cloud com dev edu gov info int mil mobi name net online org page pro shop site store tech xyz'.split(
    ' ',
  ),
);

/**
 * Returns whether Slack considers a name with this ending a host: `notes.md` is one, `main.ts`
 * isn't.
 */
function isTopLevelDomain(domain: string): boolean {
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const isCountry = domain.length === 2 && regions.of(domain.toUpperCase()) !== undefined;
  return isCountry || genericDomains.has(domain.toLowerCase());
}
