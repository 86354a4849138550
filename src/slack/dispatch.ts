import { RackhandError } from '../error.ts';
import type { Catalogue } from '../operations/catalogue.ts';
import { type Parsed, parseCommand } from '../operations/grammar.ts';
import { inputOf, parseInput, targetOf } from '../operations/input.ts';
import { asksFirst, isForChannel, type Operation } from '../operations/operation.ts';
import type { Chart, NextStep, RawInput, ToldOutcome } from '../operations/outcome.ts';
import type { Answer } from '../operations/runs/answer.ts';
import { explain, type Problem } from '../operations/runs/problem.ts';
import type { RunStore } from '../operations/runs/run-store.ts';
import type { Runner } from '../operations/runs/runner.ts';
import type { StepValue } from './actions.ts';
import type { Asking } from './asking.ts';
import type { SlackClients } from './clients.ts';
import type { Dialogs } from './dialogs.ts';
import type { Forms } from './form/forms.ts';
import type { Pictures } from './pictures.ts';
import { renderConfirmation } from './render/confirmation.ts';
import { renderOutcome } from './render/outcome.ts';
import { renderProblem } from './render/problem.ts';
import { createViewReply, loadingView } from './view-reply.ts';
import { createWaiting, tellQueued } from './waiting.ts';
import type { WithNames } from './with-names.ts';

/** Brings what a person asks to the runner, and what it answers to the person. */
export interface Dispatch {
  /** Takes typed text, decoded, without the command itself. */
  typed(text: string, asking: Asking): Promise<void>;
  /** Runs an operation with what was given, or opens its form where something is missing, or the dialog that it has of its own. */
  run(operation: Operation, raw: RawInput, asking: Asking, isPublic?: boolean): Promise<void>;
  /** The button of a next step was pressed. */
  step(step: StepValue, asking: Asking): Promise<void>;
  /** The button of a confirmation was pressed; `typed` was typed, where that is wanted. */
  confirm(token: string, asking: Asking, typed?: string): Promise<void>;
}

type Misread = Extract<Parsed, { kind: 'malformed' }>;

interface DispatchParts {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly runs: Pick<RunStore, 'record'>;
  readonly forms: Forms;
  readonly dialogs: Dialogs;
  readonly pictures: Pictures;
  readonly clients: SlackClients;
  readonly withNames: WithNames;
}

