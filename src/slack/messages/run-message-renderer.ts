import { toBreakGlassSteps, toWithdrawStep } from '../../asks/ask-operations.ts';
import type { AskStore } from '../../asks/ask-store.ts';
import type { MemberDirectory } from '../../auth/member-directory.ts';
import { isBatchOperation } from '../../operations/define/inspect-operation.ts';
import type { Catalogue, Operation } from '../../operations/define/operation.ts';
import { isSnapshotFirst } from '../../runs/pipeline/confirmation/card-offers.ts';
import type { Run } from '../../runs/run.ts';
import { formatRunStatus } from '../../runs/run-status.ts';
import type { SecretStore } from '../../runs/secrets/secret-store.ts';
import type { Message } from '../blocks/message.ts';
import { createPersonFormatter } from '../blocks/resolve-mentions.ts';
import { findSecretRef, type RunView, renderDecision, renderRun, renderRunNotice } from '../blocks/run.ts';

/** Renders messages about runs. Only `renderDecision` mentions a person; the other messages contain names. */
export interface RunMessageRenderer {
  /** Renders a change's message. Returns undefined for a read, which has no message of its own. */
  renderRun(run: Run, more?: Pick<RunView, 'wait' | 'note'>): Promise<Message | undefined>;
  /** Renders the message that mentions the requester and says who decided. */
  renderDecision(run: Run): Promise<Message>;
  /** Renders the direct message that says how a run ended. `link` leads to the run's message. */
  renderNotice(run: Run, link: string | undefined): Promise<Message>;
}

export function createRunMessageRenderer(
  catalogue: Catalogue,
  { findDisplayName }: Pick<MemberDirectory, 'findDisplayName'>,
  secrets: Pick<SecretStore, 'findOwner'>,
  asks: Pick<AskStore, 'find'>,
): RunMessageRenderer {
  const formatPeople = createPersonFormatter(findDisplayName);
  const toStatusText = (run: Run) => formatRunStatus(run, catalogue.find(run.operation));
  return {
    async renderRun(run, more = {}) {
      const operation = catalogue.find(run.operation);
      const isChange = run.title !== null || operation?.kind === 'change';
      if (!isChange) return undefined;
      const secretRef = findSecretRef(run);
      const isSecretLeft =
        secretRef !== undefined && (await secrets.findOwner(secretRef.id, run.actor.teamId)) !== undefined;
      const askId = run.status === 'waiting' ? run.approval?.askId : undefined;
      const ask = askId ? await asks.find(run.actor.teamId, askId) : undefined;
      return renderRun(run, {
        waitingSteps: askId ? [toWithdrawStep(askId), ...(ask ? toBreakGlassSteps(ask) : [])] : [],
        title: formatRunTitle(run),
        isSecretLeft,
        statusText: toStatusText(run),
        formatPerson: await formatPeople(run),
        canStop: isStoppable(run, operation),
        ...more,
      });
    },
    renderNotice: async (run, link) =>
      renderRunNotice(run, { title: formatRunTitle(run), statusText: toStatusText(run), link }),
    async renderDecision(run) {
      const title = formatRunTitle(run);
      return renderDecision(run, {
        title,
        statusText: toStatusText(run),
        formatPerson: await formatPeople(run),
      });
    },
  };
}

/** Returns a run's title or, if it has none, its operation with its target. */
function formatRunTitle({ title, operation, target }: Run): string {
  return title ?? `${operation} ${target ?? ''}`.trim();
}

function isStoppable(run: Run, operation: Operation | undefined): boolean {
  const { status, stoppedBy, progress } = run;
  const isUnfinished = (status === 'queued' || status === 'sent') && !progress?.isBeyondStop;
  const hasParts = isSnapshotFirst(run) || (operation !== undefined && isBatchOperation(operation));
  return isUnfinished && stoppedBy === undefined && hasParts;
}
