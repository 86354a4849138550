import { RackhandError } from '../../../errors.ts';
import { type ParsedInput, parseInput, resolveTarget } from '../../../operations/define/arguments/input.ts';
import { hasForm, isPublicByDefault } from '../../../operations/define/inspect-operation.ts';
import type { Catalogue, Operation } from '../../../operations/define/operation.ts';
import type { NextStep } from '../../../operations/define/outcome.ts';
import {
  type CommandOptions,
  type ParsedCommand,
  parseCommand,
} from '../../../operations/grammar/parse-command.ts';
import type { ConfirmationClick } from '../../../runs/pipeline/run-context.ts';
import { type Problem, toProblem } from '../../../runs/problem.ts';
import type { Runner } from '../../../runs/runner.ts';
import type { RunStore } from '../../../runs/store/run-store.ts';
import { renderConfirmation } from '../../blocks/confirmation.ts';
import type { StepValue } from '../../blocks/elements/buttons.ts';
import type { Message } from '../../blocks/message.ts';
import { renderNotice } from '../../blocks/notice.ts';
import { renderProblem } from '../../blocks/problem.ts';
import type { SlackClients } from '../../client/slack-clients.ts';
import type { Invocation } from '../../invocation.ts';
import {
  createProgressMessage,
  createQueuedNotice,
  notifyIfSlow,
  untilNoticeMs,
} from '../../messages/progress-message.ts';
import { createViewReply, loadingView } from '../../messages/view-reply.ts';
import type { ModalOpeners } from '../../modals/api-key/api-key-views.ts';
import type { Forms } from '../../modals/form/forms.ts';
import { openModal } from '../../modals/open-modal.ts';
import {
  describeRequest,
  formatWorking,
  formStep,
  formSteps,
  hasUndoEnded,
  helpStep,
  type RequestOptions,
  runsWithoutConfirmation,
  shouldOpenForm,
  toRequestOptions,
  toSuggestedStep,
  undoEndedMessage,
  withNextSteps,
} from './form-steps.ts';
import type { Click } from './on-click.ts';
import type { SendRunReply } from './run-reply-sender.ts';

/** Passes requests from Slack to the runner, and the runner's replies to the person. */
export interface Dispatch {
  /** Runs a typed command. `text` is decoded and doesn't include the slash command's name. */
  runTyped(text: string, invocation: Invocation, options?: CommandOptions): Promise<void>;
  /** Runs an operation. If input is missing, opens its form or its own modal. */
  run(
    operation: Operation,
    parsed: ParsedInput,
    invocation: Invocation,
    isPublic?: boolean,
    options?: RequestOptions,
  ): Promise<void>;
  runStep(step: StepValue, invocation: Invocation): Promise<void>;
  /**
   * Handles a click on a confirmation's button, whose value is the card's token. `typed` is what the
   * person typed to confirm, if that is required.
   */
  confirm(
    click: Invocation & Pick<Click, 'value'>,
    choices?: Pick<ConfirmationClick, 'typed' | 'atATime' | 'snapshotFirst' | 'reason'>,
  ): Promise<void>;
}

type MalformedCommand = Extract<ParsedCommand, { kind: 'malformed' }>;

interface DispatchDependencies {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly runs: Pick<RunStore, 'addAuditEntry'>;
  readonly forms: Forms;
  readonly modals: ModalOpeners;
  readonly clients: SlackClients;
  readonly sendRunReply: SendRunReply;
  readonly workingNoticeMs: number;
  readonly now: () => number;
}

