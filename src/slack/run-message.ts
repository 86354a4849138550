import type { Catalogue } from '../operations/catalogue.ts';
import { parseInput } from '../operations/input.ts';
import { titleOf } from '../operations/operation.ts';
import type { ApprovalCard } from '../operations/runs/approval.ts';
import type { Run } from '../operations/runs/run.ts';
import { standingWords } from '../operations/runs/status-words.ts';
import type { Directory } from '../workspaces/rights/directory.ts';
import { renderApproval, renderDecided } from './render/approval.ts';
import type { Message } from './render/message.ts';
import { type RunView, renderDecision, renderRun } from './render/run.ts';
import { createPeopleOf } from './with-names.ts';

/** Shows runs as messages. Only one of them calls somebody: the others write people by their names. */
export interface RunMessages {
  /** Builds the message that tells of a run; nothing where its operation, or its input, is no longer known. */
  of(run: Run, more?: Pick<RunView, 'waitMs' | 'note'>): Promise<Message | undefined>;
  /** Builds the word to the asker of what others have decided: the one message of a run that calls somebody. */
  decision(run: Run): Promise<Message>;
  /** Builds the card that asks a second person. */
  asking(card: ApprovalCard): Promise<Message>;
  /** Builds what stands in the place of that card once it is decided. */
  decided(run: Run): Promise<Message>;
}

/** Creates what shows runs as messages. */
export function createRunMessages(catalogue: Catalogue, { nameOf }: Pick<Directory, 'nameOf'>): RunMessages {
  const peopleOf = createPeopleOf(nameOf);
  const standing = (run: Run) => standingWords(run, catalogue.find(run.operation));
  return {
    async of(run, more = {}) {
      const title = knownTitle(catalogue, run);
      if (title === undefined) return undefined;
      return renderRun(run, { title, standing: standing(run), nameOf: await peopleOf(run), ...more });
    },
    asking: async (card) => renderApproval(card, await peopleOf(card.run)),
    decided: async (run) => renderDecided(run, runTitle(catalogue, run), await peopleOf(run)),
    async decision(run) {
      const title = runTitle(catalogue, run);
      return renderDecision(run, { title, standing: standing(run), nameOf: await peopleOf(run) });
    },
  };
}

/** Names the act of a run with its target. */
function runTitle(catalogue: Catalogue, run: Run): string {
  return knownTitle(catalogue, run) ?? `${run.operation} ${run.target ?? ''}`.trim();
}

function knownTitle(catalogue: Catalogue, run: Run): string | undefined {
  const operation = catalogue.find(run.operation);
  const parsed = operation && parseInput(operation, run.input);
  return operation?.kind === 'change' && parsed?.ok
    ? titleOf(operation, parsed.input, run.called)
    : undefined;
}
