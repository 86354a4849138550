import { AsyncLocalStorage } from 'node:async_hooks';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import os from 'node:os';
import timersPromises from 'node:timers/promises';
import type { Random } from './random.ts';

const methods = ['encrypt', 'decrypt', 'importKey', 'exportKey', 'digest', 'sign', 'deriveBits'] as const;

let pending = 0;

// Web Crypto works in other threads and takes real time. The simulation waits for it. Otherwise, the
// load of the machine would decide what happens first, and not the seed.
for (const method of methods) {
  const original: unknown = SubtleCrypto.prototype[method];
  if (typeof original !== 'function') throw new Error(`Web Crypto has no ${method}`);
  Object.defineProperty(SubtleCrypto.prototype, method, {
    async value(this: unknown, ...parameters: unknown[]): Promise<unknown> {
      pending += 1;
      try {
        return await Reflect.apply(original, this, parameters);
      } finally {
        pending -= 1;
      }
    },
  });
}

/** Whether an operation of Web Crypto is under way. */
function isCryptoPending(): boolean {
  return pending > 0;
}

/** A simulated process, as far as its timers are concerned. */
export interface TimerOwner {
  isDead: boolean;
  /** Its timers fire when it is no longer frozen. */
  frozenUntilMs: number;
}

interface Timer {
  readonly atMs: number;
  /** Orders timers of the same time. */
  readonly rank: number;
  readonly owner: TimerOwner | undefined;
  readonly run: () => void;
}

/** 2026-11-23 08:00 UTC. */
const startMs = Date.UTC(2026, 10, 23, 8);

const realSetImmediate = setImmediate;

/**
 * Time that passes only when the simulation advances it. Replaces the timers, clocks and random
 * sources of Node.js, so that a seed decides everything.
 */
export type VirtualTime = ReturnType<typeof createVirtualTime>;

export function createVirtualTime(random: Random, clockOffsetMs: () => number) {
  const timers = new Set<Timer>();
  const owners = new AsyncLocalStorage<TimerOwner>();
  let nowMs = 0;
  let ids = 0;

  function addTimer(delayMs: number, run: () => void): Timer {
    const atMs = nowMs + Math.max(1, Number.isFinite(delayMs) ? delayMs : 1);
    const timer = { atMs, rank: random.fraction(), owner: owners.getStore(), run };
    timers.add(timer);
    return timer;
  }

  const firesAt = ({ atMs, owner }: Timer) => Math.max(atMs, owner?.frozenUntilMs ?? 0);

  function takeNext(untilMs: number): Timer | undefined {
    let next: Timer | undefined;
    let nextMs = untilMs;
    for (const timer of timers) {
      if (timer.owner?.isDead) timers.delete(timer);
      else {
        const atMs = firesAt(timer);
        if (atMs > nextMs || (atMs === nextMs && next && timer.rank > next.rank)) continue;
        next = timer;
        nextMs = atMs;
      }
    }
    if (next) timers.delete(next);
    return next;
  }

  /** Lets all promises settle that don't wait for a timer. */
  async function settle(): Promise<void> {
    do await new Promise<void>((resolve) => realSetImmediate(resolve));
    while (isCryptoPending());
  }

  /** Returns a timer as Node.js does. */
  function toHandle(timer: { current: Timer }) {
    const handle = { timer, ref: () => handle, unref: () => handle, hasRef: () => true };
    return handle;
  }

  function clear(handle: unknown): void {
    if (typeof handle === 'object' && handle !== null && 'timer' in handle)
      timers.delete((handle.timer as { current: Timer }).current);
  }

  /** The timer of `node:timers/promises`. */
  function delay<T>(delayMs?: number, value?: T, { signal }: { readonly signal?: AbortSignal } = {}) {
    return new Promise<T | undefined>((resolve, reject) => {
      const abort = () => {
        timers.delete(timer);
        reject(signal?.reason);
      };
      const timer = addTimer(delayMs ?? 1, () => {
        signal?.removeEventListener('abort', abort);
        resolve(value);
      });
      if (signal?.aborted) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  }

  const wallNow = () => Math.floor(startMs + nowMs) + clockOffsetMs();
  const replaced = {
    setTimeout: (run: (...args: unknown[]) => void, delayMs = 0, ...args: unknown[]) =>
      toHandle({ current: addTimer(delayMs, () => run(...args)) }),
    clearTimeout: clear,
    setInterval(run: () => void, delayMs: number) {
      const timer = { current: addTimer(delayMs, fire) };
      function fire() {
        timer.current = addTimer(delayMs, fire);
        run();
      }
      return toHandle(timer);
    },
    clearInterval: clear,
  };

  return {
    /** Milliseconds since the start. Never jumps. */
    now: () => nowMs,
    /** The time of day (epoch ms). */
    wallNow,
    /** Runs code as part of a process. */
    runAs: <T>(owner: TimerOwner, work: () => T): T => owners.run(owner, work),
    /** Runs code that doesn't belong to any process. */
    outside: <T>(work: () => T): T => owners.exit(work),
    sleep: (ms: number) => new Promise<void>((resolve) => void addTimer(ms, resolve)),
    settle,

    /** Fires timers until `isDone` returns true or the time is up. */
    async advance(untilMs: number, isDone: () => boolean = () => false): Promise<void> {
      await settle();
      while (!isDone()) {
        const timer = takeNext(untilMs);
        if (!timer) {
          nowMs = untilMs;
          return;
        }
        nowMs = Math.max(nowMs, firesAt(timer));
        if (timer.owner) owners.run(timer.owner, timer.run);
        else timer.run();
        await settle();
      }
    },

    /** Replaces the clocks, timers and random sources. Returns a function that restores them. */
    install(): () => void {
      const real = {
        globals: Object.fromEntries(
          Object.keys(replaced).map((name) => [name, Reflect.get(globalThis, name)]),
        ),
        dateNow: Date.now,
        random: Math.random,
        randomUUID: crypto.randomUUID,
        performanceNow: performance.now,
        uptime: os.uptime,
        delay: timersPromises.setTimeout,
      };
      Object.assign(globalThis, replaced);
      Date.now = wallNow;
      Math.random = random.fraction;
      performance.now = () => nowMs;
      os.uptime = () => nowMs / 1_000;
      Object.assign(timersPromises, { setTimeout: delay });
      crypto.randomUUID = () => {
        ids += 1;
        return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
      };
      syncBuiltinESMExports();
      return () => {
        Object.assign(globalThis, real.globals);
        Date.now = real.dateNow;
        Math.random = real.random;
        performance.now = real.performanceNow;
        os.uptime = real.uptime;
        timersPromises.setTimeout = real.delay;
        crypto.randomUUID = real.randomUUID;
        syncBuiltinESMExports();
      };
    },
  };
}
