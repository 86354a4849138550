import { setTimeout as delay } from 'node:timers/promises';
import type { App, ViewSubmitAction } from '@slack/bolt';
import type { Logger } from 'pino';
import { RackhandError } from '../../../errors.ts';
import { connectKeyStep } from '../../../operations/define/key-steps.ts';
import type { Catalogue } from '../../../operations/define/operation.ts';
import { type Problem, toProblem } from '../../../runs/problem.ts';
import { parseApiKeyInput } from '../../../workspaces/api-key/api-key-input.ts';
import type { ApiKeyManager, ConnectResult } from '../../../workspaces/api-key/api-key-manager.ts';
import { formatApiKey } from '../../../workspaces/api-key/format-api-key.ts';
import type { Message } from '../../blocks/message.ts';
import { renderOutcome } from '../../blocks/outcome.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import { createInvocation, type Invocation, toOrigin } from '../../invocation.ts';
import { messageView, updateView } from '../../messages/view-reply.ts';
import {
  type ApiKeyMetadata,
  apiKeyCallbackId,
  buildCheckingView,
  buildKeyView,
  parseApiKeyMetadata,
  readKeyForm,
  titles,
  toKeyErrors,
} from '../../modals/api-key/api-key-views.ts';
import type { InvocationQueue } from '../invocation/invocation-queue.ts';

interface ApiKeyListenerDependencies {
  readonly apiKeys: ApiKeyManager;
  readonly catalogue: Catalogue;
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
  readonly log: Pick<Logger, 'error'>;
}

/** Time limit for checking a key before the ack. Slack allows 3 s in total. */
const trialTimeoutMs = 2_000;

export function listenToApiKeyModals(app: App, dependencies: ApiKeyListenerDependencies): void {
  const { apiKeys, catalogue, clients, invocationQueue, log } = dependencies;

  function createSubmissionInvocation(
    metadata: ApiKeyMetadata,
    { user, view: { id, hash } }: ViewSubmitAction,
    teamId: string,
  ): Invocation {
    return createInvocation(clients, {
      actor: { teamId, userId: user.id },
      origin: toOrigin(metadata),
      // The hash differs each time, so a corrected modal can be submitted again.
      requestKey: `api-key:${id}:${hash}`,
    });
  }

  /** Logs an error and turns it into a problem to show in the modal. */
  const toRefusal = (error: unknown): { kind: 'denied'; problem: Problem } => {
    log.error({ err: error }, "a workspace's API key could not be changed");
    return { kind: 'denied', problem: toProblem(error, { isChanging: false }) };
  };

  function renderResult(result: ConnectResult): Message {
    if (result.kind === 'saved') return renderOutcome(formatApiKey(result, catalogue), {});
    return renderProblem(result.kind === 'denied' ? result.problem : toKeyProblem(result.reason));
  }

  async function buildResultView(
    result: ConnectResult,
    metadata: ApiKeyMetadata,
    teamId: string,
    limit: number,
  ) {
    if (result.kind !== 'invalid') return messageView(titles[metadata.act], renderResult(result));
    return buildKeyView(metadata, {
      storedKey: await apiKeys.describe(teamId),
      rejection: result.reason,
      limit,
    });
  }

  app.view<ViewSubmitAction>(apiKeyCallbackId, async ({ ack, body, view, context }) => {
    const { teamId } = context;
    if (teamId === undefined) return ack();
    const entered = readKeyForm(view);
    const read = parseApiKeyInput(entered);
    if (read.kind === 'invalid')
      return ack({ response_action: 'errors', errors: toKeyErrors(read.problems) });
    const metadata = parseApiKeyMetadata(view.private_metadata);
    const invocation = createSubmissionInvocation(metadata, body, teamId);
    const { input: apiKey } = read;
    const trial = apiKeys.connect(apiKey, invocation.actor, invocation.origin, entered).catch(toRefusal);
    const resultInTime = Promise.race([trial, delay(trialTimeoutMs, undefined, { ref: false })]);
    invocationQueue.enqueueOnce(invocation, async ({ reply }) => {
      if (await resultInTime) return;
      const lateResult = await trial;
      const shown = await buildResultView(lateResult, metadata, teamId, apiKey.limit);
      if (!(await updateView(clients, invocation.actor, view.id, shown)))
        await reply.sendToActor(renderResult(lateResult));
    });
    const result = await resultInTime;
    if (result?.kind === 'invalid') {
      return ack({ response_action: 'errors', errors: toKeyErrors({ apiKey: result.reason }) });
    }
    const title = titles[metadata.act];
    await ack({
      response_action: 'update',
      view: result ? messageView(title, renderResult(result)) : buildCheckingView(title),
    });
  });
}

function toKeyProblem(reason: string): Problem {
  const explained = toProblem(new RackhandError('key_rejected', reason), { isChanging: false });
  return { ...explained, advice: 'Enter another key.', nextSteps: [connectKeyStep] };
}
