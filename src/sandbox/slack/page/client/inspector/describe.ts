import type { Exchange, SocketLine, TrafficLine } from '../../../delivery/traffic-lines.ts';
import { isObject } from '../../../json.ts';
import { textIn, unpacked } from './json.ts';

/** The groups that the list can be narrowed to. */
export const groups = {
  command: 'Commands',
  interaction: 'Interactions',
  event: 'Events',
  call: 'Web API calls',
  response_url: 'response_url',
  socket: 'Connections',
} as const;

export type Group = keyof typeof groups;

/** A line in words: what it is, and what about it tells it from others. */
interface Description {
  readonly group: Group;
  readonly title: string;
  readonly about: string;
}

/** Describes a line of the traffic. */
export function describe(line: TrafficLine): Description {
  if (line.direction === 'socket') return { group: 'socket', ...describeSocket(line) };
  if (line.direction === 'from_app') return describeCall(line);
  return describeDelivery(line);
}

function describeSocket({ kind, connection, connections, reason }: SocketLine): Omit<Description, 'group'> {
  const open = `${connections} open`;
  switch (kind) {
    case 'opened':
      return { title: `Connection ${connection} opened`, about: open };
    case 'closed':
      return { title: `Connection ${connection} closed`, about: `${reason ?? ''}, ${open}` };
    case 'dropped':
      return { title: `Connection ${connection} dropped`, about: 'by a fault' };
    case 'disconnect':
      return { title: `Connection ${connection} asked to go`, about: reason ?? '' };
    case 'ticket_refused':
      return { title: 'Connection refused', about: 'its ticket is unknown, used or too old' };
  }
}

function describeCall({ kind, payload, answer }: Exchange): Description {
  if (kind === 'response_url')
    return { group: 'response_url', title: 'response_url', about: textIn(payload, 'text') };
  const view = isObject(payload) ? unpacked(payload.view) : undefined;
  const about = [
    textIn(payload, 'channel') || textIn(payload, 'channel_id'),
    textIn(payload, 'user') || textIn(payload, 'user_id'),
    textIn(payload, 'text') || textIn(view, 'callback_id') || textIn(answer, 'view', 'callback_id'),
  ];
  return { group: 'call', title: kind, about: about.filter(Boolean).join(' · ') };
}

function describeDelivery({ kind, payload, retry }: Exchange): Description {
  const again = retry ? `attempt ${retry + 1}` : '';
  if (kind === 'slash_commands') {
    const title = `${textIn(payload, 'command')} ${textIn(payload, 'text')}`.trim();
    return { group: 'command', title, about: `by ${textIn(payload, 'user_id')}` };
  }
  if (kind === 'interactive') {
    const about = [subjectOf(payload), `by ${textIn(payload, 'user', 'id')}`];
    return { group: 'interaction', title: textIn(payload, 'type'), about: about.filter(Boolean).join(' · ') };
  }
  const about = [textIn(payload, 'event', 'channel'), textIn(payload, 'event', 'text'), again];
  const title = textIn(payload, 'event', 'type') || kind;
  return { group: 'event', title, about: about.filter(Boolean).join(' · ') };
}

/** What somebody pressed, filled in or typed into. */
function subjectOf(payload: unknown): string {
  const actions = isObject(payload) && Array.isArray(payload.actions) ? payload.actions : [];
  const pressed = actions.map((action) => textIn(action, 'action_id')).join(', ');
  const typed = textIn(payload, 'value');
  const action = textIn(payload, 'action_id');
  return (
    pressed ||
    (action && `${action} “${typed}”`) ||
    textIn(payload, 'callback_id') ||
    textIn(payload, 'view', 'callback_id')
  );
}

/** Tells whether something about a line went wrong. */
export function isTrouble(line: TrafficLine): boolean {
  if (line.direction === 'socket') return line.kind === 'ticket_refused' || line.kind === 'dropped';
  return line.refused !== undefined || line.late_ms !== undefined;
}

/** What came of a line, in a few words. */
export function outcomeOf(line: TrafficLine): string {
  if (line.direction === 'socket') return '';
  if (line.late_ms !== undefined) return `late, ${line.late_ms} ms`;
  if (line.refused !== undefined) return line.refused;
  if (line.direction === 'from_app') return `${line.took_ms ?? 0} ms`;
  return line.acknowledged === undefined ? 'waiting…' : `ack ${line.ack_ms} ms`;
}
