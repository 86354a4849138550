import type { types } from '@slack/bolt';
import { formatBytes, formatDuration, formatPercent, formatRate } from '../../charts/figures.ts';
import type { Value } from '../../operations/outcome.ts';
import { clip } from './text.ts';

/** Symbols that stand beside a state's word, never instead of it. */
const symbols: readonly (readonly [pattern: RegExp, symbol: string])[] = [
  [/^(running|online|active|up|started|ok|ready)$/i, '🟢'],
  [/^(stopped|offline|inactive|off|down|shut_?down|halted|suspended|paused)$/i, '⚪'],
  [/(ing|pending|queued|progress)$/i, '🟡'],
  [/(error|failed|crashed|unknown|locked)/i, '🔴'],
];

/** Writes a state by symbol and word. */
export function stateText(state: string): string {
  const symbol = symbols.find(([pattern]) => pattern.test(state))?.[1];
  return symbol ? `${symbol} ${state}` : state;
}

/** Writes a value where only plain text stands. */
export function valueText(value: Value): string {
  if (typeof value === 'string') return value;
  if ('state' in value) return stateText(value.state);
  if ('bytes' in value) return formatBytes(value.bytes);
  if ('bytesPerSecond' in value) return formatRate(value.bytesPerSecond);
  if ('percent' in value) return formatPercent(value.percent);
  if ('durationMs' in value) return formatDuration(value.durationMs);
  if ('code' in value) return value.code;
  return Number.isFinite(value.timeMs) ? new Date(value.timeMs).toISOString() : 'not known';
}

/** Writes a value as an element of rich text, in which nothing is markup and a time is in the reader's zone. */
export function valueElement(value: Value, most: number): types.RichTextElement {
  if (typeof value === 'object' && 'timeMs' in value && Number.isFinite(value.timeMs)) {
    const timestamp = Math.floor(value.timeMs / 1000);
    return {
      type: 'date',
      timestamp,
      format: '{date_short_pretty} at {time_secs}',
      fallback: new Date(value.timeMs).toISOString(),
    };
  }
  const text = clip(valueText(value), most) || '–';
  const isCode = typeof value === 'object' && 'code' in value;
  return { type: 'text', text, ...(isCode && { style: { code: true } }) };
}
