import type { ChartImage, ChartSpec } from './chart-spec.ts';
import { type RendererProcess, startRendererProcess } from './renderer-process.ts';

export interface ChartRenderer {
  /**
   * Draws charts in another process, one at a time. Scheduled charts are drawn last. Rejects if the queue is
   * full, the spec can't be drawn, the process crashes twice, drawing takes longer than `timeoutMs`, or the
   * renderer is closed. The error message is safe to log: it contains no data except text from the spec.
   * After a crash, a new process draws the chart again. After a timeout, the next chart gets a new process.
   */
  render(spec: ChartSpec, options?: RenderOptions): Promise<ChartImage>;
  /** Rejects all unfinished charts. Resolves when the process has ended. */
  close(): Promise<void>;
}

export interface RenderOptions {
  /**
   * Whether the chart is for a scheduled report, which no one is waiting for. Scheduled charts don't count
   * toward `maxQueued`; the caller limits the number of scheduled charts.
   */
  readonly isScheduled?: boolean;
}

export interface ChartRendererOptions {
  /** How long the process can be idle before it ends. Defaults to 60 s. */
  readonly idleTimeoutMs?: number;
  /** Time limit for one chart, including the start of the process. Defaults to 10 s. */
  readonly timeoutMs?: number;
  /** Maximum number of queued charts that people are waiting for. Defaults to 100, which take about 6 s to draw. */
  readonly maxQueued?: number;
}

interface RenderJob {
  readonly spec: ChartSpec;
  readonly resolve: (image: ChartImage) => void;
  readonly reject: (error: Error) => void;
}

/** Creates a renderer. The drawing process starts with the first chart and never outlives the current process. */
export function createChartRenderer({
  idleTimeoutMs = 60_000,
  timeoutMs = 10_000,
  maxQueued = 100,
}: ChartRendererOptions = {}): ChartRenderer {
  const queue: RenderJob[] = [];
  const scheduled: RenderJob[] = [];
  let renderer: RendererProcess | undefined;
  let working: Promise<void> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let closed = false;

  async function processQueue(): Promise<void> {
    clearTimeout(idle);
    for (let job = nextJob(); job; job = nextJob()) await processJob(job);
    if (!closed) idle = setTimeout(() => renderer?.end(), idleTimeoutMs).unref();
    working = undefined;
  }

  function nextJob(): RenderJob | undefined {
    return queue.shift() ?? scheduled.shift();
  }

  async function draw(spec: ChartSpec): Promise<ChartImage> {
    if (!renderer?.isUsable()) {
      await renderer?.end();
      if (closed) throw closedError();
      renderer = startRendererProcess();
    }
    return renderer.render(spec);
  }

  async function processJob({ spec, resolve, reject }: RenderJob): Promise<void> {
    let isTimedOut = false;
    const timer = setTimeout(() => {
      isTimedOut = true;
      void renderer?.end();
    }, timeoutMs);
    try {
      const image = await draw(spec).catch((error: unknown) => {
        const hasCrashed = !closed && !isTimedOut && !renderer?.isUsable();
        if (hasCrashed) return draw(spec);
        throw error;
      });
      resolve(image);
    } catch (error) {
      if (closed) reject(closedError());
      else if (isTimedOut) reject(new Error(`the chart was not drawn within ${timeoutMs} ms`));
      else reject(error instanceof Error ? error : new Error(String(error)));
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    render(spec, { isScheduled = false } = {}) {
      if (closed) return Promise.reject(closedError());
      if (!isScheduled && queue.length >= maxQueued) {
        return Promise.reject(new Error(`${maxQueued} charts are queued already`));
      }
      return new Promise((resolve, reject) => {
        (isScheduled ? scheduled : queue).push({ spec, resolve, reject });
        working ??= processQueue();
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const { reject } of [...queue.splice(0), ...scheduled.splice(0)]) reject(closedError());
      await renderer?.end();
      await working;
    },
  };
}

function closedError(): Error {
  return new Error('the chart renderer is closed');
}
