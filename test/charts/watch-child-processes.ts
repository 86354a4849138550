import { ChildProcess } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';

/**
 * Calls `onStart` for each child process that this process starts. Returns a function that stops
 * watching.
 */
export function watchChildProcesses(onStart: (process: ChildProcess) => void): () => void {
  const listen = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('process' in message)) return;
    if (message.process instanceof ChildProcess) onStart(message.process);
  };
  diagnostics.subscribe('child_process', listen);
  return () => diagnostics.unsubscribe('child_process', listen);
}
