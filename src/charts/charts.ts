import type { PictureSpec } from './fleet-spec.ts';
import { type Painter, startPainter } from './painter-process.ts';
import type { Picture } from './spec.ts';

export interface Charts {
  /**
   * Draws a spec, in another process and one after the other. Rejects with an `Error` whose message may be logged but
   * holds no more than a spec's own text: too many wait, the spec cannot be drawn, the process crashed, took longer than
   * `deadlineMs` (counted from the moment when its turn came) or was closed. The next picture has a new process.
   */
  draw(spec: PictureSpec): Promise<Picture>;
  /** Rejects what waits or is being drawn, and resolves when the process is gone. */
  close(): Promise<void>;
}

export interface ChartsOptions {
  /** The process ends when it has drawn nothing for so long. Default 60 s. */
  readonly idleMs?: number;
  /** Longest that one picture may take, the start of the process included. Default 10 s. */
  readonly deadlineMs?: number;
  /** Most pictures that wait for their turn. Default 100: some 6 s of drawing. */
  readonly mostWaiting?: number;
}

interface Job {
  readonly spec: PictureSpec;
  readonly resolve: (picture: Picture) => void;
  readonly reject: (error: Error) => void;
}

/** Creates what draws charts. The process behind it starts with the first picture, and never outlives this one. */
export function createCharts({
  idleMs = 60_000,
  deadlineMs = 10_000,
  mostWaiting = 100,
}: ChartsOptions = {}): Charts {
  const waiting: Job[] = [];
  let painter: Painter | undefined;
  let working: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  async function work(): Promise<void> {
    clearTimeout(idle);
    for (let job = waiting.shift(); job; job = waiting.shift()) await paint(job);
    if (!closed) idle = setTimeout(() => painter?.end(), idleMs).unref();
    working = undefined;
  }

  async function paint({ spec, resolve, reject }: Job): Promise<void> {
    let overdue = false;
    const deadline = setTimeout(() => {
      overdue = true;
      void painter?.end();
    }, deadlineMs);
    try {
      if (!painter?.isUsable()) {
        await painter?.end();
        if (closed) throw closedError();
        painter = startPainter();
      }
      resolve(await painter.paint(spec));
    } catch (error) {
      if (closed) reject(closedError());
      else if (overdue) reject(new Error(`the picture was not drawn within ${deadlineMs} ms`));
      else reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(deadline);
    }
  }

  return {
    draw(spec) {
      if (closed) return Promise.reject(closedError());
      if (waiting.length >= mostWaiting) {
        return Promise.reject(new Error(`${mostWaiting} pictures are waiting to be drawn already`));
      }
      return new Promise((resolve, reject) => {
        waiting.push({ spec, resolve, reject });
        working ??= work();
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const { reject } of waiting.splice(0)) reject(closedError());
      await painter?.end();
      await working;
    },
  };
}

function closedError(): Error {
  return new Error('charts are closed');
}
