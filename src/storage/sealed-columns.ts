import type { Schema } from './schema.ts';
import type { SecretUse } from './vault.ts';

/** A column that holds secrets, each a compact JWE. */
export interface SealedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  /** What a row is known by; its secret is bound to that as its owner. */
  readonly key: string;
  readonly purpose: SecretUse['purpose'];
  /** What people call one of these, and several. */
  readonly nouns: readonly [one: string, several: string];
  /** Holds when a row ends, in epoch ms: after that nobody reads it any more. */
  readonly expiry?: string;
}

/** Every column that holds secrets: what is encrypted anew with a new key, and looked at when Rackhand starts. */
export const sealedColumns: readonly SealedColumn[] = [
  {
    table: 'installation',
    column: 'bot_token_jwe',
    key: 'team_id',
    purpose: 'bot-token',
    nouns: ['Slack token', 'Slack tokens'],
  },
  {
    table: 'api_key',
    column: 'api_key_jwe',
    key: 'team_id',
    purpose: 'api-key',
    nouns: ['API key', 'API keys'],
  },
  {
    table: 'own_secret',
    column: 'secret_jwe',
    key: 'name',
    purpose: 'own-secret',
    nouns: ["secret of Rackhand's own", "secrets of Rackhand's own"],
  },
  {
    table: 'secret',
    column: 'secret_jwe',
    key: 'id',
    purpose: 'shown-once',
    nouns: ['secret to be shown once', 'secrets to be shown once'],
    expiry: 'expires_at',
  },
];
