import type { MemberDirectory } from '../../auth/member-directory.ts';
import { parseInput } from '../../operations/define/input.ts';
import { formatTitle } from '../../operations/define/inspect-operation.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { ApprovalCard } from '../../runs/pipeline/approval.ts';
import type { Run } from '../../runs/run.ts';
import { formatRunStatus } from '../../runs/run-status.ts';
import { renderApproval, renderDecidedApproval } from '../blocks/approval.ts';
import type { Message } from '../blocks/message.ts';
import { createPersonFormatter } from '../blocks/resolve-mentions.ts';
import { type RunView, renderDecision, renderRun } from '../blocks/run.ts';

/** Renders the messages of runs. Only `renderDecision` mentions a person. The others contain names. */
export interface RunMessageRenderer {
  /** Renders a run's message. Returns undefined if its operation or input is no longer valid. */
  renderRun(run: Run, more?: Pick<RunView, 'waitMs' | 'note'>): Promise<Message | undefined>;
  /** Renders the message that mentions the requester and says who decided. */
  renderDecision(run: Run): Promise<Message>;
  /** Renders the card that asks for approval. */
  renderApproval(card: ApprovalCard): Promise<Message>;
  /** Renders the approval card after the decision. */
  renderDecided(run: Run): Promise<Message>;
}

export function createRunMessageRenderer(
  catalogue: Catalogue,
  { findDisplayName }: Pick<MemberDirectory, 'findDisplayName'>,
): RunMessageRenderer {
  const formatPeople = createPersonFormatter(findDisplayName);
  const toStatusText = (run: Run) => formatRunStatus(run, catalogue.find(run.operation));
  return {
    async renderRun(run, more = {}) {
      const title = findRunTitle(catalogue, run);
      if (title === undefined) return undefined;
      return renderRun(run, {
        title,
        statusText: toStatusText(run),
        formatPerson: await formatPeople(run),
        ...more,
      });
    },
    renderApproval: async (card) => renderApproval(card, await formatPeople(card.run)),
    renderDecided: async (run) =>
      renderDecidedApproval(run, formatRunTitle(catalogue, run), await formatPeople(run)),
    async renderDecision(run) {
      const title = formatRunTitle(catalogue, run);
      return renderDecision(run, {
        title,
        statusText: toStatusText(run),
        formatPerson: await formatPeople(run),
      });
    },
  };
}

/** Returns a run's operation with its target. */
function formatRunTitle(catalogue: Catalogue, run: Run): string {
  return findRunTitle(catalogue, run) ?? `${run.operation} ${run.target ?? ''}`.trim();
}

function findRunTitle(catalogue: Catalogue, run: Run): string | undefined {
  const operation = catalogue.find(run.operation);
  const parsed = operation && parseInput(operation, run.input);
  return operation?.kind === 'change' && parsed?.kind === 'valid'
    ? formatTitle(operation, parsed.input, run.displayNames)
    : undefined;
}
