import type { types } from '@slack/bolt';
import { formatBytes, formatDuration, formatPercent, formatRate } from '../../charts/figures.ts';
import type { Value } from '../../operations/outcome.ts';
import { clip, readable } from './text.ts';

/** Symbols that stand beside a state's word, never instead of it. */
const symbols: readonly (readonly [pattern: RegExp, symbol: string])[] = [
  [/^(running|online|active|up|started|ok|ready)$/i, '🟢'],
  [/^(stopped|offline|inactive|off|down|shut_?down|halted|suspended|paused)$/i, '⚪'],
  [/(ing|pending|queued|progress)$/i, '🟡'],
  [/(error|failed|crashed|unknown|locked)/i, '🔴'],
];

/** Writes a state by symbol and word, and how many are in it where that is given. */
export function stateText(state: string, count?: number): string {
  const symbol = symbols.find(([pattern]) => pattern.test(state))?.[1];
  return [symbol, count, state].filter((part) => part !== undefined).join(' ');
}

/** Writes a value where only plain text stands. */
export function valueText(value: Value): string {
  return readable(wordsOf(value));
}

function wordsOf(value: Value): string {
  if (typeof value === 'string') return value;
  if ('state' in value) return stateText(value.state);
  if ('bytes' in value) return formatBytes(value.bytes);
  if ('bytesPerSecond' in value) return formatRate(value.bytesPerSecond);
  if ('percent' in value) return formatPercent(value.percent);
  if ('durationMs' in value) return formatDuration(value.durationMs);
  if ('code' in value) return value.code;
  if ('person' in value) return `@${value.person}`;
  if ('userGroup' in value) return `@${value.userGroup}`;
  if ('channel' in value) return `#${value.channel}`;
  return isTime(value) ? new Date(value.timeMs).toISOString() : 'not known';
}

/** The furthest moment that a Date can hold. */
const mostTimeMs = 8.64e15;

/** Tells whether a value is a moment that can be written. */
export function isTime(value: Value): value is { readonly timeMs: number } {
  return typeof value === 'object' && 'timeMs' in value && Math.abs(value.timeMs) <= mostTimeMs;
}

/** Writes a value as an element of rich text, in which nothing is markup, a time is in the reader's zone, and people and channels have their names. */
export function valueElement(value: Value, most: number): types.RichTextElement {
  if (isTime(value)) {
    const timestamp = Math.floor(value.timeMs / 1000);
    return {
      type: 'date',
      timestamp,
      format: '{date_short_pretty} at {time}',
      fallback: new Date(value.timeMs).toISOString(),
    };
  }
  if (typeof value === 'object') {
    if ('person' in value) return { type: 'user', user_id: value.person };
    if ('userGroup' in value) return { type: 'usergroup', usergroup_id: value.userGroup };
    if ('channel' in value) return { type: 'channel', channel_id: value.channel };
  }
  const text = clip(valueText(value), most);
  const isCode = typeof value === 'object' && 'code' in value;
  return { type: 'text', text, ...(isCode && { style: { code: true } }) };
}
