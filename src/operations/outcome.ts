/** A value to be read: foreign text, a state in the service's own word, or a time in ms since the epoch. */
export type Value = string | { readonly state: string } | { readonly timeMs: number };

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

/**
 * What an operation answers: plain data that knows nothing of Slack. All text is plain; whoever shows it escapes it.
 */
export interface Outcome {
  readonly title: string;
  readonly facts?: readonly Fact[];
  readonly table?: Table;
  readonly listings?: readonly Listing[];
  readonly notes?: readonly string[];
  readonly next?: readonly NextStep[];
}
