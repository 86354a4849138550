import type { App, types, ViewSubmitAction } from '@slack/bolt';
import { z } from 'zod';
import type { Catalogue } from '../../operations/catalogue.ts';
import { parseInput } from '../../operations/input.ts';
import type { Operation } from '../../operations/operation.ts';
import type { RawInput } from '../../operations/outcome.ts';
import type { Asker } from '../../operations/runs/run.ts';
import type { Runner } from '../../operations/runs/runner.ts';
import { unlessLate } from '../../operations/runs/unless-late.ts';
import { rightArgument } from '../../workspaces/rights/arguments.ts';
import type { Directory } from '../../workspaces/rights/directory.ts';
import { checkGrant } from '../../workspaces/rights/grant-check.ts';
import { wordsOf } from '../../workspaces/rights/patterns.ts';
import type { RightsStore } from '../../workspaces/rights/rights-store.ts';
import type { Answering } from '../answering.ts';
import type { Asking } from '../asking.ts';
import { createOnClick } from '../clicks.ts';
import type { SlackClients } from '../clients.ts';
import { openView } from '../form/open-view.ts';
import { limits } from '../render/limits.ts';
import { renderNotice } from '../render/notice.ts';
import { renderProblem } from '../render/problem.ts';
import { plain } from '../render/text.ts';
import { createViewReply, loadingView, showInView } from '../view-reply.ts';
import { accessActions, accessCallbackIds } from './ids.ts';
import { grantErrors, readGrant, readLimit } from './read-form.ts';
import { accessView, grantView, limitView } from './views.ts';

interface AccessParts {
  readonly runner: Runner;
  readonly catalogue: Catalogue;
  readonly clients: SlackClients;
  readonly answering: Answering;
  readonly rights: {
    readonly store: RightsStore;
    readonly directory: Directory;
  };
}

/** How long it may take to look people up before an ack: Slack gives three seconds in all. */
const checkWithinMs = 2_000;

const title = 'Access';

