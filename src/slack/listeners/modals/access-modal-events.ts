import type { App, types, ViewOutput, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import { rightArgument } from '../../../auth/grants/grant-arguments.ts';
import { everyone, toGranteeKind } from '../../../auth/grants/grantee.ts';
import { validateGrant } from '../../../auth/grants/validate-grant.ts';
import type { MemberDirectory } from '../../../auth/member-directory.ts';
import { splitList } from '../../../auth/vps-pattern.ts';
import type { Actor } from '../../../operations/define/access/actor.ts';
import { parseInput } from '../../../operations/define/arguments/input.ts';
import type { RawInput } from '../../../operations/define/arguments/raw-input.ts';
import type { Catalogue, Operation } from '../../../operations/define/operation.ts';
import type { Runner } from '../../../runs/runner.ts';
import { withTimeout } from '../../../with-timeout.ts';
import { actionIds } from '../../blocks/elements/action-ids.ts';
import { limits } from '../../blocks/elements/limits.ts';
import { plainText } from '../../blocks/elements/text.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import { loadingView, updateView } from '../../messages/view-reply.ts';
import { accessActionIds, accessCallbackIds, accessFields } from '../../modals/access/access-ids.ts';
import type { LoadAccessView } from '../../modals/access/access-view-loader.ts';
import { buildGrantView, buildLimitView } from '../../modals/access/access-views.ts';
import { openModal, triggerExpiredMessage } from '../../modals/open-modal.ts';
import { createInvocation } from '../invocation/create-invocation.ts';
import type { InvocationQueue } from '../invocation/invocation-queue.ts';
import { type Click, createOnClick } from '../invocation/on-click.ts';

interface AccessDependencies {
  readonly runner: Runner;
  readonly catalogue: Catalogue;
  readonly clients: SlackClients;
  readonly invocationQueue: InvocationQueue;
  readonly loadAccessView: LoadAccessView;
  readonly directory: MemberDirectory;
  readonly ignoreClicksMs: number;
}

/** Time limit for lookups before an ack. Slack allows 3 s in all. */
const checkTimeoutMs = 2_000;

const title = 'Access';

/**
 * Handles the modals for rights. Each change in them runs an operation that people can also type.
 */
export function listenToAccessModals(app: App, dependencies: AccessDependencies): void {
  const { runner, catalogue, clients, invocationQueue, loadAccessView, directory } = dependencies;
  const onClick = createOnClick(app, dependencies);

  /**
   * Runs an operation and shows the updated overview. The run has no channel, because only its user
   * sees a modal.
   */
  async function run(name: string, raw: RawInput, invocation: Invocation, viewId: string): Promise<void> {
    const operation = catalogue.find(name);
    if (!operation) return;
    const parsed = parseInput(operation, raw);
    const { requestKey, actor } = invocation;
    const answer = await runner.request({ requestKey, operation, parsed, actor, origin: {} });
    await runner.deliver(answer, async () => {
      if (answer.kind === 'problem') await invocation.reply.sendToActor(renderProblem(answer.problem));
      if (answer.kind === 'outcome') {
        const { title } = answer.outcome;
        const view = await loadAccessView(actor.teamId, `✅ ${title}`);
        const isShown = await updateView(clients, actor, viewId, view);
        if (!isShown) await invocation.reply.sendToActor(renderNotice(title));
      }
    });
  }

  function onButton(actionId: string, work: (click: Click, viewId: string) => Promise<void>) {
    onClick(actionId, async (click) => {
      if (click.clickedView) await work(click, click.clickedView.id);
    });
  }

  onButton(accessActionIds.revoke, (click, viewId) =>
    run('access revoke', z.record(z.string(), z.string()).parse(JSON.parse(click.value)), click, viewId),
  );

  onButton(accessActionIds.removeLimit, (click, viewId) =>
    run('access channel', { channel: click.value, right: 'admin' }, click, viewId),
  );

  const emptyDraft = { people: [], isForEveryone: false, right: undefined, vps: '' };
  const openView = (view: types.ModalView) => async (invocation: Invocation) => {
    const operation = catalogue.find('access grant');
    const problem = operation && (await runner.findDenial(invocation, operation, parseInput(operation, {})));
    if (problem) return invocation.reply.sendToActor(renderProblem(problem));
    if (!(await openModal(clients, invocation, view)))
      await invocation.reply.sendToActor(renderNotice(triggerExpiredMessage));
  };
  onButton(accessActionIds.openGrant, openView(buildGrantView(emptyDraft)));
  onButton(accessActionIds.openLimit, openView(buildLimitView()));

  /**
   * Runs a lookup before an ack, if the person is allowed to run the operation. Returns `fallback`
   * if the lookup takes too long, because the run checks the input anyway.
   */
  async function lookUpInTime<T>(
    actor: Actor,
    operation: Operation,
    lookUp: () => Promise<T>,
    fallback: T,
  ): Promise<T> {
    const checkAndLookUp = async () =>
      (await runner.findDenial({ actor, origin: {} }, operation, parseInput(operation, {})))
        ? fallback
        : lookUp();
    return withTimeout(checkAndLookUp(), checkTimeoutMs).catch(() => fallback);
  }

  function onForm(
    callbackId: string,
    name: string,
    read: (values: Parameters<typeof parseGrantForm>[0]) => RawInput,
    check?: (raw: RawInput, actor: Actor) => Promise<Record<string, string>>,
  ) {
    app.view<ViewSubmitAction>(callbackId, async ({ ack, body, view, context }) => {
      const { teamId } = context;
      const operation = catalogue.find(name);
      if (teamId === undefined || !operation) return ack();
      const raw = read(view.state.values);
      const parsed = parseInput(operation, raw);
      const actor = { teamId, userId: body.user.id };
      if (parsed.kind === 'invalid')
        return ack({ response_action: 'errors', errors: toGrantErrors(parsed.problems) });
      const errors = check ? await lookUpInTime(actor, operation, () => check(raw, actor), {}) : {};
      if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
      // A form that was opened from the overview closes. A form that was opened directly is
      // replaced by the overview.
      const parentViewId = view.previous_view_id;
      await (parentViewId ? ack() : ack({ response_action: 'update', view: loadingView(title) }));
      const viewId = parentViewId ?? view.id;
      const invocation = createInvocation(clients, {
        actor,
        origin: {},
        requestKey: `access:${view.id}:${view.hash}`,
        view: { id: viewId, title },
      });
      invocationQueue.enqueueOnce(invocation, (received) => run(name, raw, received, viewId));
    });
  }

  onForm(accessCallbackIds.grant, 'access grant', parseGrantForm, async (raw, actor) => {
    const { who, right, vps } = raw;
    const grant = {
      grantees: splitList(String(who)),
      right: rightArgument().schema.parse(right),
      patterns: typeof vps === 'string' ? splitList(vps) : ['*'],
    };
    const problems = toGrantErrors(await validateGrant(actor.teamId, grant, directory));
    if (Object.keys(problems).length > 0) return problems;
    const nameProblem = await findNameProblem(raw, actor);
    return nameProblem === undefined ? {} : { [accessFields.vps]: nameProblem };
  });

  async function findNameProblem(raw: RawInput, actor: Actor): Promise<string | undefined> {
    const operation = catalogue.find('access grant');
    const parsed = operation && parseInput(operation, raw);
    if (!operation || parsed?.kind !== 'valid') return undefined;
    return runner.formQueries.findNameProblem({ actor, origin: {} }, operation, parsed);
  }

  onForm(accessCallbackIds.limit, 'access channel', parseLimitForm);

  app.options(accessActionIds.groups, async ({ ack, options, body, context: { teamId } }) => {
    const operation = catalogue.find('access grant');
    if (teamId === undefined || !operation) return ack({ options: [] });
    const actor = { teamId, userId: body.user.id };
    const groups = await lookUpInTime(actor, operation, () => directory.listUserGroups(teamId), {
      kind: 'unknown',
    });
    const query = options.value.trim().toLowerCase().replace(/^@/, '');
    const found =
      groups.kind === 'unknown'
        ? []
        : groups.value.filter(({ handle, name }) => `${handle} ${name}`.toLowerCase().includes(query));
    await ack({
      options: found.slice(0, limits.options).map(({ id, handle, name }) => ({
        text: plainText(`@${handle}`, limits.optionChars),
        ...(name && { description: plainText(name, limits.optionChars) }),
        value: id,
      })),
    });
  });
}

type Values = ViewOutput['state']['values'];

/** Converts the values of the grant form to the input of its operation. */
function parseGrantForm(values: Values): RawInput {
  const people = values[accessFields.people]?.[actionIds.value]?.selected_users ?? [];
  const groups = values[accessFields.groups]?.[accessActionIds.groups]?.selected_options ?? [];
  const isForEveryone = (values[accessFields.everyone]?.[actionIds.value]?.selected_options ?? []).length > 0;
  const who = [...people, ...groups.map(({ value }) => value), ...(isForEveryone ? [everyone] : [])];
  const vps = values[accessFields.vps]?.[actionIds.value]?.value ?? '';
  return {
    ...(who.length > 0 && { who: who.join(' ') }),
    right: parseRight(values),
    ...(vps.trim() !== '' && { vps }),
  };
}

/** Converts the values of the channel limit form to the input of its operation. */
function parseLimitForm(values: Values): RawInput {
  const channel = values[accessFields.channel]?.[actionIds.value]?.selected_conversation;
  return { ...(channel && { channel }), right: parseRight(values) };
}

function parseRight(values: Values): string {
  return values[accessFields.right]?.[actionIds.value]?.selected_option?.value ?? '';
}

interface GrantProblem {
  readonly path: string;
  readonly grantee?: string;
  readonly message: string;
}

/** Returns errors by block ID, as Slack needs them. Each field gets its first problem. */
function toGrantErrors(problems: readonly GrantProblem[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, grantee, message } of problems) {
    // If a field has several values, the path consists of the field's name and an index.
    const [name = ''] = path.split('.');
    const field = name === 'who' ? toGranteeField(grantee) : name;
    errors[field] ??= `${message}.`;
  }
  return errors;
}

function toGranteeField(grantee: string | undefined): string {
  return grantee !== undefined && toGranteeKind(grantee) === 'group'
    ? accessFields.groups
    : accessFields.people;
}
