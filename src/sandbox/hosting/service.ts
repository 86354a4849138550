import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { OpenPaths } from '../../hosting/contract.ts';
import { type Call, type CallLog, createCallLog } from './call-log.ts';
import { createFaults, type Faults } from './faults.ts';
import { createHappenings, type Happenings } from './happenings.ts';
import { type ApiKey, createKeyring, type Keyring } from './keyring.ts';
import { type Account, createAccount } from './state/account.ts';

export interface ServiceOptions {
  readonly now: () => number;
  readonly seed: number;
  /** Calls that a key may make in any window. */
  readonly quota: number;
  readonly windowMs: number;
  readonly vpsCount: number;
  readonly openPaths: OpenPaths;
  /** How long every call takes, in real time. */
  readonly latencyMs: number;
}

/** The running service: its state, and what tests may look at and interfere with. */
export interface Service {
  readonly options: ServiceOptions;
  readonly account: Account;
  readonly keyring: Keyring;
  readonly calls: CallLog;
  readonly faults: Faults;
  readonly happenings: Happenings;
  /** Puts everything back to the beginning: account, keys, quota windows, calls, faults. */
  reset(): void;
}

/** What the steps of one call tell each other. */
export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { call: Call; bodyText: string; key: ApiKey };
}

/** Takes one step of a call on its way to its route. */
export type Step = MiddlewareHandler<ServiceEnv>;

/** Calls that the log keeps. */
const callsKept = 10_000;

/** Creates the service in its first state, not yet listening. */
export function createService(options: ServiceOptions): Service {
  const { now, seed, vpsCount } = options;
  const keyring = createKeyring(options);
  const happenings = createHappenings();
  const calls = createCallLog(callsKept, (call) => happenings.publish({ kind: 'call', call }));
  const faults = createFaults(() => happenings.publish({ kind: 'faults' }));
  let account = createAccount({ seed, vpsCount, nowMs: now() });

  function reset(): void {
    keyring.reset();
    calls.clear();
    faults.clear();
    account = createAccount({ seed, vpsCount, nowMs: now() });
    happenings.publish({ kind: 'reset' });
  }

  return {
    options,
    get account() {
      return account;
    },
    keyring,
    calls,
    faults,
    happenings,
    reset,
  };
}
