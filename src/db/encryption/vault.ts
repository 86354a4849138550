import { createHash, createSecretKey } from 'node:crypto';
import { CompactEncrypt, compactDecrypt, decodeProtectedHeader } from 'jose';
import { RackhandError } from '../../errors.ts';

/** The context to which a ciphertext is bound, so that secrets can't be swapped between rows. */
export interface EncryptionContext {
  readonly purpose:
    | 'bot-token'
    | 'refresh-token'
    | 'api-key'
    | 'instance-secret'
    | 'one-time-secret'
    | 'response-url';
  /**
   * ID of a workspace or run, or an instance secret's name. For a one-time secret, the workspace, person
   * and secret ID.
   */
  readonly owner: string;
}

export interface Vault {
  /** Encrypts a secret with the first key and returns it as a compact JWE. */
  encrypt(secret: string, context: EncryptionContext): Promise<string>;
  /** Decrypts a JWE. Throws `secret_unreadable` if its context is different or its key is unknown. */
  decrypt(jwe: string, context: EncryptionContext): Promise<string>;
  /** Returns which key a secret was encrypted with, without decrypting it. `primary` is the first key. */
  matchKey(jwe: string): 'primary' | 'secondary' | 'unknown';
}

/** Creates a vault from 256-bit keys. The first key is used to encrypt; any of the keys can decrypt. */
export function createVault(keys: readonly [Uint8Array, ...Uint8Array[]]): Vault {
  // Keys are imported only once. Importing a key for each secret would make encryption take 50% longer.
  const byId = new Map(keys.map((key) => [deriveKeyId(key), importKey(key)]));
  const primaryId = deriveKeyId(keys[0]);
  const primaryKey = importKey(keys[0]);

  return {
    encrypt(secret, { purpose, owner }) {
      return new CompactEncrypt(new TextEncoder().encode(secret))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM', kid: primaryId, purpose, owner })
        .encrypt(primaryKey);
    },
    async decrypt(jwe, { purpose, owner }) {
      try {
        const { plaintext, protectedHeader } = await compactDecrypt(
          jwe,
          ({ kid }) => {
            const key = byId.get(kid ?? '');
            if (!key) throw new Error('encrypted with a key that is not in ENCRYPTION_KEYS');
            return key;
          },
          { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] },
        );
        if (protectedHeader.purpose !== purpose || protectedHeader.owner !== owner) {
          throw new Error('encrypted for another context');
        }
        return new TextDecoder().decode(plaintext);
      } catch (cause) {
        throw new RackhandError(
          'secret_unreadable',
          `A stored secret (${purpose}) can't be decrypted with ENCRYPTION_KEYS.`,
          { cause },
        );
      }
    },
    matchKey(jwe) {
      const kid = readKeyId(jwe);
      if (kid === primaryId) return 'primary';
      return byId.has(kid) ? 'secondary' : 'unknown';
    },
  };
}

/** Returns the key ID in a JWE's header, or an empty string if there is none. */
function readKeyId(jwe: string): string {
  try {
    return decodeProtectedHeader(jwe).kid ?? '';
  } catch {
    return '';
  }
}

function importKey(key: Uint8Array) {
  return createSecretKey(key).toCryptoKey('AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Derives a key's ID, which doesn't reveal the key. */
function deriveKeyId(key: Uint8Array): string {
  return createHash('sha256').update(key).digest('base64url').slice(0, 12);
}
