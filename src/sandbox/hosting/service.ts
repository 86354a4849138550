import type { HttpBindings } from '@hono/node-server';
import type { MiddlewareHandler } from 'hono';
import type { PathOverrides } from '../../hosting/endpoints/contract.ts';
import { type CallLog, type CallLogEntry, createCallLog } from './call-log.ts';
import { createFaultQueue, type FaultQueue } from './faults/fault-queue.ts';
import { type ApiKey, createKeyring, type Keyring } from './keyring.ts';
import type { Paging } from './paging.ts';
import { createServiceEventBus, type ServiceEventBus } from './service-events.ts';
import { type Account, createAccount } from './state/account.ts';

export interface ServiceOptions {
  readonly now: () => number;
  readonly seed: number;
  /** Maximum number of calls that each key can make in any window. */
  readonly quota: number;
  readonly windowMs: number;
  readonly vpsCount: number;
  readonly snapshotQuota: number;
  readonly pathOverrides: PathOverrides;
  /** How long every call takes, in real time. */
  readonly latencyMs: number;
  readonly allowedHosts: readonly string[];
  /** How lists are split into pages initially. */
  readonly paging: Paging;
  /** Returns the Slack workspace's address, if there is one. */
  readonly slackUrl: () => string | undefined;
}

/** The running service: its state, and the parts that tests inspect and change. */
export interface Service {
  readonly options: ServiceOptions;
  readonly account: Account;
  readonly keyring: Keyring;
  readonly calls: CallLog;
  readonly faults: FaultQueue;
  readonly events: ServiceEventBus;
  /** How lists are currently split into pages. */
  paging: Paging;
  /** Restores the initial account, keys, quota windows, calls, faults and pages. */
  reset(): void;
}

export interface ServiceEnv {
  Bindings: HttpBindings;
  Variables: { call: CallLogEntry; bodyText: string; key: ApiKey };
}

export type Middleware = MiddlewareHandler<ServiceEnv>;

/** Maximum number of calls in the log. */
const maxLoggedCalls = 10_000;

/** Creates the service in its initial state. It isn't listening yet. */
export function createService(options: ServiceOptions): Service {
  const { now, seed, vpsCount, snapshotQuota } = options;
  const keyring = createKeyring(options);
  const events = createServiceEventBus();
  const calls = createCallLog(maxLoggedCalls, (call) => events.publish({ kind: 'call', call }));
  const faults = createFaultQueue(() => events.publish({ kind: 'faults' }));
  let account = createAccount({ seed, vpsCount, snapshotQuota, nowMs: now() });

  function reset(): void {
    keyring.reset();
    calls.clear();
    faults.clear();
    account = createAccount({ seed, vpsCount, snapshotQuota, nowMs: now() });
    service.paging = options.paging;
    events.publish({ kind: 'reset' });
  }

  const service: Service = {
    options,
    get account() {
      return account;
    },
    keyring,
    calls,
    faults,
    events,
    paging: options.paging,
    reset,
  };
  return service;
}
