import type { RunServices } from '../pipeline/run-services.ts';
import { readStoredChange } from '../pipeline/unreadable-runs.ts';
import { recordAnswer } from '../pipeline.ts';

/**
 * Records the answers that an earlier process couldn't record. Resolves when this process owns
 * their runs, so that nobody reports them as unknown.
 */
export async function recoverAnswers(services: RunServices): Promise<void> {
  const { answerSpool, runs, lease, catalogue, openEnvironment, activeRuns, log } = services;
  for (const { runId, data } of await answerSpool.list()) {
    const run = await runs.takeOverAnswered(runId, lease());
    const stored = run && readStoredChange(run, catalogue);
    if (run && stored?.kind === 'readable') {
      const { operation, parsed } = stored;
      log.info({ runId }, 'recording an answer that an earlier process stored in a file');
      // The call was made, so its deadline no longer counts.
      const answered = { run, operation, parsed, data, sendByMs: 0, ...openEnvironment(run) };
      const recorded = recordAnswer(answered, services).then(() => answerSpool.remove(runId));
      activeRuns.start(runId, recorded);
    } else await answerSpool.remove(runId);
  }
}
