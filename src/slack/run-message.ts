import type { Catalogue } from '../operations/catalogue.ts';
import { parseInput } from '../operations/input.ts';
import type { Run } from '../operations/runs/run.ts';
import type { Message } from './render/message.ts';
import { type RunView, renderRun } from './render/run.ts';

/** Builds the message that tells of a run; nothing where its operation, or its input, is no longer known. */
export function runMessage(
  catalogue: Catalogue,
  run: Run,
  more: Omit<RunView, 'title'> = {},
): Message | undefined {
  const title = titleOf(catalogue, run);
  return title === undefined ? undefined : renderRun(run, { title, ...more });
}

/** Names the act of a run with its target. */
export function runTitle(catalogue: Catalogue, run: Run): string {
  return titleOf(catalogue, run) ?? `${run.operation} ${run.target ?? ''}`.trim();
}

function titleOf(catalogue: Catalogue, run: Run): string | undefined {
  const operation = catalogue.find(run.operation);
  const parsed = operation && parseInput(operation, run.input);
  return operation?.kind === 'change' && parsed?.ok ? operation.title(parsed.input) : undefined;
}
