import type { SandboxEvent } from './control-api.ts';

/** Client of the sandbox's control API for one workspace. Its errors have the API's own messages. */
export interface ControlClient {
  readonly team: string;
  get<Answer>(path: string, query?: Readonly<Record<string, string>>): Promise<Answer>;
  post<Answer>(path: string, body?: Readonly<Record<string, unknown>>): Promise<Answer>;
  /**
   * Subscribes to the events of `GET /sandbox/events`. Returns a function that unsubscribes. All
   * listeners share one connection, because browsers allow only six. The events `{kind:
   * 'connected'}` and `{kind: 'disconnected'}` are about the connection itself.
   */
  subscribe(listener: (change: SandboxEvent) => void): () => void;
}

export function createControlClient(team: string): ControlClient {
  const listeners = new Set<(change: SandboxEvent) => void>();
  let source: EventSource | undefined;

  function emit(change: SandboxEvent) {
    for (const listener of [...listeners]) listener(change);
  }

  function open(): EventSource {
    const opened = new EventSource(`/sandbox/events?${new URLSearchParams({ team })}`);
    opened.addEventListener('message', ({ data }) => emit(JSON.parse(data)));
    opened.addEventListener('open', () => emit({ kind: 'connected' }));
    opened.addEventListener('error', () => emit({ kind: 'disconnected' }));
    return opened;
  }

  return {
    team,
    get: async (path, query = {}) =>
      parseResponse(await fetch(`/sandbox/${path}?${new URLSearchParams({ team, ...query })}`)),
    post: async (path, body = {}) =>
      parseResponse(
        await fetch(`/sandbox/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ team, ...body }),
        }),
      ),
    subscribe(listener) {
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

async function parseResponse<Answer>(response: Response): Promise<Answer> {
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new Error(answer.error ?? `The sandbox answered ${response.status}`);
  return answer;
}
