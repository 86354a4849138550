import { useCallback, useEffect, useRef, useState } from 'react';
import { type CallSummary, fetchJson, type Overview, type ServiceEvent } from './control-api.ts';

/** How often the load is polled. The service pushes states and calls. */
const refreshMs = 10_000;

const maxCallsShown = 500;

export interface LiveService {
  readonly overview: Overview | undefined;
  /** Newest first. */
  readonly calls: readonly CallSummary[];
  /** Whether the data is being kept up to date. */
  readonly isLive: boolean;
  /** The service's time minus this browser's time, in ms. */
  readonly clockOffsetMs: number;
  /** Calls with a higher ID have arrived since the page was opened. */
  readonly lastSeenId: number;
}

/** Reads the service's state and keeps it up to date. */
export function useService(): LiveService {
  const [overview, setOverview] = useState<Overview>();
  const [calls, setCalls] = useState<readonly CallSummary[]>([]);
  const [isLive, setLive] = useState(false);
  const lastSeenId = useRef<number>(undefined);

  const refresh = useCallback(async () => {
    const answer = await fetchJson<Overview>('overview').catch(() => undefined);
    if (!answer) return setLive(false);
    setOverview(answer);
    setCalls([...answer.calls].reverse());
    lastSeenId.current ??= answer.calls.at(-1)?.id ?? 0;
  }, []);

  useEffect(() => {
    const source = new EventSource('/sandbox/events');
    source.addEventListener('open', () => {
      setLive(true);
      void refresh();
    });
    source.addEventListener('error', () => setLive(false));
    source.addEventListener('message', ({ data }) => {
      const event: ServiceEvent = JSON.parse(data);
      if (event.kind === 'call') {
        setCalls((known) => upsertCall(known, event.call));
        if (event.call.method !== 'GET' && event.call.took_ms !== null) void refresh();
      } else if (event.kind !== 'alive' && event.kind !== 'faults') {
        void refresh();
      }
    });
    const timer = setInterval(refresh, refreshMs);
    return () => {
      source.close();
      clearInterval(timer);
    };
  }, [refresh]);

  const clockOffsetMs = useClockOffset(overview);
  return { overview, calls, isLive, clockOffsetMs, lastSeenId: lastSeenId.current ?? 0 };
}

function useClockOffset(overview: Overview | undefined): number {
  const [clockOffsetMs, setClockOffsetMs] = useState(0);
  useEffect(() => {
    if (overview) setClockOffsetMs(overview.now - Date.now());
  }, [overview]);
  return clockOffsetMs;
}

/** Adds a call at the front, or replaces its older version. */
function upsertCall(known: readonly CallSummary[], call: CallSummary): readonly CallSummary[] {
  if (known.some(({ id }) => id === call.id)) return known.map((one) => (one.id === call.id ? call : one));
  return [call, ...known].slice(0, maxCallsShown);
}

/** Returns the service's time, updated every `everyMs`. */
export function useNow(clockOffsetMs: number, everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs + clockOffsetMs;
}
