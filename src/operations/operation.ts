import type { CallData, CallInput, HostingClient } from '../hosting/client.ts';
import type { Effect, Endpoint, GetEndpoint, Permission } from '../hosting/endpoint.ts';
import type { Lane, QuotaUsage } from '../hosting/quota/quota.ts';
import type { Arguments, InputOf } from './argument.ts';
import type { Catalogue } from './catalogue.ts';
import type { FieldProblem } from './input.ts';
import type { Fact, Outcome, RawInput } from './outcome.ts';
import type { Right } from './right.ts';
import type { Reach } from './runs/access.ts';
import type { Asker, Origin } from './runs/run.ts';

/** Reads from the hosting service, in the run's lane unless told otherwise; `maxAgeMs` accepts an answer that old. */
export type Read = <E extends GetEndpoint>(
  endpoint: E,
  input: CallInput<E>,
  options?: { readonly maxAgeMs?: number; readonly lane?: Lane },
) => Promise<CallData<E>>;

/** What an operation may use while it runs. */
export interface OperationContext {
  readonly read: Read;
  readonly catalogue: Catalogue;
  /** Tells how far the quota of the workspace's key is used; costs no call. */
  readonly usage: () => Promise<QuotaUsage>;
  /** Tells the asker how far the work has come, in a sentence: the last one counts. */
  readonly progress: (words: string) => void;
  /** Tells the asker's time zone, by its IANA name; UTC where it is not known. */
  readonly timeZone: () => Promise<string>;
  /** Tells how far the asker's rights reach where it was asked. */
  readonly reach: () => Promise<Reach>;
  readonly asker: Asker;
  readonly origin: Origin;
}

/** What a run works with: the client of its workspace's key, and the reads that an operation may make by it. */
export interface Bench {
  readonly hosting: HostingClient;
  readonly context: OperationContext;
}

interface Declared<A extends Arguments> {
  /** What is typed after `/vps`: one or two words. */
  readonly name: string;
  /** Heads its form: sentence case, at most 24 characters, Slack's limit for a title. */
  readonly heading: string;
  /** One line, sentence case, without a full stop. */
  readonly summary: string;
  readonly arguments: A;
  /** How the words that are no flags are typed and taken apart, where they read as a sentence and are not one argument after the other. */
  readonly sentence?: { readonly usage: string; read(typed: string): RawInput };
  /** Acts on what belongs to the whole account: a VPS in its input is only the way there, and a right on it is not enough. */
  readonly isAccountWide?: boolean;
  /** What a person must be granted to run it; what its effect asks for unless given. `null`: nothing, not even to be granted anything. */
  readonly right?: Right | null;
}

export interface ReadOperation<A extends Arguments = Arguments> extends Declared<A> {
  readonly kind: 'read';
  /** Whom its answer is for where nobody says otherwise; the asker unless given. */
  readonly audience?: 'channel';
  /** Shows nothing of a VPS that its asker may not look at, so that the right on any of them is enough to run it. */
  readonly isPartial?: boolean;
  /** Longest that its work may take, in ms; ten minutes unless given. */
  readonly longestMs?: number;
  /** The endpoints that it needs to be of use. */
  readonly uses: readonly GetEndpoint[];
  run(context: OperationContext, input: InputOf<A>): Promise<Outcome>;
}

/**
 * An operation on what Rackhand itself keeps: rights, the record, schedules. It calls nothing that changes the fleet, and answers at once.
 */
export interface OwnOperation<A extends Arguments = Arguments> extends Declared<A> {
  readonly kind: 'own';
  /** Title Case label of the button that does it. */
  readonly button: string;
  readonly right: Right | null;
  /** What this input needs, as far as it is understood, where that is not `right`. */
  rightFor?(input: Partial<InputOf<A>>): Right | null;
  /** What is acted upon, as the record names it. */
  target?(input: InputOf<A>): string;
  /** What its form knows beyond its fields. */
  readonly form?: OwnForm<A>;
  /** Looks for what is wrong with an input that its arguments have accepted, each beside its field; reads at most, and quickly. */
  check?(context: OperationContext, input: InputOf<A>): Promise<readonly FieldProblem[]>;
  run(context: OperationContext, input: InputOf<A>): Promise<Outcome>;
}

/** What the form of an operation knows beyond its fields. */
export interface OwnForm<A extends Arguments = Arguments> {
  /** The argument that says what its other fields are filled from: they are shown once it is chosen, and filled anew when it is another. */
  readonly filledBy?: keyof A & string;
  /** Fills in what is known beside what was given, quickly; nothing where what was given names nothing to fill it from. */
  fill?(context: OperationContext, given: RawInput): Promise<RawInput | undefined>;
  /** Whether an input that is complete asks for the form all the same: it names what is to be changed, and no change. */
  isWanted?(input: InputOf<A>): boolean;
  readonly preview?: {
    /** The arguments that it is made of: it is made anew when one of them changes. */
    readonly of: readonly (keyof A & string)[];
    /** Tells below the fields what they come to, or in a sentence why they come to nothing yet. */
    tell(context: OperationContext, given: RawInput): Promise<FormPreview | undefined>;
  };
}

/** What stands at the end of a form. All text is plain; whoever shows it escapes it. */
export interface FormPreview {
  readonly heading: string;
  readonly lines: readonly string[];
}

/** What a confirmation shows of the target as it is now. */
export interface Present {
  readonly facts: readonly Fact[];
  /** What the confirmation is bound to: if it differs at the click, it is asked again. */
  readonly state: string;
}

