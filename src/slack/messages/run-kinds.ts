import type { Message as StoredMessage } from '../../messages/message.ts';
import type { Outbox } from '../../messages/outbox.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { type RunNotices, runNoticeKind } from '../../personal/run-notices.ts';
import { lostReplyProblem } from '../../runs/problem.ts';
import type { Run } from '../../runs/run.ts';
import { runMessageContent, runMessageKinds, toRunMessageKey } from '../../runs/run-messages.ts';
import type { RunStore } from '../../runs/store/run-store.ts';
import type { Message } from '../blocks/message.ts';
import { renderOutcome } from '../blocks/outcome.ts';
import { renderProblem } from '../blocks/problem.ts';
import type { FindPermalink } from '../client/permalink.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import { createReply, directMessageNotices } from './reply.ts';
import type { RunMessageRenderer } from './run-message-renderer.ts';
import type { MessageKind } from './transport.ts';

interface RunKindsDependencies {
  readonly clients: SlackClients;
  readonly findPermalink: FindPermalink;
  readonly runs: Pick<RunStore, 'find' | 'findResponseUrl' | 'markDelivered'>;
  readonly catalogue: Catalogue;
  readonly runMessages: RunMessageRenderer;
  readonly runNotices: Pick<RunNotices, 'isWanted'>;
  readonly outbox: Pick<Outbox, 'find'>;
}

/** Creates the kinds of messages about runs. Each message is rendered from the run as stored when it's sent. */
export function createRunKinds({
  clients,
  findPermalink,
  runs,
  catalogue,
  runMessages,
  runNotices,
  outbox,
}: RunKindsDependencies): Readonly<Record<string, MessageKind>> {
  const define = (
    render: (run: Run, content: ReturnType<typeof parse>) => Promise<Message | undefined>,
  ): MessageKind => ({
    async render(stored) {
      const content = parse(stored);
      const run = await runs.find(content.runId);
      const message = run && (await render(run, content));
      return message ? [message] : [];
    },
  });

  const parse = ({ content }: StoredMessage) => runMessageContent.parse(content);

  async function createReplyTo(stored: StoredMessage) {
    const { runId } = parse(stored);
    const [run, responseUrl] = await Promise.all([runs.find(runId), runs.findResponseUrl(runId)]);
    return (
      run &&
      createReply(clients, {
        actor: run.actor,
        origin: { ...run.origin, ...(responseUrl !== undefined && { responseUrl }) },
      })
    );
  }

  /** Returns a link to a run's message, or undefined if the run has no message. */
  async function findLink({ id, actor: { teamId } }: Run): Promise<string | undefined> {
    const own = await outbox.find(teamId, toRunMessageKey(id));
    return own?.ref ? findPermalink(teamId, own.ref) : undefined;
  }

  /**
   * Renders a reply that wasn't delivered. Leaves out the data that a read returned, because it may be
   * outdated by now.
   */
  async function renderLostReply({ id, operation, input, result }: Run): Promise<Message | undefined> {
    if (result?.kind === 'problem') return renderProblem(result.problem);
    if (result?.kind !== 'outcome') return undefined;
    return catalogue.find(operation)?.kind === 'read'
      ? renderProblem(lostReplyProblem(operation, input))
      : renderOutcome(result.outcome, { runId: id });
  }

  return {
    [runMessageKinds.run]: {
      ...define(async (run, { wait, progress }) => {
        const isUnfinished = run.status === 'queued' || run.status === 'sent';
        const shown = isUnfinished && progress ? { ...run, progress } : run;
        return runMessages.renderRun(shown, wait ? { wait } : {});
      }),
      // The end is reported even if somebody has deleted the message in the meantime.
      isNeeded: ({ isMinor }) => !isMinor,
      async onMoved(stored) {
        await (await createReplyTo(stored))?.postPointer(directMessageNotices.invite);
      },
    },
    [runMessageKinds.decision]: define((run) => runMessages.renderDecision(run)),
    [runMessageKinds.reply]: {
      ...define(renderLostReply),
      async send(stored, rendered) {
        await (await createReplyTo(stored))?.sendToActor(rendered);
        await runs.markDelivered(parse(stored).runId);
      },
    },
    [runNoticeKind]: define(async (run) =>
      (await runNotices.isWanted(run)) ? runMessages.renderNotice(run, await findLink(run)) : undefined,
    ),
  };
}
