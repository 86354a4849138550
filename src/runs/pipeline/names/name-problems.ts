import { RackhandError } from '../../../errors.ts';
import { formatList } from '../../../format-list.ts';
import { isVpsName } from '../../../hosting/payloads/vps-name.ts';
import type { Choice } from '../../../operations/define/arguments/choice-source.ts';
import type { FieldProblem, RawInput } from '../../../operations/define/arguments/raw-input.ts';
import { type RemoteField, setValueAt } from '../../../operations/define/arguments/remote-fields.ts';
import type { Operation } from '../../../operations/define/operation.ts';
import type { NextStep } from '../../../operations/define/outcome.ts';
import { type Problem, toProblem } from '../../problem.ts';

/** A name in the input that couldn't be resolved, and the input resolved so far. */
export interface UnresolvedName {
  readonly operation: Operation;
  readonly raw: RawInput;
  readonly input: Readonly<Record<string, unknown>>;
  readonly field: RemoteField;
  readonly name: string;
}

const maxButtons = 5;

export function toFieldsProblem(problems: readonly FieldProblem[]): Problem {
  // Several words in a list can have the same problem, which is then stated only once.
  const messages = new Set(problems.map(({ message }) => message));
  return toInputProblem(`${[...messages].join('. ')}.`);
}

function toInputProblem(message: string): Problem {
  return toProblem(new RackhandError('input_invalid', message), { isChanging: false });
}

/** Asks which of several choices was meant. Each gets a button. */
export function askWhich(
  unresolved: UnresolvedName,
  choices: readonly Choice[],
  isComplete: boolean,
): Problem {
  const { operation, raw, field, name } = unresolved;
  const [only] = choices.length === 1 ? choices : [];
  const message = only
    ? `${only.text} is called "${name}", but Rackhand couldn't read the whole list, so others may have this name too.`
    : `"${name}" could mean more than one ${bareNoun(field)}.`;
  const left = choices.length - maxButtons;
  const advice = [
    'Choose the one you mean.',
    ...(left > 0
      ? [`${left} more ${left === 1 ? 'matches' : 'match'}: type the identifier of the one you mean.`]
      : []),
    ...(isComplete || only ? [] : ["Rackhand couldn't read the whole list."]),
  ];
  return {
    ...toInputProblem(message),
    advice: advice.join(' '),
    nextSteps: [
      ...choices.slice(0, maxButtons).map((choice) => ({
        label: formatButton(choice),
        operation: operation.name,
        input: setValueAt(operation, raw, field.path, choice.value),
      })),
      ...listSteps(unresolved),
    ],
  };
}

/**
 * Returns the problem for a name that isn't in the list. Offers similar names and, if the service may know
 * the name, a button to send it anyway.
 */
export function describeNotFound(
  unresolved: UnresolvedName,
  { suggested, isComplete }: { readonly suggested: readonly Choice[]; readonly isComplete: boolean },
): Problem {
  const { operation, raw, input, field, name } = unresolved;
  const problem = toInputProblem(field.source.formatNotFound(name, input));
  const noun = /^\d+$/.test(name) ? 'number' : 'name';
  const canSend = !field.source.isOwnData && (!field.source.listsVps || isVpsName(name));
  const advice = [
    ...(isComplete ? [] : ["Rackhand couldn't read the whole list."]),
    suggested.length > 0 ? askWhetherMeant(suggested) : `Check the ${noun}.`,
    ...(canSend ? [`If the ${noun} is right, press Try Anyway to send it to the hosting service.`] : []),
  ];
  const meant = suggested.map(
    (choice): NextStep => ({
      label: `Use ${choice.text}`,
      operation: operation.name,
      input: setValueAt(operation, raw, field.path, choice.value),
      isUncertain: true,
      // Rackhand's own data changes without a confirmation, so the form is shown first.
      ...(operation.kind === 'local' && field.source.listsVps && { opensForm: true }),
    }),
  );
  const anyway: readonly NextStep[] = canSend
    ? [{ label: 'Try Anyway', operation: operation.name, input: raw, isUncertain: true }]
    : [];
  return {
    ...problem,
    advice: advice.join(' '),
    nextSteps: [...meant, ...anyway, ...listSteps(unresolved)],
  };
}

export function askWhetherMeant(suggested: readonly Choice[]): string {
  return `Did you mean ${formatList(
    suggested.map(({ text }) => text),
    'or',
  )}?`;
}

function listSteps({ field, input }: UnresolvedName): readonly NextStep[] {
  return field.source.listStep ? [field.source.listStep(input)] : [];
}

/** Formats a choice as a button label, with a VPS's state or another choice's hint. */
function formatButton({ text, state, hint }: Choice): string {
  return [text, state ?? hint].filter((part) => part !== undefined && part !== '').join(' · ');
}

function bareNoun({ source }: RemoteField): string {
  return source.noun.replace(/^an? /, '');
}
