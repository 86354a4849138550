/** Finds the id of what a person names; `name` is without its `@` or `#`. */
export interface Directory {
  userByName(name: string): string | undefined;
  channelByName(name: string): string | undefined;
  groupByHandle(name: string): string | undefined;
}

interface Typing {
  /** Whether the text follows a slash command or is a message. */
  readonly surface: 'command' | 'message';
  /** The command's `should_escape`; a message is always encoded in full. */
  readonly escape: boolean;
}

/**
 * Writes what a person types as Slack delivers it: `&`, `<` and `>` as entities
 * (https://docs.slack.dev/messaging/formatting-message-text), quotes and `--` as composers and phones turn them, names
 * and addresses as `<…>`. In a command's text names and addresses stay as typed unless its manifest says
 * `should_escape`: "whether the channels, users, and links typed with the slash command should be escaped"
 * (https://docs.slack.dev/reference/app-manifest). What is typed as `<…>` is text like any other.
 */
export function encodeTyped(text: string, directory: Directory, typing: Typing): string {
  let encoded = '';
  let end = 0;
  for (const match of text.matchAll(token)) {
    encoded += text.slice(end, match.index) + encodeToken(match, directory, typing);
    end = match.index + match[0].length;
  }
  return encoded + text.slice(end);
}

/** Everything that does not arrive as it is typed; a dot or dash after a name or an address is not part of it. */
const token = new RegExp(
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

function encodeToken(match: RegExpMatchArray, directory: Directory, typing: Typing): string {
  const [typed] = match;
  const { code, dashes, quote, url, email, host, domain = '', name, channel } = match.groups ?? {};
  if (dashes) return '—';
  if (quote) return curled(quote, match.input?.[(match.index ?? 0) - 1] ?? ' ');
  if (code || (typing.surface === 'command' && !typing.escape)) return withEntities(typed);

  if (name) return mention(name, directory, typing.surface) ?? typed;
  if (channel) return reference('#', directory.channelByName(channel), channel) ?? typed;
  if (url) return `<${withEntities(url)}>`;
  if (email) return `<mailto:${email}|${email}>`;
  if (host && isTopLevelDomain(domain)) return `<http://${withEntities(host)}|${withEntities(host)}>`;
  return withEntities(typed);
}

function mention(name: string, directory: Directory, surface: Typing['surface']): string | undefined {
  if (broadcasts.has(name)) return `<!${name}>`;
  const user = directory.userByName(name);
  if (user && surface === 'message') return `<@${user}>`;
  return reference('@', user, name) ?? reference('!subteam^', directory.groupByHandle(name), `@${name}`);
}

function reference(kind: string, id: string | undefined, label: string): string | undefined {
  return id && `<${kind}${id}|${label}>`;
}

const broadcasts: ReadonlySet<string> = new Set(['channel', 'everyone', 'here']);

function curled(quote: string, before: string): string {
  const isOpening = /[\s([{=—–-]/u.test(before);
  return quote === '"' ? (isOpening ? '“' : '”') : isOpening ? '‘' : '’';
}

function withEntities(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

const genericDomains: ReadonlySet<string> = new Set(
  'app biz blog cloud com dev edu gov info int mil mobi name net online org page pro shop site store tech xyz'.split(
    ' ',
  ),
);

/** Tells whether Slack would take a name that ends so for a host: `notes.md` is one, `main.ts` is not. */
function isTopLevelDomain(domain: string): boolean {
  const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const isCountry = domain.length === 2 && regions.of(domain.toUpperCase()) !== undefined;
  return isCountry || genericDomains.has(domain.toLowerCase());
}
