import { useCallback, useEffect, useRef, useState } from 'react';
import { type Call, type Overview, read, type ServiceEvent } from './service.ts';

/** How often the load is read again; states and calls are told at once. */
const refreshMs = 10_000;

const callsShown = 500;

/** The service as it is at this moment. */
export interface LiveService {
  readonly overview: Overview | undefined;
  /** Newest first. */
  readonly calls: readonly Call[];
  /** Whether what is shown is kept up to date. */
  readonly isLive: boolean;
  /** What is added to this browser's time to get the service's. */
  readonly aheadMs: number;
  /** Calls with a higher id arrived while the page was open. */
  readonly knownId: number;
}

/** Reads the service, and keeps up with it. */
export function useService(): LiveService {
  const [overview, setOverview] = useState<Overview>();
  const [calls, setCalls] = useState<readonly Call[]>([]);
  const [isLive, setLive] = useState(false);
  const knownId = useRef<number>(undefined);

  const refresh = useCallback(async () => {
    const answer = await read<Overview>('overview').catch(() => undefined);
    if (!answer) return setLive(false);
    setOverview(answer);
    setCalls([...answer.calls].reverse());
    knownId.current ??= answer.calls.at(-1)?.id ?? 0;
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
        setCalls((known) => withCall(known, event.call));
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

  const aheadMs = useAhead(overview);
  return { overview, calls, isLive, aheadMs, knownId: knownId.current ?? 0 };
}

function useAhead(overview: Overview | undefined): number {
  const [aheadMs, setAheadMs] = useState(0);
  useEffect(() => {
    if (overview) setAheadMs(overview.now - Date.now());
  }, [overview]);
  return aheadMs;
}

/** Puts a call in front, or in the place of what was known of it. */
function withCall(known: readonly Call[], call: Call): readonly Call[] {
  if (known.some(({ id }) => id === call.id)) return known.map((one) => (one.id === call.id ? call : one));
  return [call, ...known].slice(0, callsShown);
}

/** The time, every `everyMs`. */
export function useNow(aheadMs: number, everyMs: number): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs + aheadMs;
}
