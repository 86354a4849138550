import { randomUUID } from 'node:crypto';
import type { Catalogue } from '../../operations/define/operation.ts';
import type { ContinuedWork, ReplyRoute } from '../../runs/recovery/hand-over.ts';
import type { Runner } from '../../runs/runner.ts';
import type { SlackClients } from '../client/slack-clients.ts';
import { createInvocation } from './invocation/create-invocation.ts';
import type { Dispatch } from './invocation/dispatch.ts';
import type { InvocationQueue } from './invocation/invocation-queue.ts';

interface HandedOverWorkDependencies {
  readonly runner: Runner;
  readonly catalogue: Catalogue;
  readonly dispatch: Dispatch;
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
}

/**
 * Continues work that a stopped process has handed over, and replies where the request was made.
 */
export function listenToHandedOverWork(dependencies: HandedOverWorkDependencies): void {
  const { runner, catalogue, dispatch, clients, invocationQueue } = dependencies;

  /** Returns the modal or the clicked message to reply in, as far as they are known. */
  const toReplySource = (route: ReplyRoute | undefined, title: string) => ({
    view: route?.viewId === undefined ? undefined : { id: route.viewId, title },
    clickedUrl: route?.clickedUrl,
  });

  function resume(work: ContinuedWork): void {
    // A request can be handed over more than once, so each hand-over has its own key.
    const requestKey = `handed-over:${randomUUID()}`;
    switch (work.kind) {
      case 'request': {
        const { actor, operation } = work.run;
        const responseUrl = work.route?.responseUrl;
        const origin = { ...work.run.origin, ...(responseUrl !== undefined && { responseUrl }) };
        const title = catalogue.find(operation)?.heading ?? operation;
        const source = { actor, origin, requestKey, ...toReplySource(work.route, title) };
        invocationQueue.enqueueOnce(createInvocation(clients, source), (invocation) =>
          dispatch.resume(work, invocation),
        );
        break;
      }
      case 'confirm': {
        const { actor, token, typed, atATime, snapshotFirst, reason, route, clickedMs: receivedMs } = work;
        const parts = { actor, origin: {}, requestKey, isClick: true, receivedMs };
        const source = { ...parts, ...toReplySource(route, 'Confirm') };
        invocationQueue.enqueueOnce(createInvocation(clients, source), (invocation) =>
          dispatch.confirm({ ...invocation, value: token }, { typed, atATime, snapshotFirst, reason }),
        );
      }
    }
  }

  runner.handOverEvents.on('continued', resume);
}
