import type { CallData, CallInput } from '../../hosting/client/hosting-client.ts';
import type { Effect, Endpoint, GetEndpoint } from '../../hosting/endpoints/endpoint.ts';
import type { QuotaUsage } from '../../hosting/quota/rate-limiter.ts';
import type { CheckAccess } from './access/access.ts';
import type { Actor, Origin } from './access/actor.ts';
import type { Right } from './access/right.ts';
import type { Arguments, InputOf } from './arguments/argument.ts';
import type { ChoiceWorkspace } from './arguments/choice-source.ts';
import type { FieldProblem, RawInput } from './arguments/raw-input.ts';
import type { Fact, Outcome } from './outcome.ts';
import type { Read } from './read.ts';
import type { DisplayNames, Progress, TargetState } from './target-state.ts';

/** Everything that a running operation can use. */
export interface OperationContext {
  readonly read: Read;
  readonly catalogue: Catalogue;
  /** Returns how much of the API key's quota is used, without making a call. */
  readonly quotaUsage: () => Promise<QuotaUsage>;
  /** Shows the actor a sentence about the run's progress, in place of the previous sentence. */
  readonly reportProgress: (words: string) => void;
  /** Returns the actor's IANA time zone, or UTC if it is unknown. */
  readonly timeZone: () => Promise<string>;
  /** Returns a function that checks the actor's rights in the channel of the request. */
  readonly loadAccess: () => Promise<CheckAccess>;
  readonly workspace: ChoiceWorkspace;
  readonly actor: Actor;
  readonly origin: Origin;
}

interface OperationBase<A extends Arguments> {
  /** One or two words that people type after `/vps`. */
  readonly name: string;
  /** Other names that people can type, with the input that each one implies. */
  readonly aliases?: Readonly<Record<string, RawInput>>;
  /** The form's title, in sentence case. At most 24 characters, which is Slack's limit. */
  readonly heading: string;
  /** One line in sentence case, without a full stop. */
  readonly summary: string;
  /**
   * The entry in lists that this operation shares with those that do the same to other kinds of things.
   * The entry's name gives the kinds as options: `report|watch pause`.
   */
  readonly listedAs?: { readonly name: string; readonly summary: string };
  readonly arguments: A;
  /** The grammar of the positional words, if they form a sentence rather than a list of arguments. */
  readonly customSyntax?: {
    readonly usage: string;
    /** Parses the text. A quoted word can contain spaces. */
    parse(typed: string, words: readonly string[]): RawInput;
  };
  /** Set if the operation acts on the whole account. A right on only the VPS in its input then isn't enough. */
  readonly isAccountWide?: boolean;
  /** The right that the actor needs. Defaults to the right for the effect; `null` means none. */
  readonly right?: Right | null;
}

export interface ReadOperation<A extends Arguments = Arguments> extends OperationBase<A> {
  readonly kind: 'read';
  /** The default audience of the reply. If not set, only the actor sees it. */
  readonly audience?: 'channel';
  /**
   * Set if the result leaves out VPS that the actor isn't allowed to view. A right on any VPS is
   * then enough to run the operation.
   */
  readonly isFilteredByRights?: boolean;
  /** Time limit in ms. Defaults to ten minutes. */
  readonly timeoutMs?: number;
  readonly endpoints: readonly GetEndpoint[];
  run(context: OperationContext, input: InputOf<A>): Promise<Outcome>;
}

/** An operation on Rackhand's own data, such as rights, the activity log or schedules. It never changes the fleet. */
export interface LocalOperation<A extends Arguments = Arguments> extends OperationBase<A> {
  readonly kind: 'local';
  /** The button's label, in Title Case. */
  readonly button: string;
  readonly right: Right | null;
  /**
   * Set if a right on any single VPS is enough to run the operation. The operation itself then checks the
   * rights on its VPS.
   */
  readonly isAnyVpsEnough?: boolean;
  /** Returns the right needed with this input, which can be partial. Declared only if that isn't always `right`. */
  rightByEffect?(input: Partial<InputOf<A>>): Right | null;
  /**
   * Returns whether the actor can run the operation with this input even without the right. Omitted if
   * that's never so.
   */
  isOpenTo?(context: OperationContext, input: Partial<InputOf<A>>): Promise<boolean>;
  /**
   * Returns whether the activity log counts a run with this input, which can be partial, as a change even
   * though the run needs no right above `view`. Omitted if that's never so.
   */
  isLoggedAsChange?(input: Partial<InputOf<A>>): boolean;
  /** Returns the target as named in the activity log. */
  target?(input: InputOf<A>): string;
  /** How the operation's form is prefilled and previewed. */
  readonly form?: LocalForm<A>;
  /** Checks the parsed input further and returns the problems by field. Must be fast and must not change anything. */
  validate?(context: OperationContext, input: InputOf<A>): Promise<readonly FieldProblem[]>;
  run(context: OperationContext, input: InputOf<A>): Promise<Outcome>;
}

