import { isObject } from '../../../../json.ts';
import type { Exchange, TrafficLine } from '../../../../traffic/traffic-lines.ts';
import { parseNestedJson, readText } from './nested-json.ts';

/** The name of the object that two exchanges have in common. */
const relationLabels = {
  trigger: 'the same trigger_id',
  response_url: 'the same response_url',
  view: 'the same view',
  message: 'the same message',
  event: 'the same event',
} as const;

/** A related exchange, and why it is related. */
export interface RelatedLine {
  readonly line: Exchange;
  readonly relation: string;
}

const maxRelated = 12;

/**
 * Returns the exchanges related to one, such as the delivery whose trigger it uses or the message
 * that it edits.
 */
export function findRelatedLines(exchange: Exchange, lines: readonly TrafficLine[]): RelatedLine[] {
  const own = new Set(relationKeys(exchange));
  return lines
    .filter((line) => line.direction !== 'socket')
    .filter((line) => line.id !== exchange.id)
    .flatMap((line) => {
      const shared = relationKeys(line).find((key) => own.has(key));
      return shared === undefined ? [] : [{ line, relation: relationLabel(shared) }];
    })
    .slice(-maxRelated);
}

function relationLabel(key: string): string {
  const kind = key.slice(0, key.indexOf(' '));
  return Object.entries(relationLabels).find(([name]) => name === kind)?.[1] ?? kind;
}

/** Returns the objects to which an exchange refers, as kind and ID. The closest relation comes first. */
function relationKeys(exchange: Exchange): string[] {
  const { payload, answer, path } = exchange;
  const keys: [keyof typeof relationLabels, string][] = [
    ['trigger', readText(payload, 'trigger_id')],
    ['response_url', path ?? urlPath(readText(payload, 'response_url'))],
    ['event', readText(payload, 'event_id')],
    ['message', messageKey(exchange)],
    [
      'view',
      readText(payload, 'view', 'id') || readText(payload, 'view_id') || readText(answer, 'view', 'id'),
    ],
  ];
  return keys.filter(([, id]) => id !== '').map(([kind, id]) => `${kind} ${id}`);
}

function messageKey({ direction, payload, answer }: Exchange): string {
  if (direction === 'from_app') {
    const channel = readText(answer, 'channel') || readText(payload, 'channel');
    const ts = readText(answer, 'ts') || readText(answer, 'message_ts') || readText(payload, 'ts');
    return channel && ts && `${channel} ${ts}`;
  }
  const event = isObject(payload) ? payload.event : undefined;
  const container = isObject(payload) ? parseNestedJson(payload.container) : undefined;
  const channel = readText(container, 'channel_id') || readText(event, 'channel');
  const ts = readText(container, 'message_ts') || readText(event, 'ts');
  return channel && ts && `${channel} ${ts}`;
}

function urlPath(url: string): string {
  return URL.canParse(url) ? new URL(url).pathname : '';
}
