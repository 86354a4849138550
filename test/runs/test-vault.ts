import { createVault } from '../../src/db/encryption/vault.ts';

/** A vault for tests to which the encryption doesn't matter. */
export const testVault = createVault([new Uint8Array(32)]);