export function createDispatch({
  catalogue,
  runner,
  runs,
  forms,
  modals,
  clients,
  sendRunReply,
  workingNoticeMs,
  now,
}: DispatchDependencies): Dispatch {
  /** Opens a form, unless the actor isn't allowed to run the operation. */
  async function openForm(
    operation: Operation,
    parsed: ParsedInput,
    invocation: Invocation,
    isPublic: boolean,
  ): Promise<void> {
    const { actor, origin } = invocation;
    const { raw } = parsed;
    const problem = await runner.findDenial(invocation, operation, parsed);
    if (!problem) {
      if (await forms.open(operation, raw, invocation, isPublic)) return;
      // The input doesn't name anything to prefill the form from. The run reports the problem.
      return request(operation, parsed, invocation, isPublic);
    }
    const target = resolveTarget(operation, parsed);
    const entryParts = { operation: operation.name, input: raw, target };
    const refused = { actor, origin, ...entryParts, status: 'refused' as const };
    await runs.addAuditEntry({ ...refused, problem, nowMs: now() });
    const { reply } = await openReplyView(clients, invocation, operation.heading);
    await reply.sendToActor(renderProblem(problem));
  }

  const refuse = (message: string, invocation: Invocation, nextSteps: readonly NextStep[] = []) =>
    invocation.reply.sendToActor(renderProblem({ ...invalidInputProblem(message), nextSteps }));

  async function request(
    operation: Operation,
    parsed: ParsedInput,
    invocation: Invocation,
    isPublic: boolean,
    options: RequestOptions = {},
  ): Promise<void> {
    const opened = await openReplyView(clients, invocation, operation.heading);
    const { requestKey, actor, origin, receivedMs: requestedMs } = opened;
    const runRequest = { requestKey, operation, parsed, actor, origin, requestedMs, ...options };
    const { onQueued, onProgress, finish } = createProgressMessage(opened.reply, {
      to: isPublic ? 'channel' : 'actor',
      what: describeRequest(operation, parsed.raw),
      working: {
        text: formatWorking(operation, parsed.raw),
        afterMs: untilNoticeMs(opened.receivedMs, workingNoticeMs, now()),
      },
    });
    const reply = await runner.request({ ...runRequest, onQueued, onProgress, onTaken: opened.onTaken });
    await runner.deliver(reply, async () => {
      await finish();
      await sendRunReply(withNextSteps(reply, operation, parsed.raw, isPublic), opened, isPublic);
    });
  }

  async function rejectMalformed(parsed: MalformedCommand, invocation: Invocation): Promise<void> {
    const { message, operation, raw = {}, corrections = [] } = parsed;
    if (!operation) return refuse(message, invocation, [helpStep()]);
    const openOwnModal = modals.get(operation.name);
    // The arguments belong in a modal and can be secret, so the reply doesn't repeat the command's
    // text.
    if (openOwnModal && !hasForm(operation)) {
      const isOpen = await openOwnModal(invocation);
      return isOpen ? undefined : refuse(formOnlyMessage, invocation, [formStep(operation)]);
    }
    if (corrections.length > 0)
      return refuse(message, invocation, [
        ...corrections.map((corrected) => toSuggestedStep(operation, corrected)),
        helpStep(operation),
      ]);
    return refuse(message, invocation, [...formSteps(operation, raw), helpStep(operation)]);
  }

  const dispatch: Dispatch = {
    async runTyped(text, invocation, options) {
      const parsed = parseCommand(text, catalogue, options);
      if (parsed.kind === 'run')
        return dispatch.run(
          parsed.operation,
          parseInput(parsed.operation, parsed.raw),
          invocation,
          parsed.isPublic,
        );
      if (parsed.kind === 'malformed') return rejectMalformed(parsed, invocation);
      const { suggestion } = parsed;
      const message = `There's no command named "${parsed.typed}".`;
      if (!suggestion) return refuse(message, invocation, [helpStep()]);
      const suggested = parseCommand(suggestion.text, catalogue, options);
      const step =
        suggested.kind === 'run'
          ? [
              {
                ...toSuggestedStep(suggested.operation, {
                  label: `Use ${suggestion.name}`,
                  raw: suggested.raw,
                }),
                isPublic: suggested.isPublic,
              },
            ]
          : [];
      return refuse(`${message} Did you mean "${suggestion.name}"?`, invocation, [...step, helpStep()]);
    },

    async run(operation, parsed, invocation, isPublic = isPublicByDefault(operation), options = {}) {
      const needsForm =
        parsed.kind === 'valid'
          ? shouldOpenForm(operation, parsed.input)
          : parsed.isIncomplete || invocation.isClick;
      if (await modals.get(operation.name)?.(invocation)) return;
      if (needsForm) return openForm(operation, parsed, invocation, isPublic);
      return request(operation, parsed, invocation, isPublic, options);
    },

    async runStep(step, clicked) {
      // The reply replaces an answered question, so its button can't be clicked again.
      const { reply } = clicked;
      const invocation = step.isAnswer
        ? { ...clicked, reply: { ...reply, sendToActor: reply.replace } }
        : clicked;
      const { operation: name, input, opensForm, isPublic, undo, requestKey } = step;
      const operation = catalogue.find(name);
      if (!operation) return;
      if (hasUndoEnded(undo, invocation.receivedMs))
        return invocation.reply.sendToActor(renderNotice(undoEndedMessage));
      const parsed = parseInput(operation, input);
      const options = toRequestOptions(step);
      if (opensForm && !modals.has(name))
        return openForm(operation, parsed, invocation, isPublic ?? isPublicByDefault(operation));
      // Only an operation that changes something without a confirmation is deduplicated. A repeated
      // read is a new request, and other changes ask for a confirmation each time.
      const runsAtOnce =
        !options.isUncertain &&
        runsWithoutConfirmation(operation, parsed) &&
        !(await runner.lacksReason(invocation.actor, operation, parsed));
      if (!runsAtOnce) return dispatch.run(operation, parsed, invocation, isPublic, options);
      const { userId } = invocation.actor;
      await dispatch.run(
        operation,
        parsed,
        { ...invocation, requestKey: `step:${requestKey}:${userId}` },
        isPublic,
      );
    },

    async confirm(click, choices) {
      const { value: token, reply, actor, receivedMs: clickedMs } = click;
      let isTaken = false;
      const onTaken = () => {
        isTaken = true;
        click.onTaken?.();
      };
      // Replaces the card and its buttons, so the click has a visible effect.
      const replaceCard = async (notice: Message) => {
        if (isTaken) await reply.replace(notice);
      };
      let queuing: Promise<unknown> | undefined;
      const onQueued = createQueuedNotice((notice) => {
        const sending = replaceCard(notice);
        queuing = sending.catch(() => undefined);
        return sending;
      }, undefined);
      const confirming = runner.confirm({ token, actor, clickedMs, ...choices, onTaken, onQueued });
      const runReply = await notifyIfSlow(confirming, untilNoticeMs(clickedMs, workingNoticeMs, now()), () =>
        replaceCard(renderNotice(checkingNotice)),
      );
      // Otherwise, a late notice could replace the reply.
      await queuing;
      await runner.deliver(runReply, async () => {
        if (runReply.kind === 'confirmation') await reply.replace(renderConfirmation(runReply.confirmation));
        if (runReply.kind === 'problem') await reply.replace(renderProblem(runReply.problem));
        if (runReply.kind === 'started') await reply.remove();
      });
    },
  };
  return dispatch;
}

const checkingNotice = '⏳ Confirmed. Checking the target once more before anything is sent…';

const formOnlyMessage =
  "This command's arguments belong in its form, so what you typed was ignored. If it was a key, revoke it, and delete your message if others can see it.";

function invalidInputProblem(message: string): Problem {
  return toProblem(new RackhandError('input_invalid', message), { isChanging: false });
}

/**
 * Opens a modal for the reply to an App Home request, and returns an invocation that replies in it. Must be
 * called early, because a trigger is valid for only 3 s. Returns other invocations unchanged.
 */
async function openReplyView(
  clients: SlackClients,
  invocation: Invocation,
  title: string,
): Promise<Invocation> {
  const { actor, view } = invocation;
  if (!view || view.id !== undefined) return invocation;
  const { viewId } = await openModal(clients, invocation, loadingView(title));
  if (viewId === undefined) return invocation;
  return { ...invocation, view: { id: viewId }, reply: createViewReply(clients, { actor, viewId, title }) };
}
