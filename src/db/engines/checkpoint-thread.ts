import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';

/** A request to the thread. It answers each one except `end`. */
export type CheckpointRequest = 'copyLog' | 'restartLog' | 'end';

/** A thread with a connection of its own to an SQLite file. */
export interface CheckpointThread {
  /** Copies the write-ahead log into the file. Rejects if that fails. */
  copyLog(): Promise<void>;
  /** Copies the rest, and restarts the log. Works only while there are no other writes. */
  restartLog(): Promise<void>;
  /** Resolves when the thread has ended. */
  end(): Promise<void>;
}

/** Restarting a log cuts its file to `keptLogBytes`. */
export function startCheckpointThread(file: string, keptLogBytes: number): CheckpointThread {
  // A release has JavaScript files, a checkout TypeScript files.
  const program = new URL(`./checkpoint-main${extname(import.meta.filename)}`, import.meta.url);
  const worker = new Worker(program, { workerData: { file, keptLogBytes }, execArgv: [], env: {} });
  // An idle thread doesn't keep the process alive. A script has to wait for a busy thread.
  worker.unref();
  let failure: Error | undefined;
  worker.on('error', (error) => {
    failure = error;
  });
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));

  async function request(message: CheckpointRequest): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    worker.once('message', () => resolve());
    worker.ref();
    worker.postMessage(message);
    try {
      await Promise.race([
        promise,
        gone.then(() => {
          throw failure ?? new Error('the thread that copies the write-ahead log ended');
        }),
      ]);
    } finally {
      worker.unref();
    }
  }

  return {
    copyLog: () => request('copyLog'),
    restartLog: () => request('restartLog'),
    async end() {
      worker.ref();
      worker.postMessage('end');
      await gone;
    },
  };
}
