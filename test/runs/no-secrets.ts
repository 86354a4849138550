import type { SecretStore } from '../../src/runs/secrets/secret-store.ts';

export const noSecrets: Pick<SecretStore, 'findOwner'> = { findOwner: async () => undefined };
