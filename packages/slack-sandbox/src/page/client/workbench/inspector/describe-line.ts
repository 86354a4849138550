import { isObject } from '../../../../json.ts';
import type { Exchange, SocketLine, TrafficLine } from '../../../../traffic/traffic-lines.ts';
import { parseNestedJson, readText } from './nested-json.ts';

/** The groups by which the list can be filtered. */
export const lineGroups = {
  command: 'Commands',
  interaction: 'Interactions',
  event: 'Events',
  call: 'Web API calls',
  response_url: 'response_url',
  socket: 'Connections',
} as const;

export type LineGroup = keyof typeof lineGroups;

/** A line's title, and details that distinguish it from others. */
interface LineDescription {
  readonly group: LineGroup;
  readonly title: string;
  readonly detail: string;
}

/** Describes one line of the traffic. */
export function describeLine(line: TrafficLine): LineDescription {
  if (line.direction === 'socket') return { group: 'socket', ...describeSocket(line) };
  if (line.direction === 'from_app') return describeCall(line);
  return describeDelivery(line);
}

function describeSocket({
  kind,
  connection,
  connections,
  reason,
}: SocketLine): Omit<LineDescription, 'group'> {
  const open = `${connections} open`;
  switch (kind) {
    case 'opened':
      return { title: `Connection ${connection} opened`, detail: open };
    case 'closed':
      return { title: `Connection ${connection} closed`, detail: `${reason ?? ''}, ${open}` };
    case 'dropped':
      return { title: `Connection ${connection} dropped`, detail: 'by an injected fault' };
    case 'disconnect':
      return { title: `Connection ${connection} was asked to disconnect`, detail: reason ?? '' };
    case 'ticket_refused':
      return { title: 'Connection refused', detail: 'its ticket is unknown, used or expired' };
  }
}

function describeCall({ kind, payload, answer }: Exchange): LineDescription {
  if (kind === 'response_url')
    return { group: 'response_url', title: 'response_url', detail: readText(payload, 'text') };
  const view = isObject(payload) ? parseNestedJson(payload.view) : undefined;
  const details = [
    readText(payload, 'channel') || readText(payload, 'channel_id'),
    readText(payload, 'user') || readText(payload, 'user_id'),
    readText(payload, 'text') || readText(view, 'callback_id') || readText(answer, 'view', 'callback_id'),
  ];
  return { group: 'call', title: kind, detail: details.filter(Boolean).join(' · ') };
}

function describeDelivery({ kind, payload, retry }: Exchange): LineDescription {
  const again = retry ? `attempt ${retry + 1}` : '';
  if (kind === 'slash_commands') {
    const title = `${readText(payload, 'command')} ${readText(payload, 'text')}`.trim();
    return { group: 'command', title, detail: `by ${readText(payload, 'user_id')}` };
  }
  if (kind === 'interactive') {
    const details = [describeSubject(payload), `by ${readText(payload, 'user', 'id')}`];
    return {
      group: 'interaction',
      title: readText(payload, 'type'),
      detail: details.filter(Boolean).join(' · '),
    };
  }
  const details = [readText(payload, 'event', 'channel'), readText(payload, 'event', 'text'), again];
  const title = readText(payload, 'event', 'type') || kind;
  return { group: 'event', title, detail: details.filter(Boolean).join(' · ') };
}

/** Returns which element, command or form a person used. */
function describeSubject(payload: unknown): string {
  const actions = isObject(payload) && Array.isArray(payload.actions) ? payload.actions : [];
  const pressed = actions.map((action) => readText(action, 'action_id')).join(', ');
  const typed = readText(payload, 'value');
  const action = readText(payload, 'action_id');
  return (
    pressed ||
    (action && `${action} “${typed}”`) ||
    readText(payload, 'callback_id') ||
    readText(payload, 'view', 'callback_id')
  );
}

/** Returns the outcome of a line in a few words. */
export function formatOutcome(line: TrafficLine): string {
  if (line.direction === 'socket') return '';
  if (line.late_ms !== undefined) return `late, ${line.late_ms} ms`;
  if (line.refused !== undefined) return line.refused;
  if (line.direction === 'from_app') return `${line.took_ms ?? 0} ms`;
  return line.acknowledged === undefined ? 'waiting…' : `ack ${line.ack_ms} ms`;
}
