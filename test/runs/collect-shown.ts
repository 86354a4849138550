import type { Run } from '../../src/runs/run.ts';
import type { RunMessages } from '../../src/runs/run-messages.ts';

/** Collects the runs that people see, as they are shown. */
export function collectShown(show: (run: Run) => void): RunMessages {
  return {
    show: async (run) => show(run),
    wake() {},
    showView: async (run, { progress }) => show(progress ? ({ ...run, progress } as Run) : run),
  };
}
