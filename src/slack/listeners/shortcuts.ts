import type { App, GlobalShortcut, MessageShortcut, types, ViewSubmitAction } from '@slack/bolt';
import { vpsChoices } from '../../operations/choices/sources/vps.ts';
import { type CheckAccess, canViewVps } from '../../operations/define/access/access.ts';
import type { Actor, Origin } from '../../operations/define/access/actor.ts';
import { canRunOnAny } from '../../operations/define/access/required-access.ts';
import { type Choice, maxChoicesAgeMs } from '../../operations/define/arguments/choice-source.ts';
import { parseInput } from '../../operations/define/arguments/input.ts';
import type { RawInput } from '../../operations/define/arguments/raw-input.ts';
import type { Read } from '../../operations/define/read.ts';
import { withTimeout } from '../../with-timeout.ts';
import { renderNotice } from '../blocks/notice.ts';
import { renderProblem } from '../blocks/problem.ts';
import { createInvocation, originSchema, toOrigin } from '../invocation.ts';
import { createReply } from '../messages/reply.ts';
import { loadingView, messageView } from '../messages/view-reply.ts';
import { readField } from '../modals/modal.ts';
import { openModal, triggerExpiredMessage } from '../modals/open-modal.ts';
import { listNamedVps } from '../modals/shortcuts/find-vps-names.ts';
import {
  buildChooserView,
  chooserCallbackId,
  chooserFields,
  chooserTitle,
  findVpsArgument,
} from '../modals/shortcuts/operation-chooser.ts';
import type { ListenerDependencies } from './listener-dependencies.ts';

/** Time limit for checking access before the ack. Slack allows 3 s in total. */
const checkTimeoutMs = 2_000;

/** Time limit for loading the list of VPS, because the modal has to open within 3 s. */
const listTimeoutMs = 700;

/** Handles the global shortcut and the message shortcut. The message shortcut offers the VPS named in the message. */
export function listenToShortcuts(app: App, dependencies: ListenerDependencies): void {
  const {
    catalogue,
    clients,
    invocationQueue,
    dispatch,
    forms,
    runner,
    memberGuard,
    access,
    hosting,
    listVpsAliases,
  } = dependencies;

  async function open(
    { trigger_id, user }: { readonly trigger_id: string; readonly user: { readonly id: string } },
    teamId: string | undefined,
    origin: Origin,
    message?: { readonly text?: string | undefined },
  ) {
    if (teamId === undefined) return;
    const actor = { teamId, userId: user.id };
    const view = await buildView(actor, origin, message);
    const { isOpen } = await openModal(clients, { actor, triggerId: trigger_id }, view);
    if (!isOpen)
      await createReply(clients, { actor, origin }).sendToActor(renderNotice(triggerExpiredMessage));
  }

  /** Builds the modal with the operations that the actor is allowed to run, or with the reason why there are none. */
  async function buildView(
    actor: Actor,
    origin: Origin,
    message: { readonly text?: string | undefined } | undefined,
  ): Promise<types.ModalView> {
    const problem = await memberGuard(actor);
    if (problem) return messageView(chooserTitle, renderProblem(problem));
    const checkAccess = await access(actor, origin);
    const groups = catalogue.groups.map(({ heading, operations }) => ({
      heading,
      operations: operations.filter((operation) => canRunOnAny(checkAccess, operation)),
    }));
    const vpsNames = message && listNamedVps(message, await listViewableVps(actor, checkAccess));
    return buildChooserView(groups, origin, vpsNames);
  }

  /** Returns the VPS that a person can view. Returns none if the list can't be loaded in time. */
  async function listViewableVps(
    { teamId, userId }: Actor,
    checkAccess: CheckAccess,
  ): Promise<readonly Choice[]> {
    const read: Read = (endpoint, input, options) =>
      hosting(teamId).call(endpoint, input, { lane: 'people', caller: userId, ...options });
    const workspace = { teamId, listVpsAliases: () => listVpsAliases(teamId) };
    const list = await withTimeout(
      vpsChoices.load(read, {}, maxChoicesAgeMs, workspace),
      listTimeoutMs,
    ).catch(() => undefined);
    return (list?.choices ?? []).filter(({ value }) => canViewVps(checkAccess, value));
  }

  app.shortcut<GlobalShortcut>('run-operation', async ({ ack, shortcut, context }) => {
    await ack();
    await open(shortcut, context.teamId, {});
  });

  app.shortcut<MessageShortcut>('use-vps', async ({ ack, shortcut, context }) => {
    await ack();
    const { message, channel, response_url: responseUrl } = shortcut;
    const threadTs: unknown = message.thread_ts;
    const origin = {
      channel: channel.id,
      responseUrl,
      ...(typeof threadTs === 'string' && { threadTs }),
    };
    await open(shortcut, context.teamId, origin, message);
  });

  app.view<ViewSubmitAction>(chooserCallbackId, async ({ ack, body, view, context }) => {
    const chosen = (field: string) => readField(view, field)?.selected_option?.value;
    const operation = catalogue.find(chosen(chooserFields.operation) ?? '');
    const { teamId } = context;
    if (!operation || teamId === undefined) return ack();
    const origin = toOrigin(originSchema.parse(JSON.parse(view.private_metadata)));
    const vps = chosen(chooserFields.vps);
    const argument = findVpsArgument(operation);
    const raw: RawInput = vps !== undefined && argument !== undefined ? { [argument]: vps } : {};
    const title = operation.heading;
    const isInView = origin.channel === undefined;
    const invocation = createInvocation(clients, {
      actor: { teamId, userId: body.user.id },
      origin,
      requestKey: `shortcut:${view.id}`,
      isClick: true,
      view: isInView ? { id: view.id, title } : undefined,
    });
    // People without access don't get a form. The run reports the denial and logs it.
    const parsed = parseInput(operation, raw);
    const isRefused = await withTimeout(
      runner.findDenial(invocation, operation, parsed),
      checkTimeoutMs,
    ).catch(() => true);
    if (!isRefused && parsed.kind === 'invalid') {
      const form = await forms.build(operation, raw, invocation).catch(() => undefined);
      if (form) return ack({ response_action: 'update', view: form });
    }
    await (isInView ? ack({ response_action: 'update', view: loadingView(title) }) : ack());
    invocationQueue.enqueueOnce(invocation, (received) => dispatch.run(operation, parsed, received));
  });
}
