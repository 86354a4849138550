/** A fault that waits for its occasion, as it is asked for. */
export interface WaitingFault {
  readonly fault: string;
  readonly times: number;
  readonly method?: string;
  readonly path?: string;
}

/** A fault that struck, and when, in ms since 1970. */
export interface StruckFault {
  readonly fault: string;
  readonly at: number;
  readonly method?: string;
  readonly path?: string;
}

/** `GET /sandbox/faults` */
export interface FaultFacts {
  readonly waiting: readonly WaitingFault[];
  readonly struck: readonly StruckFault[];
  readonly token_revoked: boolean;
  /** The sandbox's time. */
  readonly now: number;
  readonly methods: readonly string[];
  readonly disconnect_reasons: readonly string[];
}

/** What a kind of fault takes after its colon. */
export type FaultDetail =
  | { readonly title: string; readonly min: number; readonly max: number; readonly usual: number }
  | { readonly title: string; readonly choices: readonly string[]; readonly usual: string };

/** A kind of fault, as a person chooses it. */
export interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly detail?: FaultDetail;
}

/** `GET /sandbox/faults` of what stands beside the workspace. */
export interface CompanionFacts {
  readonly waiting: readonly WaitingFault[];
  readonly struck: readonly StruckFault[];
  readonly kinds: readonly FaultKind[];
  readonly routes: readonly { readonly method: string; readonly path: string; readonly summary: string }[];
}