/** What people call what an input names by identifiers, by argument. */
export type Called = Readonly<Record<string, string>>;

/** How far work has come that goes on after the call. */
export interface Progress {
  /** Nobody looks any more. */
  readonly isOver: boolean;
  /** Nobody looks any more, and the end itself was not seen: it took too long, or is not shown. */
  readonly isUnseen?: true;
  /** A sentence: "VPS-10001 is rebooting." */
  readonly words: string;
  readonly facts?: readonly Fact[];
}

/**
 * An operation that changes something, by exactly one call of one endpoint. The call is described, not made: only the runner makes it,
 * at most once.
 */
export interface ChangeOperation<A extends Arguments = Arguments, E extends Endpoint = Endpoint>
  extends Declared<A> {
  readonly kind: 'change';
  readonly change: E;
  /** Where an input is better served by another endpoint of the same effect, permission and shape: IPv6 beside IPv4. */
  readonly variant?: { readonly change: Endpoint; readonly isMeant: (input: InputOf<A>) => boolean };
  /** What it does to the fleet, where that is less, or more, than its endpoint can do. */
  readonly effect?: Effect;
  /** What this input does to the fleet, as far as it is understood, where that is not the same for every input. */
  effectFor?(input: Partial<InputOf<A>>): Effect;
  /** What must be typed to confirm it: the name of what would be lost. */
  readonly typedToConfirm?: (input: InputOf<A>) => string;
  /** Title Case label of the button that does it. */
  readonly button: string;
  /** What a confirmation warns of. */
  readonly warning?: string;
  /** Names the act with its target: "Reboot VPS-10001". Given what people call it, where that is known, in place of identifiers. */
  title(input: InputOf<A>): string;
  /** What is acted upon, as the record names it. */
  target(input: InputOf<A>): string;
  /** Reads what the confirmation shows. Needed where the endpoint disturbs or destroys. */
  present?(context: OperationContext, input: InputOf<A>): Promise<Present>;
  request(input: InputOf<A>): CallInput<E>;
  outcome(data: CallData<E>, input: InputOf<A>, called?: Called): Outcome;
  /** Looks how far the work is that goes on after the call. Asked again and again until it is over, or five minutes have passed. */
  follow?(context: OperationContext, input: InputOf<A>): Promise<Progress>;
}

export type Operation = ReadOperation | ChangeOperation | OwnOperation;

/** Declares an operation that only reads. */
export function defineRead<A extends Arguments>(declaration: Omit<ReadOperation<A>, 'kind'>): Operation {
  return { ...declaration, kind: 'read' } as ReadOperation<A> as unknown as ReadOperation;
}

/** Declares an operation on what Rackhand itself keeps. */
export function defineOwn<A extends Arguments>(declaration: Omit<OwnOperation<A>, 'kind'>): Operation {
  return { ...declaration, kind: 'own' } as OwnOperation<A> as unknown as OwnOperation;
}

/** Declares an operation that changes something by one call. */
export function defineChange<A extends Arguments, E extends Endpoint>(
  declaration: Omit<ChangeOperation<A, E>, 'kind'>,
): Operation {
  return { ...declaration, kind: 'change' } as ChangeOperation<A, E> as unknown as ChangeOperation;
}

/** Tells what running an operation does to the fleet with an input, as far as it is given. */
export function effectOf(operation: Operation, input: Readonly<Record<string, unknown>> = {}): Effect {
  if (operation.kind !== 'change') return operation.kind === 'read' ? 'read' : 'change';
  return operation.effectFor?.(input) ?? operation.effect ?? operation.change.effect;
}

const rightFor = { read: 'look', change: 'change', disturb: 'change', destroy: 'destroy' } as const;

/** Tells what a person must be granted to run an operation with an input, as far as it is given; `null` for what everybody of the workspace may. */
export function rightOf(operation: Operation, input: Readonly<Record<string, unknown>> = {}): Right | null {
  if (operation.kind === 'own' && operation.rightFor) return operation.rightFor(input);
  return operation.right === undefined ? rightFor[effectOf(operation, input)] : operation.right;
}

/** Tells whether an operation asks before it runs with an input, as far as it is given. */
export function asksFirst(operation: Operation, input: Readonly<Record<string, unknown>> = {}): boolean {
  const effect = operation.kind === 'change' && effectOf(operation, input);
  return effect === 'disturb' || effect === 'destroy';
}

/** Tells whether an answer is for everybody in the channel where nobody says otherwise. */
export function isForChannel(operation: Operation): boolean {
  return operation.kind === 'read' && operation.audience === 'channel';
}

/** Gives the endpoint that an input is served by. */
export function endpointOf(
  { change, variant }: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
): Endpoint {
  return variant?.isMeant(input) ? variant.change : change;
}

/** Names an act with its target, as people call it. */
export function titleOf(
  operation: ChangeOperation,
  input: Readonly<Record<string, unknown>>,
  called: Called = {},
): string {
  return operation.title({ ...input, ...called });
}

/** Lists the endpoints that an operation calls to be of use. */
export function endpointsOf(operation: Operation): readonly Endpoint[] {
  if (operation.kind === 'read') return operation.uses;
  if (operation.kind === 'own') return [];
  return operation.variant ? [operation.change, operation.variant.change] : [operation.change];
}

/** Lists the permissions that the key needs for an operation. */
export function permissionsOf(operation: Operation): readonly Permission[] {
  return [...new Set(endpointsOf(operation).flatMap(({ permission }) => permission ?? []))];
}
