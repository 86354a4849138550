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
  const operation = catalogue.find(run.operation);
  const parsed = operation && parseInput(operation, run.input);
  if (operation?.kind !== 'change' || !parsed?.ok) return undefined;
  return renderRun(run, { title: operation.title(parsed.input), ...more });
}
