import type { Change } from './wire.ts';

/** The sandbox's control API, for one workspace. Failures are errors with the API's own words. */
export interface Control {
  readonly team: string;
  get<Answer>(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>;
  post<Answer>(path: string, body?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /**
   * Hears every entry of `GET /sandbox/events`, until the answer is called. All listeners share one connection, for a
   * browser opens six at most; `{kind: 'connected'}` and `{kind: 'disconnected'}` tell of the connection itself.
   */
  follow(listener: (change: Change) => void): () => void;
}

export function createControl(team: string): Control {
  const listeners = new Set<(change: Change) => void>();
  let source: EventSource | undefined;

  function tell(change: Change) {
    for (const listener of [...listeners]) listener(change);
  }

  function open(): EventSource {
    const opened = new EventSource(`/sandbox/events?${new URLSearchParams({ team })}`);
    opened.addEventListener('message', ({ data }) => tell(JSON.parse(data)));
    opened.addEventListener('open', () => tell({ kind: 'connected' }));
    opened.addEventListener('error', () => tell({ kind: 'disconnected' }));
    return opened;
  }

  return {
    team,
    get: async (path, query = {}) =>
      answerOf(await fetch(`/sandbox/${path}?${new URLSearchParams({ team, ...query })}`)),
    post: async (path, body = {}) =>
      answerOf(
        await fetch(`/sandbox/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ team, ...body }),
        }),
      ),
    follow(listener) {
      listeners.add(listener);
      source ??= open();
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        source?.close();
        source = undefined;
      };
    },
  };
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The sandbox answered ${response.status}`);
  return answer;
}
