import type { App, BlockAction, ButtonAction } from '@slack/bolt';
import type { Catalogue } from '../../operations/catalogue.ts';
import type { Runner } from '../../operations/runs/runner.ts';
import type { AccessRequest, RequestAnswer } from '../../workspaces/rights/request-store.ts';
import type { Requests } from '../../workspaces/rights/requests.ts';
import type { Answering } from '../answering.ts';
import type { Asking } from '../asking.ts';
import { askingOfClick, clickKey } from '../asking-of-click.ts';
import type { SlackClients } from '../clients.ts';
import { renderNotice } from '../render/notice.ts';
import { renderProblem } from '../render/problem.ts';
import { requestActions } from './ids.ts';

interface RequestListenerParts {
  readonly runner: Runner;
  readonly catalogue: Catalogue;
  readonly clients: SlackClients;
  readonly answering: Answering;
  readonly requests: Requests;
}

const sayings = {
  gone: 'There is no such request any more. Whoever needs it can ask again.',
  answered: 'Somebody else has answered this already.',
} as const;

/** Listens to the buttons by which those who can grant a right answer who asked for it. */
export function listenToRequests(app: App, parts: RequestListenerParts): void {
  const { runner, catalogue, clients, answering, requests } = parts;

  async function answer(id: string, kind: RequestAnswer, asking: Asking): Promise<void> {
    const { asker, origin, reply } = asking;
    const request = await requests.find(asker.teamId, id);
    if (typeof request === 'string') return reply.tell(renderNotice(sayings[request]));
    const operation = catalogue.find('access grant');
    if (!operation) return;
    const raw = inputOf(request);
    const { requestKey } = asking;
    const problem = await requests.answer(request, { kind, by: asker.userId }, async () => {
      if (kind === 'declined') return runner.refusalOf({ asker, origin }, operation, raw);
      const granted = await runner.request({ requestKey, operation, raw, asker, origin });
      return granted.kind === 'problem' ? granted.problem : undefined;
    });
    if (problem) await reply.tell(renderProblem(problem));
  }

  function on(actionId: string, kind: RequestAnswer): void {
    app.action<BlockAction<ButtonAction>>(actionId, async ({ ack, body, action, context }) => {
      await ack();
      const { teamId } = context;
      const { value: id } = action;
      if (teamId === undefined || id === undefined) return;
      answering.later(
        clickKey(body),
        () => askingOfClick(body, teamId, clients),
        (asking) => answer(id, kind, asking),
      );
    });
  }

  on(requestActions.grant, 'granted');
  on(requestActions.decline, 'declined');
}

function inputOf({ asker, right, patterns }: AccessRequest) {
  return { who: asker.userId, right, vps: patterns.join(' ') };
}
