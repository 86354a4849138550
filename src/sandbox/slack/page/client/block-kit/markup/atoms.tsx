import type { ReactNode } from 'react';
import { inOrder } from '../in-order.ts';
import { formatDate } from './dates.ts';
import { emojiCode, emojiNamed } from './emoji.ts';
import { useReader } from './reading.ts';

/** A link that opens beside the page; an address that is neither of the web nor mail nor a telephone is shown as text. */
export function Link({ url, children }: { readonly url: string; readonly children: ReactNode }): ReactNode {
  if (!/^(?:https?|mailto|tel):/i.test(url)) return children;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Text with `:name:` replaced by the emoji; an unknown name stays as it is. */
export function EmojiText({ text }: { readonly text: string }): ReactNode {
  if (!text.includes(':')) return text;
  return inOrder(text.split(new RegExp(emojiCode, 'g')), (piece, index) =>
    index % 2 === 0 ? piece : <Emoji name={piece} />,
  );
}

/** An emoji by its name. */
export function Emoji({ name }: { readonly name: string }): ReactNode {
  const character = emojiNamed(name);
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
  /** What the text itself calls it, where nobody knows the id. */
  readonly label?: string;
}

/** A name of somebody or something in the workspace; one that means the viewer stands out. */
export function Mention({ kind, id, label }: MentionProps): ReactNode {
  const { names } = useReader();
  const text = mentionText(kind, id, label, names);
  const isLoud = kind === 'broadcast' || names.own.has(id);
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
  names: ReturnType<typeof useReader>['names'],
): string {
  if (kind === 'broadcast') return `@${id}`;
  if (kind === 'channel') return `#${known(names.channel(id), id, label)}`;
  return `@${known(kind === 'user' ? names.user(id) : names.group(id), id, label).replace(/^@/, '')}`;
}

function known(name: string, id: string, label: string | undefined): string {
  return name === id && label ? label : name;
}

interface DateTextProps {
  /** Seconds since 1970. */
  readonly seconds: number;
  readonly format: string;
  readonly url?: string | undefined;
  readonly fallback?: string | undefined;
}

/** A time in the viewer's zone, or the fallback where it cannot be written. */
export function DateText({ seconds, format, url = '', fallback = '' }: DateTextProps): ReactNode {
  const { timeZone } = useReader();
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
