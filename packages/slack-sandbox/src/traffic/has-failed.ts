import type { TrafficLine } from './traffic-lines.ts';

/** Returns whether anything in a line failed. */
export function hasFailed(line: TrafficLine): boolean {
  if (line.direction === 'socket') return line.kind === 'ticket_refused' || line.kind === 'dropped';
  return line.refused !== undefined || line.late_ms !== undefined;
}
