import type { Schema } from '../schema/schema.ts';
import type { EncryptionContext } from './vault.ts';

/** A column whose values are secrets, stored as compact JWEs. */
export interface EncryptedColumn {
  readonly table: keyof Schema;
  readonly column: string;
  readonly keyColumn: string;
  /** The columns that identify the owner to which a secret is bound, joined by slashes. Defaults to the key column. */
  readonly ownerColumns?: readonly string[];
  readonly purpose: EncryptionContext['purpose'];
  /** What messages call the secret, in singular and plural. */
  readonly nouns: readonly [singular: string, plural: string];
  /** The column that contains a row's expiry time (epoch ms). Expired rows are skipped. */
  readonly expiresAtColumn?: string;
}

/**
 * All columns that contain long-lived secrets. They are checked at startup and re-encrypted by `npm run
 * rekey`. Response URLs aren't included, because they expire within 30 minutes.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    table: 'installation',
    column: 'bot_token_jwe',
    keyColumn: 'team_id',
    purpose: 'bot-token',
    nouns: ['Slack token', 'Slack tokens'],
  },
  {
    table: 'installation',
    column: 'refresh_token_jwe',
    keyColumn: 'team_id',
    purpose: 'refresh-token',
    nouns: ['Slack refresh token', 'Slack refresh tokens'],
  },
  {
    table: 'api_key',
    column: 'api_key_jwe',
    keyColumn: 'team_id',
    purpose: 'api-key',
    nouns: ['API key', 'API keys'],
  },
  {
    table: 'instance_secret',
    column: 'secret_jwe',
    keyColumn: 'name',
    purpose: 'instance-secret',
    nouns: ['instance secret', 'instance secrets'],
  },
  {
    table: 'one_time_secret',
    column: 'secret_jwe',
    keyColumn: 'id',
    ownerColumns: ['team_id', 'user_id', 'id'],
    purpose: 'one-time-secret',
    nouns: ['one-time secret', 'one-time secrets'],
    expiresAtColumn: 'expires_at',
  },
];
