import type { types } from '@slack/bolt';
import {
  formatBytes,
  formatDuration,
  formatPercent,
  formatRate,
} from '../../../charts/format/format-quantity.ts';
import type { Value } from '../../../operations/define/outcome.ts';
import { toPrintable, truncate } from './text.ts';

/** Symbols shown beside a state's name, never instead of it. */
const stateSymbols: readonly (readonly [pattern: RegExp, symbol: string])[] = [
  [/^(running|online|active|up|started|ok|ready)$/i, '🟢'],
  [/^(stopped|offline|inactive|off|down|shut_?down|halted|suspended|paused)$/i, '⚪'],
  [/(ing|pending|queued|progress)$/i, '🟡'],
  [/(error|failed|crashed|unknown|locked)/i, '🔴'],
];

/** Returns a state with its symbol and, if `count` is given, the number of VPS in this state. */
export function formatState(state: string, count?: number): string {
  const symbol = stateSymbols.find(([pattern]) => pattern.test(state))?.[1];
  return [symbol, count, state].filter((part) => part !== undefined).join(' ');
}

export function formatValue(value: Value): string {
  return toPrintable(toText(value));
}

function toText(value: Value): string {
  if (typeof value === 'string') return value;
  switch (value.kind) {
    case 'state':
      return formatState(value.state);
    case 'bytes':
      return formatBytes(value.bytes);
    case 'rate':
      return formatRate(value.bytesPerSecond);
    case 'percent':
      return formatPercent(value.percent);
    case 'duration':
      return formatDuration(value.durationMs);
    case 'code':
      return value.code;
    case 'link':
      return value.text ?? value.url;
    case 'person':
      return `@${value.person}`;
    case 'userGroup':
      return `@${value.userGroup}`;
    case 'channel':
      return `#${value.channel}`;
    case 'time':
      return isWritableTime(value) ? new Date(value.timeMs).toISOString() : 'not known';
  }
}

const maxTimeMs = 8.64e15;

/** Returns whether a value is a time that Date can represent. */
export function isWritableTime(value: Value): value is Extract<Value, { kind: 'time' }> {
  return typeof value === 'object' && value.kind === 'time' && Math.abs(value.timeMs) <= maxTimeMs;
}

/**
 * Returns a value as a rich-text element without markup. Times appear in the reader's time zone, and people
 * and channels by name.
 */
export function valueElement(value: Value, maxChars: number): types.RichTextElement {
  if (isWritableTime(value)) {
    const timestamp = Math.floor(value.timeMs / 1000);
    return {
      type: 'date',
      timestamp,
      format: '{date_short_pretty} at {time}',
      fallback: new Date(value.timeMs).toISOString(),
    };
  }
  if (typeof value === 'object') {
    if (value.kind === 'person') return { type: 'user', user_id: value.person };
    if (value.kind === 'userGroup') return { type: 'usergroup', usergroup_id: value.userGroup };
    if (value.kind === 'channel') return { type: 'channel', channel_id: value.channel };
    if (value.kind === 'link')
      return { type: 'link', url: value.url, text: truncate(formatValue(value), maxChars) };
  }
  const text = truncate(formatValue(value), maxChars);
  const isCode = typeof value === 'object' && value.kind === 'code';
  return { type: 'text', text, ...(isCode && { style: { code: true } }) };
}
