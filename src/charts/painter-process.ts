import { type ChildProcess, fork } from 'node:child_process';
import type { PictureSpec } from './fleet-spec.ts';
import type { Picture } from './spec.ts';

/** What the painter is told to draw. */
export interface Order {
  readonly spec: PictureSpec;
}

/** What it answers: a picture, or why there is none. */
export type Result = { readonly picture: Picture } | { readonly problem: string };

export interface Painter {
  /** Draws one picture; a second one only when the first is done. Rejects if the process ends meanwhile. */
  paint(spec: PictureSpec): Promise<Picture>;
  /** Tells whether the process is there and can be reached. */
  isUsable(): boolean;
  /** Ends the process, whatever it does, and waits until it is gone. */
  end(): Promise<void>;
}

/** Memory that V8 may take for objects: the largest picture, of 200,000 points, needs less. */
const heapMb = 256;

/**
 * Starts a process that draws. It is given nothing of this one's environment, where secrets are, and it does not keep this
 * one alive while it draws nothing.
 */
export function startPainter(): Painter {
  const child = fork(new URL('./painter.ts', import.meta.url), [], {
    env: {},
    execArgv: [`--max-old-space-size=${heapMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    // A process that could not even be started has no exit.
    child.on('error', () => child.pid === undefined && resolve());
  });
  rest(child);

  return {
    isUsable: () => child.connected && !child.killed && child.exitCode === null && child.signalCode === null,
    async paint(spec) {
      wake(child);
      try {
        return await ask(child, { spec });
      } finally {
        rest(child);
      }
    },
    end() {
      child.kill('SIGKILL');
      // Whoever waits for the end sees it, even with nothing else to do.
      child.ref();
      return gone;
    },
  };
}

async function ask(child: ChildProcess, order: Order): Promise<Picture> {
  const { promise, resolve, reject } = Promise.withResolvers<Picture>();
  const answered = (result: Result) => {
    if ('picture' in result) resolve(result.picture);
    else reject(new Error(`the picture could not be drawn: ${result.problem}`));
  };
  const ended = (code: number | null, signal: string | null) =>
    reject(new Error(`the process that draws ended (${signal ?? `code ${code}`})`));
  const failed = (cause: Error) => {
    child.kill('SIGKILL');
    reject(new Error('the process that draws could not be reached', { cause }));
  };
  child.once('message', answered).once('exit', ended).once('error', failed);
  try {
    child.send(order, (error) => error && failed(error));
    return await promise;
  } finally {
    child.off('message', answered).off('exit', ended).off('error', failed);
  }
}

function rest(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

function wake(child: ChildProcess): void {
  child.ref();
  child.channel?.ref();
}
