import type { App } from '@slack/bolt';
import type { Catalogue } from '../../operations/catalogue.ts';
import type { Runner } from '../../operations/runs/runner.ts';
import type { AccessRequest, RequestAnswer } from '../../workspaces/rights/request-store.ts';
import type { Requests } from '../../workspaces/rights/requests.ts';
import type { Answering } from '../answering.ts';
import type { Asking } from '../asking.ts';
import { createOnClick } from '../clicks.ts';
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
  taken: 'This is being answered already. Should nothing come of it, press again in ten minutes.',
} as const;

/** Listens to the buttons by which those who can grant a right answer who asked for it. */
export function listenToRequests(app: App, parts: RequestListenerParts): void {
  const { runner, catalogue, requests } = parts;
  const onClick = createOnClick(app, parts);

  async function answer(id: string, kind: RequestAnswer, asking: Asking): Promise<void> {
    const { asker, origin, reply } = asking;
    const request = await requests.find(asker.teamId, id);
    if (typeof request === 'string') return reply.tell(renderNotice(sayings[request]));
    const operation = catalogue.find('access grant');
    if (!operation) return;
    const given = { kind, by: asker.userId, origin };
    const problem = await requests.answer(request, given, async (requestKey) => {
      const raw = inputOf(request);
      const granted = await runner.request({ requestKey, operation, raw, asker, origin });
      // The card itself tells how it went.
      await runner.told(granted);
      if (granted.kind === 'problem') return granted.problem;
      if (granted.kind !== 'outcome') throw new Error('a grant did not come to its end');
      return undefined;
    });
    if (problem) await reply.tell(problem === 'taken' ? renderNotice(sayings.taken) : renderProblem(problem));
  }

  onClick(requestActions.grant, (id, asking) => answer(id, 'granted', asking));
  onClick(requestActions.decline, (id, asking) => answer(id, 'declined', asking));
}

function inputOf({ asker, right, patterns }: AccessRequest) {
  return { who: asker.userId, right, vps: patterns.join(' ') };
}
