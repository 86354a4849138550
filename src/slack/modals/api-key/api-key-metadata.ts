import { z } from 'zod';
import type { KeyAction } from '../../../workspaces/api-key/api-key-manager.ts';
import type { Invocation } from '../../invocation.ts';

/** Key actions that have a modal. */
export const keyActions = ['connect', 'rotate', 'disconnect'] as const satisfies readonly KeyAction[];

/** Schema of a modal's `private_metadata`: its action and origin, but nothing about a key. */
const metadataSchema = z.object({
  act: z.enum(keyActions),
  channel: z.string().optional(),
  threadTs: z.string().optional(),
  responseUrl: z.string().optional(),
});

export type ApiKeyMetadata = z.infer<typeof metadataSchema>;

export function createApiKeyMetadata(act: KeyAction, { origin }: Invocation): ApiKeyMetadata {
  return { act, ...origin };
}

export function parseApiKeyMetadata(text: string): ApiKeyMetadata {
  return metadataSchema.parse(JSON.parse(text));
}
