import type { Run } from '../../../src/runs/run.ts';
import { runMessageContent, runMessageKinds } from '../../../src/runs/run-messages.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import type { RenderText } from './slack.ts';

/** Returns the text of a run's message: the run's state and, if it is known, that of its work. */
export function toRunText({ status, progress }: Pick<Run, 'status' | 'progress'>): string {
  return [status, progress?.text].filter(Boolean).join(': ');
}

/** Renders messages as texts, from the rows as they are stored now. */
export function createTextRenderer(runs: Pick<RunStore, 'find'>): RenderText {
  const runKinds: readonly string[] = Object.values(runMessageKinds);
  return async ({ kind, content }) => {
    if (!runKinds.includes(kind)) return kind;
    const { runId, isCard } = runMessageContent.parse(content);
    const run = await runs.find(runId);
    if (!run || (isCard && run.status === 'waiting')) return undefined;
    return toRunText(run);
  };
}
