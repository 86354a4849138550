import type { Exchange, TrafficLine } from '../../../delivery/traffic-lines.ts';
import { isObject } from '../../../json.ts';
import { textIn, unpacked } from './json.ts';

/** What two exchanges have in common, in the words of the detail. */
const common = {
  trigger: 'the same trigger_id',
  response_url: 'the same response_url',
  view: 'the same view',
  message: 'the same message',
  event: 'the same event',
} as const;

/** Another exchange that belongs to one, and why. */
export interface Related {
  readonly line: Exchange;
  readonly why: string;
}

const relatedShown = 12;

/** Finds what belongs to an exchange: the delivery whose trigger a call uses, the message that it edits, and so on. */
export function relatedTo(exchange: Exchange, lines: readonly TrafficLine[]): Related[] {
  const own = new Set(keysOf(exchange));
  return lines
    .filter((line) => line.direction !== 'socket')
    .filter((line) => line.id !== exchange.id)
    .flatMap((line) => {
      const shared = keysOf(line).find((key) => own.has(key));
      return shared === undefined ? [] : [{ line, why: wordsFor(shared) }];
    })
    .slice(-relatedShown);
}

function wordsFor(key: string): string {
  const kind = key.slice(0, key.indexOf(' '));
  return Object.entries(common).find(([name]) => name === kind)?.[1] ?? kind;
}

/** Names what an exchange is about, each as kind and id, the closest bond first. */
function keysOf(exchange: Exchange): string[] {
  const { payload, answer, path } = exchange;
  const keys: [keyof typeof common, string][] = [
    ['trigger', textIn(payload, 'trigger_id')],
    ['response_url', path ?? pathOf(textIn(payload, 'response_url'))],
    ['event', textIn(payload, 'event_id')],
    ['message', messageOf(exchange)],
    ['view', textIn(payload, 'view', 'id') || textIn(payload, 'view_id') || textIn(answer, 'view', 'id')],
  ];
  return keys.filter(([, id]) => id !== '').map(([kind, id]) => `${kind} ${id}`);
}

function messageOf({ direction, payload, answer }: Exchange): string {
  if (direction === 'from_app') {
    const channel = textIn(answer, 'channel') || textIn(payload, 'channel');
    const ts = textIn(answer, 'ts') || textIn(answer, 'message_ts') || textIn(payload, 'ts');
    return channel && ts && `${channel} ${ts}`;
  }
  const event = isObject(payload) ? payload.event : undefined;
  const container = isObject(payload) ? unpacked(payload.container) : undefined;
  const channel = textIn(container, 'channel_id') || textIn(event, 'channel');
  const ts = textIn(container, 'message_ts') || textIn(event, 'ts');
  return channel && ts && `${channel} ${ts}`;
}

function pathOf(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}
