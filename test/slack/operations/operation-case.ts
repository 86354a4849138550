/** A call that the hosting service must have received, as the API document shows it. */
export interface ExpectedCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** A pattern if the path contains an ID that isn't known in advance. */
  readonly path: string | RegExp;
  /** The whole body. Left out if the API document says "none". */
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string>>;
}

/** A person's input for a field: text, a choice by its value or text, a switch, or rows of these. */
export type FieldInput = string | boolean | readonly Readonly<Record<string, string | boolean>>[];

/**
 * An operation that is run in every way that people can ask for it, with the expected calls and
 * texts.
 */
export interface OperationCase {
  /** The operation's name. */
  readonly operation: string;
  /** Typed after `/vps`. */
  readonly command: string;
  /** The same input for the form, by argument name. Left out if the operation has no arguments. */
  readonly form?: {
    /** Text that is typed to open the form. Defaults to the operation's name. */
    readonly openingCommand?: string;
    readonly values: Readonly<Record<string, FieldInput>>;
  };
  /**
   * All calls that change something, in order, and the reads that must be made besides those that
   * prepare the change.
   */
  readonly calls: readonly ExpectedCall[];
  /** Whether a confirmation is asked for. If text must be typed to confirm, that text. */
  readonly confirmation?: boolean | string;
  /** Texts that the person reads at the end, all in one message. */
  readonly expectedTexts: readonly (string | RegExp)[];
  /** Whether the result contains a secret that only Show Once can show. */
  readonly hasSecret?: boolean;
}
