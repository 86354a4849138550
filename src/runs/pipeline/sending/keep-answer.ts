import type { Step } from '../step.ts';
import type { AnsweredRun } from './send.ts';

/** How long recording an answer can take before the answer is written into a file. */
const maxRecordingMs = 3_000;

/** Keeps the answer of a run in a file while the given steps can't record it. */
export function keepAnswer(steps: Step<AnsweredRun, never>): Step<AnsweredRun, never> {
  return async (answered, services) => {
    const { answerSpool } = services;
    const { run, data } = answered;
    let saved: Promise<void> | undefined;
    const save = () => {
      saved ??= answerSpool.save({ runId: run.id, data });
      return saved;
    };
    const timer = setTimeout(save, maxRecordingMs);
    try {
      const ended = await steps(answered, services);
      if (saved) await saved.then(() => answerSpool.remove(run.id));
      return ended;
    } catch (error) {
      await save();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}