export interface LocalForm<A extends Arguments = Arguments> {
  /**
   * The argument whose value determines how the other fields are prefilled. They appear once it is
   * chosen, and are prefilled again when it changes.
   */
  readonly prefilledBy?: keyof A & string;
  /** Set if the form always shows the stored values, so that emptying a field removes its value. */
  readonly showsStoredValues?: true;
  /** Returns the input with all known values, or undefined if no values are known. Must be fast. */
  prefill?(context: OperationContext, given: RawInput): Promise<RawInput | undefined>;
  /**
   * Returns whether to open the form even though the input is complete, because the input names a target
   * but no change.
   */
  shouldOpen?(input: InputOf<A>): boolean;
  readonly preview?: {
    /** The arguments that the preview depends on. It's rebuilt when one of them changes. */
    readonly dependsOn: readonly (keyof A & string)[];
    /** Set if the preview updates on each keystroke. Building it must then not call the hosting service. */
    readonly isWhileTyping?: true;
    /** Builds the preview: what the fields mean together, or why they aren't valid yet. */
    build(context: OperationContext, given: RawInput): Promise<FormPreview | undefined>;
  };
}

/** The preview at the end of a form, as plain text. The renderer escapes it. */
export interface FormPreview {
  readonly heading: string;
  readonly lines: readonly string[];
}

/**
 * An operation that changes something with exactly one call. The operation only describes the call;
 * the runner makes it, at most once.
 */
export interface ChangeOperation<A extends Arguments = Arguments, E extends Endpoint = Endpoint>
  extends OperationBase<A> {
  readonly kind: 'change';
  readonly endpoint: E;
  /**
   * Another endpoint, called instead for some inputs, such as IPv6 addresses. It has the same effect,
   * permission and shape.
   */
  readonly variant?: { readonly endpoint: Endpoint; readonly appliesTo: (input: InputOf<A>) => boolean };
  /** The effect on the fleet, if it differs from the endpoint's effect. A function if it depends on the input. */
  readonly effect?: Effect | ((input: Partial<InputOf<A>>) => Effect);
  /** What the confirmation contains besides its warning and the target's state. */
  readonly confirmation?: {
    /** Returns whether to ask for confirmation even though the effect doesn't require it. */
    isNeeded?(input: Partial<InputOf<A>>): boolean;
    /** Returns the text that people must type: the name of the item that would be lost. */
    textToType?(input: InputOf<A>): string;
    /** Set if a `destroy` change can lose the VPS's data. The card then offers to take a snapshot first. */
    readonly losesData?: true;
  };
  /** The button's label, in Title Case. */
  readonly button: string;
  /** What is lost or interrupted. A function if the warning depends on the input or the target's state. */
  readonly warning?: string | ((input: InputOf<A>, state: WarningState) => string | undefined);
  /** The button and warning for running the operation on several VPS at once. Omitted if that isn't possible. */
  readonly several?: {
    readonly button: string;
    readonly warning?: string | ((input: InputOf<A>) => string);
    /** Whether each VPS should end up in the state it was in before. */
    readonly keepsState?: true;
  };
  /** The operation that this batch runs on each VPS. The batch itself makes no call. */
  readonly batchOf?: ChangeOperation;
  /** Returns the change and its target, such as "Reboot VPS-10001". The input has display names instead of IDs. */
  title(input: InputOf<A>): string;
  /** Returns the target as named in the activity log. */
  target(input: InputOf<A>): string;
  /** Reads the target's current state for the confirmation. Required for the effects `disrupt` and `destroy`. */
  readTargetState?(context: OperationContext, input: InputOf<A>): Promise<TargetState>;
  /**
   * Returns the change that restores the previous state, or undefined if `before` doesn't say enough.
   * `before` contains the facts that the confirmation was bound to.
   */
  undo?(input: InputOf<A>, before: readonly Fact[]): UndoChange | undefined;
  request(input: InputOf<A>): CallInput<E>;
  outcome(data: CallData<E>, input: InputOf<A>, displayNames?: DisplayNames): Outcome;
  /**
   * Reads the progress of work that continues after the call. The runner polls until the work is finished,
   * for at most two hours. `startedMs` is the time of the call (epoch ms).
   */
  readProgress?(context: OperationContext, input: InputOf<A>, startedMs: number): Promise<Progress>;
}

/** What a warning can depend on. */
export interface WarningState {
  /** The facts on the confirmation card. Empty if the state is unknown. */
  readonly facts: readonly Fact[];
  readonly nowMs: number;
}

export interface UndoChange {
  /** A verb phrase in Title Case, at most 30 characters: "Set SSH Port Back to 22". */
  readonly label: string;
  readonly operation: string;
  readonly input: RawInput;
  /** The facts that the undo's confirmation is bound to, unless something else has changed in the meantime. */
  readonly expected: readonly Fact[];
}

export type Operation = ReadOperation | ChangeOperation | LocalOperation;

export interface OperationGroup {
  readonly heading: string;
  readonly operations: readonly Operation[];
}

export interface Suggestion {
  readonly name: string;
  readonly wordCount: number;
}

/** All operations. Finds them by name and suggests close names. */
export interface Catalogue {
  readonly groups: readonly OperationGroup[];
  /** Returns the operation with exactly this name. */
  find(name: string): Operation | undefined;
  /**
   * Finds the operation whose name or alias the words begin with. Also returns how many words that name has
   * and the input it implies.
   */
  match(words: readonly string[]): { operation: Operation; nameWords: number; implied: RawInput } | undefined;
  /** Returns the closest operation name and how many words it replaces. Returns undefined if no name is close. */
  suggest(words: readonly string[]): Suggestion | undefined;
}
