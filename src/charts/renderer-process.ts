import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import type { ChartImage, ChartSpec } from './chart-spec.ts';

export interface RenderRequest {
  readonly spec: ChartSpec;
}

export type RenderResult =
  | { readonly kind: 'image'; readonly image: ChartImage }
  | { readonly kind: 'error'; readonly error: string };

export interface RendererProcess {
  /** Draws one chart at a time. Rejects if the process ends before the chart is finished. */
  render(spec: ChartSpec): Promise<ChartImage>;
  /** Returns whether the process is running and reachable. */
  isUsable(): boolean;
  /** Kills the process and resolves when it has ended. */
  end(): Promise<void>;
}

/** Heap limit of the process. The largest possible chart (200,000 points) needs less. */
const heapMb = 256;

/**
 * Starts a drawing process. It gets no environment variables, because they contain secrets. While idle, it
 * doesn't keep this process alive.
 */
export function startRendererProcess(): RendererProcess {
  // A release contains JavaScript files, and a checkout contains TypeScript files.
  const program = new URL(`./renderer-main${extname(import.meta.filename)}`, import.meta.url);
  const child = fork(program, [], {
    env: {},
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // A process that fails to start emits `error`, but no exit event.
    child.on('error', () => child.pid === undefined && resolve());
  });
  unrefChild(child);

  return {
    isUsable: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    async render(spec) {
      refChild(child);
      try {
        return await sendRequest(child, { spec });
      } finally {
        unrefChild(child);
      }
    },
    end() {
      child.kill('SIGKILL');
      // Otherwise, this process could end before its child has exited.
      child.ref();
      return gone;
    },
  };
}

async function sendRequest(child: ChildProcess, request: RenderRequest): Promise<ChartImage> {
  const { promise, resolve, reject } = Promise.withResolvers<ChartImage>();
  const onMessage = (result: RenderResult) => {
    if (result.kind === 'image') resolve(result.image);
    else reject(new Error(`the chart could not be drawn: ${result.error}`));
  };
  const onExit = (code: number | null, signal: string | null) =>
    reject(new Error(`the drawing process ended (${signal ?? `code ${code}`})`));
  const onError = (cause: Error) => {
    child.kill('SIGKILL');
    reject(new Error('the drawing process could not be reached', { cause }));
  };
  child.once('message', onMessage).once('exit', onExit).once('error', onError);
  try {
    child.send(request, (error) => error && onError(error));
    return await promise;
  } finally {
    child.off('message', onMessage).off('exit', onExit).off('error', onError);
  }
}

function unrefChild(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function refChild(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
