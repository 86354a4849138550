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
export function isCryptoPending(): boolean {
  return pending > 0;
}
