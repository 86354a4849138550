import { setTimeout as delay } from 'node:timers/promises';
import type { App, ViewOutput, ViewSubmitAction } from '@slack/bolt';
import type { Logger } from 'pino';
import { RackhandError } from '../../error.ts';
import type { Catalogue } from '../../operations/catalogue.ts';
import { connectStep } from '../../operations/key-steps.ts';
import { explain, type Problem } from '../../operations/runs/problem.ts';
import type { Connecting, Connection } from '../../workspaces/connection/connection.ts';
import { readGivenKey } from '../../workspaces/connection/given-key.ts';
import { tellConnection, tellDisconnection } from '../../workspaces/connection/tell-connection.ts';
import type { Answering } from '../answering.ts';
import type { SlackClients } from '../clients.ts';
import type { Message } from '../render/message.ts';
import { renderOutcome } from '../render/outcome.ts';
import { renderProblem } from '../render/problem.ts';
import { loadingView, messageView, showInView } from '../view-reply.ts';
import { askingAt, type Place, readPlace, type Sender } from './place.ts';
import { checkingView, connectionCallbackIds, keyErrors, keyView, readKeyForm, titles } from './views.ts';

interface ConnectParts {
  readonly connection: Connection;
  readonly catalogue: Catalogue;
  readonly clients: SlackClients;
  readonly answering: Answering;
  readonly log: Pick<Logger, 'error'>;
}

/** How long the trial of a key may keep the dialog waiting: Slack gives three seconds in all. */
const answerWithinMs = 2_000;

/** Listens to what is sent with the dialogs of the connection. */
export function listenToConnection(app: App, parts: ConnectParts): void {
  const { connection, catalogue, clients, answering, log } = parts;

  /** Whatever fails is told to whoever waits in front of the dialog. */
  const orProblem = (error: unknown): { kind: 'refused'; problem: Problem } => {
    log.error({ err: error }, 'the connection of a workspace could not be changed');
    return { kind: 'refused', problem: explain(error, { changing: false }) };
  };

  function messageOf(answer: Connecting): Message {
    if (answer.kind === 'kept') return renderOutcome(tellConnection(answer, catalogue), {});
    return renderProblem(answer.kind === 'refused' ? answer.problem : notAccepted(answer.why));
  }

  async function viewOf(answer: Connecting, place: Place, teamId: string, limit: number) {
    if (answer.kind !== 'wrong') return messageView(titles[place.act], messageOf(answer));
    return keyView(place, { kept: await connection.describe(teamId), why: answer.why, limit });
  }

  app.view<ViewSubmitAction>(connectionCallbackIds.key, async ({ ack, body, view, context }) => {
    const { teamId } = context;
    if (teamId === undefined) return ack();
    const read = readGivenKey(readKeyForm(view.state.values));
    if (!read.ok) return ack({ response_action: 'errors', errors: keyErrors(read.problems) });
    const place = readPlace(view.private_metadata);
    const asking = askingAt(place, senderOf(body, view, teamId), clients);
    const { given } = read;
    const trial = connection.connect(given, asking.asker, asking.origin).catch(orProblem);
    const inTime = Promise.race([trial, delay(answerWithinMs, undefined, { ref: false })]);
    answering.later(
      asking.requestKey,
      () => asking,
      async ({ reply }) => {
        if (await inTime) return;
        const late = await trial;
        const shown = await viewOf(late, place, teamId, given.limit);
        if (!(await showInView(clients, asking.asker, view.id, shown))) await reply.tell(messageOf(late));
      },
    );
    const answer = await inTime;
    if (answer?.kind === 'wrong') {
      return ack({ response_action: 'errors', errors: keyErrors({ apiKey: answer.why }) });
    }
    const title = titles[place.act];
    await ack({
      response_action: 'update',
      view: answer ? messageView(title, messageOf(answer)) : checkingView(title),
    });
  });

  app.view<ViewSubmitAction>(connectionCallbackIds.disconnect, async ({ ack, body, view, context }) => {
    const { teamId } = context;
    if (teamId === undefined) return ack();
    const place = readPlace(view.private_metadata);
    const asking = askingAt(place, senderOf(body, view, teamId), clients);
    await ack({ response_action: 'update', view: loadingView(titles.disconnect) });
    answering.later(
      asking.requestKey,
      () => asking,
      async ({ asker, origin, reply }) => {
        const answer = await connection.disconnect(asker, origin).catch(orProblem);
        const message =
          answer.kind === 'refused'
            ? renderProblem(answer.problem)
            : renderOutcome(tellDisconnection(answer.wasThere), {});
        const shown = messageView(titles.disconnect, message);
        if (!(await showInView(clients, asking.asker, view.id, shown))) await reply.tell(message);
      },
    );
  });
}

/** Of a dialog that is sent again, after a correction, the hash is another. */
function senderOf({ user }: ViewSubmitAction, { id, hash }: ViewOutput, teamId: string): Sender {
  return { teamId, userId: user.id, requestKey: `connection:${id}:${hash}` };
}

function notAccepted(why: string): Problem {
  const explained = explain(new RackhandError('key_rejected', why), { changing: false });
  return { ...explained, next: 'Give another key.', steps: [connectStep] };
}
