import type { App } from '@slack/bolt';
import type { AccessRequest, RequestDecision } from '../../auth/access-requests/access-request.ts';
import type { AccessRequests } from '../../auth/access-requests/access-requests.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { Runner } from '../../runs/runner.ts';
import { actionIds } from '../blocks/elements/action-ids.ts';
import { renderNotice } from '../blocks/notice.ts';
import { renderProblem } from '../blocks/problem.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import type { InvocationQueue } from './invocation/invocation-queue.ts';
import { type Click, createOnClick } from './invocation/on-click.ts';

interface RequestListenerDependencies {
  readonly runner: Runner;
  readonly catalogue: Catalogue;
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
  readonly requests: AccessRequests;
  readonly ignoreClicksMs: number;
}

const unavailableMessages = {
  gone: 'This access request has expired. If the right is still needed, it can be requested again.',
  decided: 'Someone else already decided this request.',
  claimed: 'Someone else is deciding this request. If nothing happens, press again in ten minutes.',
} as const;

/** Handles Grant and Decline on access request cards. */
export function listenToAccessRequestButtons(app: App, dependencies: RequestListenerDependencies): void {
  const { runner, catalogue, requests } = dependencies;
  const onClick = createOnClick(app, dependencies);

  async function decide(kind: RequestDecision, { value: id, actor, origin, reply }: Click): Promise<void> {
    const found = await requests.find(actor.teamId, id);
    if (found.kind !== 'open') return reply.sendToActor(renderNotice(unavailableMessages[found.kind]));
    const { request } = found;
    const operation = catalogue.find('access grant');
    if (!operation) return;
    const decision = { kind, by: actor.userId, origin };
    const result = await requests.decide(request, decision, async (requestKey) => {
      const parsed = parseInput(operation, toGrantInput(request));
      const granted = await runner.request({ requestKey, operation, parsed, actor, origin });
      // The card itself shows the result.
      await runner.deliver(granted, async () => undefined);
      if (granted.kind === 'problem') return granted.problem;
      if (granted.kind !== 'outcome') throw new Error('an approved access request ended without a result');
      return undefined;
    });
    if (result.kind === 'problem') await reply.sendToActor(renderProblem(result.problem));
    if (result.kind === 'claimed') await reply.sendToActor(renderNotice(unavailableMessages.claimed));
  }

  onClick(actionIds.grantRequest, (click) => decide('granted', click));
  onClick(actionIds.declineRequest, (click) => decide('declined', click));
}

function toGrantInput({ actor, right, patterns }: AccessRequest) {
  return { who: actor.userId, right, vps: patterns.join(' ') };
}
