import { RackhandError } from '../error.ts';
import type { Catalogue } from '../operations/catalogue.ts';
import { parseCommand } from '../operations/grammar.ts';
import { parseInput } from '../operations/input.ts';
import { needsConfirmation, type Operation } from '../operations/operation.ts';
import type { NextStep, RawInput } from '../operations/outcome.ts';
import type { Answer } from '../operations/runs/answer.ts';
import { explain, type Problem } from '../operations/runs/problem.ts';
import type { Runner } from '../operations/runs/runner.ts';
import type { StepValue } from './actions.ts';
import type { Asking } from './asking.ts';
import type { Forms } from './form/forms.ts';
import { renderConfirmation } from './render/confirmation.ts';
import { renderNotice } from './render/notice.ts';
import { renderOutcome } from './render/outcome.ts';
import { renderProblem } from './render/problem.ts';
import { aboutTime } from './render/run.ts';

/** Shorter waits for the quota are not worth a message. */
const worthTellingMs = 1_500;

/** Brings what a person asks to the runner, and what it answers to the person. */
export interface Dispatch {
  /** Takes typed text, decoded, without the command itself. */
  typed(text: string, asking: Asking): Promise<void>;
  /** Runs an operation with what was given, or opens its form where something is missing. */
  run(operation: Operation, raw: RawInput, asking: Asking, isPublic?: boolean): Promise<void>;
  /** The button of a next step was pressed. */
  step(step: StepValue, asking: Asking): Promise<void>;
  /** The button of a confirmation was pressed. */
  confirm(token: string, asking: Asking): Promise<void>;
}

interface DispatchParts {
  readonly catalogue: Catalogue;
  readonly runner: Runner;
  readonly forms: Forms;
}

/** Creates the dispatch of everything that is asked in Slack. */
export function createDispatch({ catalogue, runner, forms }: DispatchParts): Dispatch {
  const refuse = (message: string, asking: Asking, steps: readonly NextStep[] = []) =>
    asking.reply.tell(renderProblem({ ...misunderstood(message), steps }));

  /** Tells the asker that it takes a while, once: each word costs one of the few uses of a response URL. */
  function onQueued({ reply }: Asking): (waitMs: number) => void {
    let isTold = false;
    return (waitMs) => {
      if (isTold || waitMs < worthTellingMs) return;
      isTold = true;
      const notice = `⏳ Queued, ${aboutTime(waitMs)}: the request quota of the API key is used up.`;
      // Not waited for: the answer itself must not wait for the word that it will take a while.
      reply.tell(renderNotice(notice)).catch(() => undefined);
    };
  }

  async function tell(answer: Answer, asking: Asking, isPublic: boolean): Promise<void> {
    const { reply } = asking;
    switch (answer.kind) {
      case 'outcome':
        return isPublic
          ? reply.tellAll(renderOutcome(answer.outcome, {}))
          : reply.tell(renderOutcome(answer.outcome, { runId: answer.runId }));
      case 'confirmation':
        return reply.tell(renderConfirmation(answer.confirmation));
      case 'problem':
        return reply.tell(renderProblem(answer.problem));
      default:
        return undefined;
    }
  }

  const dispatch: Dispatch = {
    async typed(text, asking) {
      const parsed = parseCommand(text, catalogue);
      if (parsed.kind === 'run') return dispatch.run(parsed.operation, parsed.raw, asking, parsed.isPublic);
      if (parsed.kind === 'malformed') {
        const { operation } = parsed;
        return refuse(
          parsed.message,
          asking,
          operation ? [formStep(operation, {}), helpStep(operation)] : [helpStep()],
        );
      }
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
              },
            ]
          : [];
      return refuse(`${what} Did you mean "${suggestion.name}"?`, asking, [...step, helpStep()]);
    },

    async run(operation, raw, asking, isPublic = false) {
      const parsed = parseInput(operation, raw);
      if (!parsed.ok && (parsed.missing || asking.isClick))
        return forms.open(operation, raw, asking, isPublic);
      const { requestKey, asker, origin } = asking;
      const request = { requestKey, operation, raw, asker, origin, onQueued: onQueued(asking) };
      const answer = await runner.request(request);
      return tell(withSteps(answer, operation, raw, isPublic), asking, isPublic);
    },

    async step({ operation: name, input, opensForm, isPublic, requestKey }, asking) {
      const operation = catalogue.find(name);
      if (!operation) return;
      if (opensForm) return forms.open(operation, input, asking, isPublic);
      // To look twice is two looks, and a card asks anew; what runs at once is a double click.
      const runsAtOnce = operation.kind === 'change' && !needsConfirmation(operation);
      if (!runsAtOnce) return dispatch.run(operation, input, asking, isPublic);
      const { userId } = asking.asker;
      await dispatch.run(
        operation,
        input,
        { ...asking, requestKey: `step:${requestKey}:${userId}` },
        isPublic,
      );
    },

    async confirm(token, asking) {
      const { reply, asker } = asking;
      const answer = await runner.confirm(token, asker, onQueued(asking));
      if (answer.kind === 'confirmation') return reply.replace(renderConfirmation(answer.confirmation));
      if (answer.kind === 'problem') return reply.replace(renderProblem(answer.problem));
      if (answer.kind === 'started') return reply.remove();
    },
  };
  return dispatch;
}

function helpStep(operation?: Operation): NextStep {
  return { label: 'Help', operation: 'help', input: operation ? { topic: operation.name } : {} };
}

function formStep({ name }: Operation, input: RawInput): NextStep {
  return { label: 'Open Form', operation: name, input, opensForm: true };
}

/** Offers the form, filled with what was given, where the input was wrong, so that nothing is lost. */
function withSteps(answer: Answer, operation: Operation, raw: RawInput, isPublic: boolean): Answer {
  if (answer.kind !== 'problem' || answer.problem.code !== 'input_invalid') return answer;
  const hasForm = Object.keys(operation.arguments).length > 0;
  const steps = [
    ...(answer.problem.steps ?? []),
    ...(hasForm ? [formStep(operation, raw)] : []),
    helpStep(operation),
  ];
  return {
    kind: 'problem',
    problem: { ...answer.problem, steps: steps.map((step) => ({ ...step, isPublic })) },
  };
}

function misunderstood(message: string): Problem {
  return explain(new RackhandError('input_invalid', message), { changing: false });
}
