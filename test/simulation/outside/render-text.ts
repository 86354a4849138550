import { askCardContent, askMessageKinds } from '../../../src/asks/ask-messages.ts';
import type { AskStore } from '../../../src/asks/ask-store.ts';
import { toAskToken } from '../../../src/asks/ask-token.ts';
import type { Message } from '../../../src/messages/message.ts';
import { parseApprovalSubject } from '../../../src/runs/pipeline/approval/approval-request.ts';
import type { Run } from '../../../src/runs/run.ts';
import { runMessageContent, runMessageKinds } from '../../../src/runs/run-messages.ts';
import type { RunStore } from '../../../src/runs/store/run-store.ts';
import { listVps } from '../world.ts';
import { toCardText } from './card-board.ts';
import type { RenderText } from './slack.ts';

/** Returns the text of a run's message: the run's state and, if it is known, that of its work. */
export function toRunText({ status, progress }: Pick<Run, 'status' | 'progress'>): string {
  return [status, progress?.text].filter(Boolean).join(': ');
}

/** Renders messages as texts, from the rows as they are stored now. */
export function createTextRenderer(runs: Pick<RunStore, 'find'>, asks: Pick<AskStore, 'find'>): RenderText {
  const runKinds: readonly string[] = Object.values(runMessageKinds);

  async function renderCard({ teamId, content, ref }: Message): Promise<string | undefined> {
    const ask = await asks.find(teamId, askCardContent.parse(content).askId);
    if (!ask) return undefined;
    if (ask.finishedMs !== null) return ref ? 'decided' : undefined;
    const { runId } = parseApprovalSubject(ask.subject);
    const run = await runs.find(runId);
    return run && toCardText({ token: toAskToken(ask), vps: listVps(run), runId });
  }

  return async (message) => {
    const { kind, content } = message;
    if (kind === askMessageKinds.card) return renderCard(message);
    if (!runKinds.includes(kind)) return kind;
    const run = await runs.find(runMessageContent.parse(content).runId);
    return run && toRunText(run);
  };
}
