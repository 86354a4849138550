import type { ServerResponse } from 'node:http';
import { withTimeout } from '../with-timeout.ts';
import type { Route } from './server.ts';

/** Something that Rackhand depends on. */
export interface Part {
  /** Whether a problem with the part makes the process not ready. */
  readonly isRequired: boolean;
  /** Returns the part's problem, if any. A check that fails or times out counts as a problem too. */
  check(): Promise<string | undefined> | string | undefined;
}

interface PartState {
  readonly problem: string | undefined;
  /** When this process first saw the part in this state. */
  readonly since: string;
}

/** Reads the states of all parts, and remembers when each part entered its state. */
export interface Readiness {
  read(): Promise<ReadonlyMap<string, PartState & { readonly isRequired: boolean }>>;
  /** Reads the states regularly, so `since` doesn't depend on when `/readyz` is requested. */
  watch(): void;
  stop(): void;
}

/** Time limit for a check. A request to `/readyz` waits for all checks. */
const checkTimeoutMs = 2_000;

const watchIntervalMs = 5_000;

export function createReadiness(parts: Readonly<Record<string, Part>>): Readiness {
  const states = new Map<string, PartState>();
  let timer: NodeJS.Timeout | undefined;

  async function read() {
    const entries = Object.entries(parts).map(async ([name, part]) => {
      const problem = await findProblem(part);
      const known = states.get(name);
      const state = known && known.problem === problem ? known : { problem, since: new Date().toISOString() };
      states.set(name, state);
      return [name, { ...state, isRequired: part.isRequired }] as const;
    });
    return new Map(await Promise.all(entries));
  }

  return {
    read,
    watch() {
      void read();
      timer = setInterval(() => void read(), watchIntervalMs).unref();
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Serves `/healthz` (200 while the process runs) and `/readyz` (503 while a required part has a problem).
 * `/readyz` shows each part's state, and details that don't affect its status.
 */
export function createHealthRoutes(
  readiness: Pick<Readiness, 'read'>,
  readDetails: () => Promise<object> = async () => ({}),
): readonly Route[] {
  return [
    { method: 'GET', path: '/healthz', handle: (_, response) => sendJson(response, 200, { status: 'ok' }) },
    {
      method: 'GET',
      path: '/readyz',
      async handle(_, response) {
        const states = [...(await readiness.read())];
        const isReady = states.every(([, { problem, isRequired }]) => problem === undefined || !isRequired);
        const parts = states.map(([name, { problem, since }]) => [
          name,
          problem === undefined ? { ok: true, since } : { ok: false, problem, since },
        ]);
        const details = await withTimeout(readDetails(), checkTimeoutMs, () => ({})).catch(() => ({}));
        sendJson(response, isReady ? 200 : 503, {
          status: isReady ? 'ready' : 'not ready',
          parts: Object.fromEntries(parts),
          ...details,
        });
      },
    },
  ];
}

async function findProblem({ check }: Part): Promise<string | undefined> {
  try {
    return await withTimeout(Promise.resolve(check()), checkTimeoutMs, () => "doesn't answer");
  } catch {
    return 'failed its check';
  }
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(`${JSON.stringify(body)}\n`);
}
