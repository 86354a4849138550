import { useEffect, useState } from 'react';
import type { TrafficEvent, TrafficLine } from '../../../delivery/traffic-lines.ts';

/** What went between Slack and the app, as far as it is kept. */
interface TrafficState {
  /** Oldest first. */
  readonly lines: readonly TrafficLine[];
  /** How many are kept. */
  readonly limit: number;
  readonly isLive: boolean;
}

/** Follows the traffic; a page that nobody sees lets its connection go, for a browser opens six at most. */
export function useTraffic(team: string): TrafficState {
  const [state, setState] = useState<TrafficState>({ lines: [], limit: 0, isLive: false });

  useEffect(() => {
    let source: EventSource | undefined;

    function hear({ data }: MessageEvent<string>) {
      const event: TrafficEvent = JSON.parse(data);
      if (event.kind === 'begin') setState({ lines: event.lines, limit: event.limit, isLive: true });
      else if (event.kind === 'line') setState((known) => ({ ...known, lines: withLine(known, event.line) }));
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

/** Adds a line, or puts it in the place of what was known of it. */
function withLine({ lines, limit }: TrafficState, line: TrafficLine): readonly TrafficLine[] {
  const newest = lines.at(-1);
  if (!newest || line.id > newest.id) return [...lines, line].slice(-limit);
  return lines.map((known) => (known.id === line.id ? line : known));
}