/** Creates the dispatch of everything that is asked in Slack. */
export function createDispatch({
  catalogue,
  runner,
  runs,
  forms,
  dialogs,
  pictures,
  clients,
  withNames,
}: DispatchParts): Dispatch {
  /** Opens the form, but not for who may not run the operation anyway. */
  async function openForm(
    operation: Operation,
    raw: RawInput,
    asking: Asking,
    isPublic: boolean,
  ): Promise<void> {
    const { asker, origin } = asking;
    const problem = await runner.refusalOf(asking, operation, raw);
    if (!problem) {
      if (await forms.open(operation, raw, asking, isPublic)) return;
      // There is nothing like what was named: the request says so.
      return request(operation, raw, asking, isPublic);
    }
    const target = targetOf(operation, parseInput(operation, raw));
    const what = { operation: operation.name, input: raw, target };
    const refused = { asker, origin, ...what, status: 'refused' as const };
    await runs.record({ ...refused, outcome: problem, nowMs: Date.now() });
    const { reply } = await inView(asking, operation);
    await reply.tell(renderProblem(problem));
  }

  const refuse = (message: string, asking: Asking, steps: readonly NextStep[] = []) =>
    asking.reply.tell(renderProblem({ ...misunderstood(message), steps }));

  /** A picture is posted: files that are shared with nobody cannot be relied on in what only one person sees. */
  async function tellChart(
    outcome: ToldOutcome,
    chart: Chart,
    asking: Asking,
    isPublic: boolean,
  ): Promise<void> {
    const pictureId = await pictures.upload(chart, asking.asker.teamId);
    const lost =
      pictureId === undefined ? ['The picture could not be brought to Slack; these are its words.'] : [];
    const told = { ...outcome, notes: [...(outcome.notes ?? []), ...lost] };
    const message = renderOutcome(told, { isUnpaged: true, ...(pictureId && { pictureId }) });
    await asking.reply.post(message, isPublic ? 'channel' : 'asker');
  }

  async function tell(answer: Answer, asking: Asking, isPublic: boolean): Promise<void> {
    const { reply } = asking;
    switch (answer.kind) {
      case 'outcome':
        if (answer.outcome.chart) return tellChart(answer.outcome, answer.outcome.chart, asking, isPublic);
        return isPublic
          ? reply.tellAll(renderOutcome(await withNames(answer.outcome, asking.asker.teamId), {}))
          : reply.tell(renderOutcome(answer.outcome, { runId: answer.runId }));
      case 'confirmation':
        return reply.tell(renderConfirmation(answer.confirmation));
      case 'problem':
        return reply.tell(renderProblem(answer.problem));
      case 'started':
        return asking.view && reply.remove();
      default:
        return undefined;
    }
  }

  /** Opens the view in which the answer will be, where it was asked in none: a trigger is good for 3 s. */
  async function inView(asking: Asking, operation: Operation): Promise<Asking> {
    const { asker, triggerId, view } = asking;
    if (!view || view.id !== undefined || triggerId === undefined) return asking;
    const title = operation.heading;
    const client = await clients(asker.teamId);
    const opened = await client.views.open({ trigger_id: triggerId, view: loadingView(title) });
    const viewId = opened.view?.id;
    if (viewId === undefined) return asking;
    return { ...asking, view: { id: viewId }, reply: createViewReply(clients, { asker, viewId, title }) };
  }

  async function request(
    operation: Operation,
    raw: RawInput,
    asking: Asking,
    isPublic: boolean,
  ): Promise<void> {
    const placed = await inView(asking, operation);
    const { requestKey, asker, origin } = placed;
    const waiting = createWaiting(placed.reply, isPublic ? 'channel' : 'asker');
    const { onQueued, onProgress } = waiting;
    const asked = { requestKey, operation, raw, asker, origin, onQueued, onProgress };
    const answer = await runner.request(asked);
    await waiting.over();
    await tell(withSteps(answer, operation, raw, isPublic), placed, isPublic);
    await runner.told(answer);
  }

  async function misread(parsed: Misread, asking: Asking): Promise<void> {
    const { message, operation, raw = {} } = parsed;
    if (!operation) return refuse(message, asking, [helpStep()]);
    const dialog = dialogs.get(operation.name);
    // What all belongs into a dialog may be a secret that was typed: it is not repeated.
    if (dialog && !hasForm(operation)) {
      const isOpen = await dialog(asking, { raw: {}, isComplete: true });
      return isOpen ? undefined : refuse(notHere, asking, [formStep(operation)]);
    }
    return refuse(message, asking, [...formSteps(operation, raw), helpStep(operation)]);
  }

  const dispatch: Dispatch = {
    async typed(text, asking) {
      const parsed = parseCommand(text, catalogue);
      if (parsed.kind === 'run') return dispatch.run(parsed.operation, parsed.raw, asking, parsed.isPublic);
      if (parsed.kind === 'malformed') return misread(parsed, asking);
      const { suggestion } = parsed;
      const what = `There is no operation called "${parsed.typed}".`;
      if (!suggestion) return refuse(what, asking, [helpStep()]);
      const meant = parseCommand(suggestion.text, catalogue);
      const step =
        meant.kind === 'run'
          ? [
              {
                label: `Use ${suggestion.name}`,
                operation: suggestion.name,
                input: meant.raw,
                isPublic: meant.isPublic,
                // A guess must not change anything by one click.
                opensForm: runsAtOnce(meant.operation, meant.raw),
              },
            ]
          : [];
      return refuse(`${what} Did you mean "${suggestion.name}"?`, asking, [...step, helpStep()]);
    },

    async run(operation, raw, asking, isPublic = isForChannel(operation)) {
      const parsed = parseInput(operation, raw);
      const isFormWanted = parsed.ok ? wantsForm(operation, parsed.input) : parsed.missing || asking.isClick;
      if (await dialogs.get(operation.name)?.(asking, { raw, isComplete: !isFormWanted })) return;
      if (isFormWanted) return openForm(operation, raw, asking, isPublic);
      return request(operation, raw, asking, isPublic);
    },

    async step({ operation: name, input, opensForm, isPublic, requestKey }, asking) {
      const operation = catalogue.find(name);
      if (!operation) return;
      if (opensForm && !dialogs.has(name))
        return openForm(operation, input, asking, isPublic ?? isForChannel(operation));
      // To look twice is two looks, and a card asks anew; what runs at once is a double click.
      if (!runsAtOnce(operation, input)) return dispatch.run(operation, input, asking, isPublic);
      const { userId } = asking.asker;
      await dispatch.run(
        operation,
        input,
        { ...asking, requestKey: `step:${requestKey}:${userId}` },
        isPublic,
      );
    },

    async confirm(token, asking, typed) {
      const { reply, asker } = asking;
      // The card gives way at once: it must not look as if nothing had been pressed.
      const given = { onQueued: tellQueued(reply.replace), ...(typed !== undefined && { typed }) };
      const answer = await runner.confirm(token, asker, given);
      if (answer.kind === 'confirmation') await reply.replace(renderConfirmation(answer.confirmation));
      if (answer.kind === 'problem') await reply.replace(renderProblem(answer.problem));
      if (answer.kind === 'started') await reply.remove();
      await runner.told(answer);
    },
  };
  return dispatch;
}

const notHere =
  'This takes no words: its form asks for what it needs. What you typed was not read; if it was a key, delete your message where others see it, and revoke the key.';

function helpStep(operation?: Operation): NextStep {
  return { label: 'Help', operation: 'help', input: operation ? { topic: operation.name } : {} };
}

function formStep({ name }: Operation, input: RawInput = {}): NextStep {
  return { label: 'Open Form', operation: name, input, opensForm: true };
}

/** Tells whether one click is enough for something to change. */
function runsAtOnce(operation: Operation, raw: RawInput): boolean {
  return operation.kind === 'change' && !asksFirst(operation, inputOf(operation, raw));
}

/** Tells whether an input that lacks nothing asks for the form all the same. */
function wantsForm(operation: Operation, input: Readonly<Record<string, unknown>>): boolean {
  return operation.kind === 'own' && operation.form?.isWanted?.(input) === true;
}

/** What asks for nothing has no form. */
function hasForm(operation: Operation): boolean {
  return Object.keys(operation.arguments).length > 0;
}

function formSteps(operation: Operation, input: RawInput): readonly NextStep[] {
  return hasForm(operation) ? [formStep(operation, input)] : [];
}

/** Offers the form, filled with what was given, where the input was wrong, so that nothing is lost. */
function withSteps(answer: Answer, operation: Operation, raw: RawInput, isPublic: boolean): Answer {
  if (answer.kind !== 'problem' || answer.problem.code !== 'input_invalid') return answer;
  const steps = [...(answer.problem.steps ?? []), ...formSteps(operation, raw), helpStep(operation)];
  return {
    ...answer,
    problem: { ...answer.problem, steps: steps.map((step) => ({ ...step, isPublic })) },
  };
}

function misunderstood(message: string): Problem {
  return explain(new RackhandError('input_invalid', message), { changing: false });
}
