import type { ReactNode } from 'react';
import { renderByIndex } from '../render-by-index.ts';
import { emojiPattern, findEmoji } from './emoji.ts';
import { formatDate } from './format-date.ts';
import { toLocalUrl } from './local-url.ts';
import { useViewer } from './viewer-context.ts';

/** A link that opens in a new tab. Only web, mail and phone URLs become links; others are shown as text. */
export function Link({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  if (!/^(?:https?|mailto|tel):/i.test(url)) return children;
  return (
    <a href={toLocalUrl(url)} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Text in which `:name:` is replaced by the emoji. Unknown names stay unchanged. */
export function EmojiText({ text }: { readonly text: string }): ReactNode {
  if (!text.includes(':')) return text;
  return renderByIndex(text.split(new RegExp(emojiPattern, 'g')), (piece, index) =>
    index % 2 === 0 ? piece : <Emoji name={piece} />,
  );
}

/** An emoji, given by its name. */
export function Emoji({ name }: { readonly name: string }): ReactNode {
  const character = findEmoji(name);
  if (character === undefined) return `:${name}:`;
  const label = name.split('::')[0]?.replaceAll('_', ' ');
  return (
    <span className="kit-emoji" role="img" aria-label={label} title={`:${name}:`}>
      {character}
    </span>
  );
}

interface MentionProps {
  readonly kind: 'user' | 'channel' | 'group' | 'broadcast';
  readonly id: string;
  /** The label in the text itself. Used if the ID is unknown. */
  readonly label?: string;
}

/** A mention of a person, group or channel. It is highlighted if it mentions the viewer. */
export function Mention({ kind, id, label }: MentionProps): ReactNode {
  const { names } = useViewer();
  const text = mentionText(kind, id, label, names);
  const isLoud = kind === 'broadcast' || names.selfIds.has(id);
  const className = isLoud ? 'kit-mention kit-mention-loud' : 'kit-mention';
  const { visit } = names;
  if (!visit || kind === 'broadcast' || kind === 'group') return <span className={className}>{text}</span>;
  return (
    <button type="button" className={className} onClick={() => visit(id)}>
      {text}
    </button>
  );
}

function mentionText(
  kind: MentionProps['kind'],
  id: string,
  label: string | undefined,
  names: ReturnType<typeof useViewer>['names'],
): string {
  if (kind === 'broadcast') return `@${id}`;
  if (kind === 'channel') return `#${labelOrName(names.channel(id), id, label)}`;
  return `@${labelOrName(kind === 'user' ? names.user(id) : names.group(id), id, label).replace(/^@/, '')}`;
}

function labelOrName(name: string, id: string, label: string | undefined): string {
  return name === id && label ? label : name;
}

interface DateTextProps {
  /** Epoch seconds. */
  readonly seconds: number;
  readonly format: string;
  readonly url?: string | undefined;
  readonly fallback?: string | undefined;
}

/** A time in the viewer's time zone. If it can't be formatted, the fallback is shown. */
export function DateText({ seconds, format, url = '', fallback = '' }: DateTextProps): ReactNode {
  const { timeZone } = useViewer();
  const text = formatDate(seconds, format, { timeZone, nowMs: Date.now() });
  if (text === undefined) return url ? <Link url={url}>{fallback}</Link> : fallback;
  const moment = new Date(seconds * 1000);
  const full = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(
    moment,
  );
  const time = (
    <time dateTime={moment.toISOString()} title={full}>
      {text}
    </time>
  );
  return url ? <Link url={url}>{time}</Link> : time;
}
