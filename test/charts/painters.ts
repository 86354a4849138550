import { ChildProcess } from 'node:child_process';
import diagnostics from 'node:diagnostics_channel';

/** Tells of every process that this one starts. Gives what stops it. */
export function watchPainters(tell: (process: ChildProcess) => void): () => void {
  const listen = (message: unknown) => {
    if (typeof message !== 'object' || message === null || !('process' in message)) return;
    if (message.process instanceof ChildProcess) tell(message.process);
  };
  diagnostics.subscribe('child_process', listen);
  return () => diagnostics.unsubscribe('child_process', listen);
}
