import type { ChartSpec } from '../../charts/chart-spec.ts';
import type { RawInput } from './arguments/raw-input.ts';

/** A value to show: untrusted text, a state as the service names it, a time in epoch ms, or a quantity. */
export type Value =
  | string
  | { readonly kind: 'state'; readonly state: string }
  | { readonly kind: 'time'; readonly timeMs: number }
  | { readonly kind: 'duration'; readonly durationMs: number }
  | { readonly kind: 'bytes'; readonly bytes: number }
  | { readonly kind: 'rate'; readonly bytesPerSecond: number }
  /** From 0 to 100. */
  | { readonly kind: 'percent'; readonly percent: number }
  /** Text to copy, such as an address or a command. */
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'link'; readonly url: string; readonly text?: string }
  /** Slack IDs, shown as names without notifying anyone. */
  | { readonly kind: 'channel'; readonly channel: string }
  | { readonly kind: 'person'; readonly person: string }
  | { readonly kind: 'userGroup'; readonly userGroup: string };

export interface Fact {
  readonly label: string;
  readonly value: Value;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Lines under a heading. Each has text to type after the command, and a description. */
export interface Listing {
  readonly heading: string;
  readonly items: readonly { readonly typed: string; readonly text: string }[];
}

/** A line of text with a button beside it. */
export interface ActionLine {
  readonly label: string;
  readonly text: string;
  readonly step: NextStep;
}

/** A button that runs another operation. */
export interface NextStep {
  /** Title Case, at most 30 characters. */
  readonly label: string;
  readonly operation: string;
  readonly input: RawInput;
  /** Set if the step opens the prefilled form even if its input is complete. */
  readonly opensForm?: boolean;
  /** Set if the button stands out as the one to press first. At most one step per message is primary. */
  readonly isPrimary?: boolean;
  /** Set if the step is less important. If a message has several such steps, a menu after the buttons shows them. */
  readonly isMinor?: boolean;
  /** Set if the reply is posted in the channel. */
  readonly isPublic?: boolean;
  /**
   * Set if the input is only a suggestion, or names something that isn't in the service's list. Such a
   * name is accepted, but a change then needs a confirmation.
   */
  readonly isUncertain?: boolean;
  /** Set if the step undoes the change that its message reports. */
  readonly undo?: Undo;
}

/** Limits an undo button, which always asks for a confirmation, even if its operation doesn't. */
export interface Undo {
  /**
   * The fingerprint of the target's state right after the change. If the state differs later, the
   * confirmation says so.
   */
  readonly expectedState: string;
  /** Time (epoch ms) after which the button no longer works. */
  readonly untilMs: number;
}

/** A select that runs another operation with the chosen item. */
export interface ChoiceStep {
  /** The select's placeholder, in Title Case: "Show a VPS". */
  readonly label: string;
  readonly operation: string;
  /** The argument to choose a value for. `input` contains the values on which the choices depend. */
  readonly argument: string;
  readonly input: RawInput;
}

/** A value that only the actor can read, and only once. */
export interface Secret {
  readonly label: string;
  readonly value: string;
}

/** A chart with a sentence that describes it and is also its alternative text. */
export interface Chart<Spec extends ChartSpec = ChartSpec> {
  readonly spec: Spec;
  readonly takeaway: string;
  /** Set if the facts already say the same as the sentence, which is then used only as alternative text. */
  readonly isCoveredByFacts?: true;
}

/** The content that every rendering of an outcome shows, as plain text. The renderer escapes it. */
interface OutcomeContent {
  readonly title: string;
  /** Set if nothing has been done yet because the person has to press a button first. */
  readonly isQuestion?: true;
  readonly facts?: readonly Fact[];
  /** Set if the facts are shown in two columns, for many short facts. */
  readonly hasTwoColumns?: true;
  readonly actionLines?: readonly ActionLine[];
  readonly table?: Table;
  readonly listings?: readonly Listing[];
  readonly notes?: readonly string[];
  readonly next?: readonly NextStep[];
  readonly choiceSteps?: readonly ChoiceStep[];
  readonly chart?: Chart;
}

/** The result of an operation as plain data that doesn't depend on Slack. */
export interface Outcome extends OutcomeContent {
  /** Secrets that the runner stores encrypted. They are never part of a message. */
  readonly secrets?: readonly Secret[];
}

/** An outcome without its secrets, which the runner has stored to be shown once. */
export interface RedactedOutcome extends OutcomeContent {
  readonly secretRef?: SecretRef;
}

/** Refers to stored secrets. Only the actor can open them, once, until they expire. */
export interface SecretRef {
  readonly id: string;
  readonly labels: readonly string[];
  readonly expiresMs: number;
}
