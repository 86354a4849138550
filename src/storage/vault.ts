import { createHash } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { RackhandError } from '../error.ts';

/** What a secret is for: bound into its ciphertext, so that rows cannot be swapped. */
export interface SecretUse {
  readonly purpose: 'bot-token' | 'api-key' | 'own-secret' | 'shown-once';
  /** Workspace, the name of an own secret, or the id of what is shown once. */
  readonly owner: string;
}

export interface Vault {
  /** Encrypts with the first key; gives a compact JWE. */
  seal(secret: string, use: SecretUse): Promise<string>;
  /** Decrypts what was sealed for the same use. Throws `secret_unreadable`. */
  open(jwe: string, use: SecretUse): Promise<string>;
  /** Tells which of the keys a secret was sealed with, and decrypts nothing: the first, which seals now, another, or none of them. */
  keyOf(jwe: string): 'first' | 'other' | 'none';
}

/** Creates the vault of the given 256-bit keys, of which the first encrypts. */
export function createVault(keys: readonly [Uint8Array, ...Uint8Array[]]): Vault {
  const byId = new Map(keys.map((key) => [keyId(key), key]));
  const [sealing] = keys;

  return {
    seal(secret, { purpose, owner }) {
      return new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: keyId(sealing), purpose, owner })
        .encrypt(sealing);
    },
    async open(jwe, { purpose, owner }) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(
          jwe,
          ({ kid }) => {
            const key = byId.get(kid ?? '');
            if (!key) throw new Error('sealed with a key that is not among ENCRYPTION_KEYS');
            return key;
          },
          { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        );
        if (protectedHeader.purpose !== purpose || protectedHeader.owner !== owner) {
          throw new Error('sealed for another use');
        }
        return new TextDecoder().decode(plaintext);
      } catch (cause) {
        throw new RackhandError(
          'secret_unreadable',
          `A stored secret (${purpose}) cannot be decrypted with ENCRYPTION_KEYS.`,
          { cause },
        );
      }
    },
    keyOf(jwe) {
      const kid = keyIdIn(jwe);
      if (kid === keyId(sealing)) return 'first';
      return byId.has(kid) ? 'other' : 'none';
    },
  };
}

/** Reads the name of the key that a secret says it was sealed with. */
function keyIdIn(jwe: string): string {
  try {
    return decodeProtectedHeader(jwe).kid ?? '';
  } catch {
    return '';
  }
}

/** Names a key without telling anything of it. */
function keyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 12);
}
