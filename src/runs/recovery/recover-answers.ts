import type { RunServices } from '../pipeline/run-services.ts';
import { readStoredChange } from '../pipeline/unreadable-runs.ts';
import { recordAnswer } from '../pipeline.ts';
import { recoverRun } from './recover-run.ts';

/**
 * Records the answers that an earlier process couldn't record. Resolves when this process owns
 * their runs, so that nobody reports them as unknown. A run that this version can't read ends as
 * unknown, and its answer is kept for a later version.
 */
export async function recoverAnswers(services: RunServices): Promise<void> {
  const { answerSpool, runs, lease, catalogue, openEnvironment, activeRuns, log } = services;
  for (const { runId, data } of await answerSpool.list()) {
    const run = await runs.takeOverAnswered(runId, lease());
    if (!run) {
      await answerSpool.remove(runId);
      continue;
    }
    const stored = readStoredChange(run, catalogue);
    if (stored.kind === 'unreadable') {
      activeRuns.start(runId, recoverRun(run, services));
      continue;
    }
    const { operation, parsed } = stored;
    log.info({ runId }, 'recording an answer that an earlier process stored in a file');
    // The call was made, so its deadline no longer counts.
    const answered = { run, operation, parsed, data, sendByMs: 0, ...openEnvironment(run) };
    const recorded = recordAnswer(answered, services).then(() => answerSpool.remove(runId));
    activeRuns.start(runId, recorded);
  }
}