/** Listens to the views in which rights are shown and changed. What is done in them runs as the operations that can be typed. */
export function listenToAccess(app: App, parts: AccessParts): void {
  const { runner, catalogue, clients, answering, rights } = parts;
  const onClick = createOnClick(app, parts);

  /** Runs an operation, and shows in a view who may do what then. A view is its reader's alone, wherever it was opened. */
  async function run(name: string, raw: RawInput, asking: Asking, viewId: string): Promise<void> {
    const operation = catalogue.find(name);
    if (!operation) return;
    const { requestKey, asker } = asking;
    const answer = await runner.request({ requestKey, operation, raw, asker, origin: {} });
    if (answer.kind === 'problem') await asking.reply.tell(renderProblem(answer.problem));
    if (answer.kind === 'outcome') {
      const { title } = answer.outcome;
      const isShown = await showInView(clients, asker, viewId, await overview(asker, `✅ ${title}`));
      if (!isShown) await asking.reply.tell(renderNotice(title));
    }
    await runner.told(answer);
  }

  async function overview({ teamId }: Asker, news: string): Promise<types.ModalView> {
    const [grants, channels] = await Promise.all([rights.store.grants(teamId), rights.store.limits(teamId)]);
    return accessView({ grants, limits: channels }, news);
  }

  function onButton(
    actionId: string,
    work: (value: string, asking: Asking, viewId: string) => Promise<void>,
  ) {
    onClick(actionId, async (value, asking, { view }) => {
      if (view) await work(value, asking, view.id);
    });
  }

  onButton(accessActions.revoke, (value, asking, viewId) =>
    run('access revoke', z.record(z.string(), z.string()).parse(JSON.parse(value)), asking, viewId),
  );

  onButton(accessActions.lift, (channel, asking, viewId) =>
    run('access channel', { channel, right: 'administer' }, asking, viewId),
  );

  const nothing = { people: [], isForEveryone: false, right: undefined, vps: '' };
  const opening = (view: types.ModalView) => async (_: string, asking: Asking) => {
    const operation = catalogue.find('access grant');
    const problem = operation && (await runner.refusalOf(asking, operation, {}));
    if (problem) return asking.reply.tell(renderProblem(problem));
    if (!(await openView(clients, asking, view))) await asking.reply.tell(renderNotice(pressAgain));
  };
  onButton(accessActions.openGrant, opening(grantView(nothing)));
  onButton(accessActions.openLimit, opening(limitView()));

  /**
   * Looks something up before an ack, for who may run the operation: nobody else learns who is who. Gives `otherwise` where that takes too long; what is
   * sent is checked again as it is run.
   */
  async function inTime<T>(
    asker: Asker,
    operation: Operation,
    lookUp: () => Promise<T>,
    otherwise: T,
  ): Promise<T> {
    const looking = async () =>
      (await runner.refusalOf({ asker, origin: {} }, operation, {})) ? otherwise : lookUp();
    return unlessLate(looking(), checkWithinMs).catch(() => otherwise);
  }

  function onForm(
    callbackId: string,
    name: string,
    read: (values: Parameters<typeof readGrant>[0]) => RawInput,
    check?: (raw: RawInput, teamId: string) => Promise<Record<string, string>>,
  ) {
    app.view<ViewSubmitAction>(callbackId, async ({ ack, body, view, context }) => {
      const { teamId } = context;
      const operation = catalogue.find(name);
      if (teamId === undefined || !operation) return ack();
      const raw = read(view.state.values);
      const parsed = parseInput(operation, raw);
      const asker = { teamId, userId: body.user.id };
      if (!parsed.ok) return ack({ response_action: 'errors', errors: grantErrors(parsed.problems) });
      const errors = check ? await inTime(asker, operation, () => check(raw, teamId), {}) : {};
      if (Object.keys(errors).length > 0) return ack({ response_action: 'errors', errors });
      // Opened from the overview it gives way to it; opened by itself it becomes it.
      const below = view.previous_view_id;
      await (below ? ack() : ack({ response_action: 'update', view: loadingView(title) }));
      const viewId = below ?? view.id;
      answering.later(
        `access:${view.id}:${view.hash}`,
        () => ({
          asker,
          origin: {},
          requestKey: `access:${view.id}:${view.hash}`,
          isClick: false,
          view: { id: viewId },
          reply: createViewReply(clients, { asker, viewId, title }),
        }),
        (asking) => run(name, raw, asking, viewId),
      );
    });
  }

  onForm(accessCallbackIds.grant, 'access grant', readGrant, async ({ who, right, vps }, teamId) => {
    const wanted = {
      grantees: wordsOf(String(who)),
      right: rightArgument().schema.parse(right),
      patterns: typeof vps === 'string' ? wordsOf(vps) : ['*'],
    };
    return grantErrors(await checkGrant(teamId, wanted, rights.directory));
  });

  onForm(accessCallbackIds.limit, 'access channel', readLimit);

  app.options(accessActions.groups, async ({ ack, options, body, context: { teamId } }) => {
    const operation = catalogue.find('access grant');
    if (teamId === undefined || !operation) return ack({ options: [] });
    const asker = { teamId, userId: body.user.id };
    const groups = await inTime(asker, operation, () => rights.directory.groupsOf(teamId), 'unknown');
    const wanted = options.value.trim().toLowerCase().replace(/^@/, '');
    const found =
      groups === 'unknown'
        ? []
        : groups.filter(({ handle, name }) => `${handle} ${name}`.toLowerCase().includes(wanted));
    await ack({
      options: found.slice(0, limits.options).map(({ id, handle, name }) => ({
        text: plain(`@${handle}`, limits.optionChars),
        ...(name && { description: plain(name, limits.optionChars) }),
        value: id,
      })),
    });
  });
}

const pressAgain = 'Slack let too much time pass. Nothing was changed: press the button again.';
