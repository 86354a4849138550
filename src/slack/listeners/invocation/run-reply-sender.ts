import type { Chart, RedactedOutcome } from '../../../operations/define/outcome.ts';
import type { RunReply } from '../../../runs/run-reply.ts';
import { renderConfirmation } from '../../blocks/confirmation.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { ResolveMentions } from '../../blocks/resolve-mentions.ts';
import type { ChartImages } from '../../client/chart-images.ts';
import type { Invocation } from '../../invocation.ts';

/** Sends the runner's reply to the actor or, with `isPublic`, to the channel. */
export type SendRunReply = (runReply: RunReply, invocation: Invocation, isPublic: boolean) => Promise<void>;

interface SendRunReplyDependencies {
  readonly chartImages: ChartImages;
  readonly resolveMentions: ResolveMentions;
}

export function createRunReplySender({
  chartImages,
  resolveMentions,
}: SendRunReplyDependencies): SendRunReply {
  /** Sends an outcome and its chart as a message, because ephemeral messages don't reliably show unshared files. */
  async function sendChart(
    outcome: RedactedOutcome,
    chart: Chart,
    invocation: Invocation,
    isPublic: boolean,
  ): Promise<void> {
    const upload = await chartImages.upload(chart, invocation.actor.teamId);
    const isUploaded = 'fileId' in upload;
    const notes = [
      ...(outcome.notes ?? []),
      ...(isUploaded ? [] : [`${upload.problem} The graph is shown as text instead.`]),
    ];
    const image = isUploaded ? { imageFileId: upload.fileId } : {};
    const message = renderOutcome({ ...outcome, notes }, { isUnpaged: true, ...image });
    await invocation.reply.post(message, isPublic ? 'channel' : 'actor');
  }

  return async (runReply, invocation, isPublic) => {
    const { reply } = invocation;
    switch (runReply.kind) {
      case 'outcome':
        if (runReply.outcome.chart)
          return sendChart(runReply.outcome, runReply.outcome.chart, invocation, isPublic);
        return isPublic
          ? reply.sendToChannel(
              renderOutcome(await resolveMentions(runReply.outcome, invocation.actor.teamId), {
                runId: runReply.runId,
                isShared: true,
              }),
            )
          : reply.sendToActor(
              renderOutcome(runReply.outcome, {
                runId: runReply.runId,
                isShared: invocation.origin.isDirectMessage === true,
              }),
            );
      case 'confirmation':
        return reply.sendToActor(renderConfirmation(runReply.confirmation));
      case 'problem':
        return reply.sendToActor(renderProblem(runReply.problem));
      case 'started':
        return invocation.view && reply.remove();
      default:
        return undefined;
    }
  };
}
