/** A pending fault as it was requested. */
export interface PendingFault {
  readonly fault: string;
  readonly times: number;
  readonly method?: string;
  readonly path?: string;
}

/** A triggered fault, and when it was triggered in epoch ms. */
export interface TriggeredFault {
  readonly fault: string;
  readonly at: number;
  readonly method?: string;
  readonly path?: string;
}

/** The response of `GET /sandbox/faults`. */
export interface FaultData {
  readonly waiting: readonly PendingFault[];
  readonly struck: readonly TriggeredFault[];
  readonly token_revoked: boolean;
  /** The sandbox's time in epoch ms. */
  readonly now: number;
  readonly methods: readonly string[];
  readonly block_types: readonly string[];
  readonly disconnect_reasons: readonly string[];
}

/** The parameter of a fault. */
export type FaultParameter =
  | {
      readonly kind: 'number';
      readonly title: string;
      readonly min: number;
      readonly max: number;
      readonly usual: number;
    }
  | {
      readonly kind: 'choice';
      readonly title: string;
      readonly choices: readonly string[];
      readonly usual: string;
    };

/** A kind of fault that can be chosen. */
export interface FaultKind {
  readonly name: string;
  readonly title: string;
  readonly about: string;
  readonly detail?: FaultParameter;
}

/** The response of the companion service to `GET /sandbox/faults`. */
export interface CompanionData {
  readonly waiting: readonly PendingFault[];
  readonly struck: readonly TriggeredFault[];
  readonly kinds: readonly FaultKind[];
  readonly routes: readonly { readonly method: string; readonly path: string; readonly summary: string }[];
}
