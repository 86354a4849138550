import { hasFailed } from './has-failed.ts';
import { maxTrafficLines, type TrafficLog } from './traffic-log.ts';

/** Calls `notify` once for each line that fails. `team` is `null` if the workspace is unknown. */
export function onRefusal(traffic: TrafficLog, notify: (team: string | null) => void): void {
  const known = new Set<number>();
  traffic.subscribe((line) => {
    if (!line || known.has(line.id) || !hasFailed(line)) return;
    known.add(line.id);
    if (known.size > maxTrafficLines) known.delete(Math.min(...known));
    notify(line.team);
  });
}
