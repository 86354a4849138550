import type { PictureSpec } from '../charts/fleet-spec.ts';

/** A value to be read: foreign text, a state in the service's own word, a time in ms since the epoch, or a quantity in its unit. */
export type Value =
  | string
  | { readonly state: string }
  | { readonly timeMs: number }
  | { readonly durationMs: number }
  | { readonly bytes: number }
  | { readonly bytesPerSecond: number }
  /** 0 to 100. */
  | { readonly percent: number }
  /** Something to copy: an address, a command. */
  | { readonly code: string }
  /** A channel of the workspace, a person, and a user group, by their ids: shown by name, without calling anybody. */
  | { readonly channel: string }
  | { readonly person: string }
  | { readonly userGroup: string };

export interface Fact {
  readonly label: string;
  readonly value: Value;
}

export interface Table {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
}

/** Lines under a heading, each a piece to type, without the command itself, and what it does. */
export interface Listing {
  readonly heading: string;
  readonly items: readonly { readonly typed: string; readonly text: string }[];
}

/** What a person gave, before any schema has seen it: words, flags, or the fields of a form. */
export type RawInput = Readonly<Record<string, RawValue>>;

export type RawValue = string | boolean | readonly (string | RawRow)[];

export type RawRow = Readonly<Record<string, string | boolean>>;

/** Another operation that it is natural to run next, as a button. */
export interface NextStep {
  /** Title Case, at most 30 characters. */
  readonly label: string;
  readonly operation: string;
  readonly input: RawInput;
  /** Opens the form, filled with the input, also where nothing is missing. */
  readonly opensForm?: boolean;
  /** The answer is for everybody in the channel. */
  readonly isPublic?: boolean;
}

/** Another operation that is run on one of many, as a select beside the buttons: the choices are those of its argument. */
export interface Choose {
  /** Title Case, what the select says before anything is chosen: "Show a VPS". */
  readonly label: string;
  readonly operation: string;
  /** Name of the argument that is chosen; what its source depends on stands in `input`. */
  readonly argument: string;
  readonly input: RawInput;
}

/** A value that nobody but the asker may read, and only once. */
export interface Secret {
  readonly label: string;
  readonly value: string;
}

/** A picture in the making, with its takeaway in words, which is its alternative text too. */
export interface Chart<Spec extends PictureSpec = PictureSpec> {
  readonly spec: Spec;
  readonly takeaway: string;
  /** The facts beside it say as much: where there is the picture, the takeaway is its alternative text alone. */
  readonly isTold?: true;
}

/** What stands in every telling of an outcome. All text is plain; whoever shows it escapes it. */
interface Telling {
  readonly title: string;
  readonly facts?: readonly Fact[];
  readonly table?: Table;
  readonly listings?: readonly Listing[];
  readonly notes?: readonly string[];
  readonly next?: readonly NextStep[];
  readonly choose?: readonly Choose[];
  readonly chart?: Chart;
}

/** What an operation answers: plain data that knows nothing of Slack. */
export interface Outcome extends Telling {
  /** Kept encrypted by the runner, and never part of what is told. */
  readonly secrets?: readonly Secret[];
}

/** What is told of an outcome: its secrets are put away, to be shown once. */
export interface ToldOutcome extends Telling {
  readonly kept?: KeptSecrets;
}

/** Secrets that are put away: only their asker can have them, once, and until then. */
export interface KeptSecrets {
  readonly id: string;
  readonly labels: readonly string[];
  readonly untilMs: number;
}
