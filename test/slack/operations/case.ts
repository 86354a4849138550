import type { Stage } from './stage.ts';

/** A call that the hosting service must have seen, as its document shows it. */
export interface ExpectedCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A pattern where an identifier in it is not known beforehand. */
  readonly path: string | RegExp;
  /** The whole body; nothing where the document says "none". */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** What a person fills into a field: text, a choice by its value or its text, a switch, or rows of such. */
export type Filled = string | boolean | readonly Readonly<Record<string, string | boolean>>[];

/** One run of an operation, by every way to ask for it, with the calls that it makes and what the person sees. */
export interface Case {
  /** Its name. */
  readonly operation: string;
  /** Typed after `/vps`. */
  readonly typed: string;
  /** The same by form, by argument name. Left out where the operation has no arguments. */
  readonly form?: {
    /** What is typed to open the form; the operation's name unless given. */
    readonly opening?: string;
    readonly values: Readonly<Record<string, Filled>>;
  };
  /** Every call that changes something, in its order, and whichever reads it must make besides those that prepare it. */
  readonly calls: readonly ExpectedCall[];
  /** What is done beforehand. */
  readonly before?: (stage: Stage) => Promise<void>;
  /** Whether it asks first; the text that must be typed to go on, where it wants one. */
  readonly asks?: boolean | string;
  /** What the person reads in the end, in one message. */
  readonly sees: readonly (string | RegExp)[];
  /** Whether the answer holds a secret that only Show Once may show. */
  readonly secret?: boolean;
}
