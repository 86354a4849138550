import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Answers each message with the longest stall of the event loop since the message before, in milliseconds. */
export function answerStalls(): void {
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  process.on('message', () => {
    process.send?.(delays.max / 1e6);
    delays.reset();
  });
}
