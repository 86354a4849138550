import { useEffect, useState } from 'react';
import type { TrafficEvent, TrafficLine } from '../../../../traffic/traffic-lines.ts';

/** The stored traffic between Slack and the app. */
interface TrafficState {
  /** Oldest first. */
  readonly lines: readonly TrafficLine[];
  /** Maximum number of stored lines. */
  readonly limit: number;
  readonly isLive: boolean;
}

/**
 * Subscribes to the traffic. A page that isn't visible closes its connection, because browsers
 * allow only six.
 */
export function useTraffic(team: string): TrafficState {
  const [state, setState] = useState<TrafficState>({ lines: [], limit: 0, isLive: false });

  useEffect(() => {
    let source: EventSource | undefined;

    function hear({ data }: MessageEvent<string>) {
      const event: TrafficEvent = JSON.parse(data);
      if (event.kind === 'begin') setState({ lines: event.lines, limit: event.limit, isLive: true });
      else if (event.kind === 'line')
        setState((known) => ({ ...known, lines: upsertLine(known, event.line) }));
    }

    function follow() {
      source?.close();
      source = undefined;
      if (document.hidden) return;
      source = new EventSource(`/sandbox/traffic/events?${new URLSearchParams({ team })}`);
      source.addEventListener('message', hear);
      source.addEventListener('error', () => setState((known) => ({ ...known, isLive: false })));
    }

    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      source?.close();
    };
  }, [team]);

  return state;
}

/** Adds a line, or replaces its older version. */
function upsertLine({ lines, limit }: TrafficState, line: TrafficLine): readonly TrafficLine[] {
  const newest = lines.at(-1);
  if (!newest || line.id > newest.id) return [...lines, line].slice(-limit);
  return lines.map((known) => (known.id === line.id ? line : known));
}
