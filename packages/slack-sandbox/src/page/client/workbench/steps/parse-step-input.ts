import type { StepInput } from '../../state/control-api.ts';

const textTypes: ReadonlySet<string> = new Set([
  'string',
  'slack#/types/user_id',
  'slack#/types/channel_id',
  'slack#/types/usergroup_id',
  'slack#/types/message_ts',
  'slack#/types/date',
  'slack#/types/timestamp',
]);

/** Returns whether inputs of this type are typed as JSON, because they are objects or lists. */
export function isJsonType(type: string): boolean {
  return !textTypes.has(type) && !['boolean', 'number', 'integer'].includes(type);
}

/** Returns the value of an input for what was typed. An empty field has none. Throws if JSON is malformed. */
export function parseStepInput({ name, title, type }: StepInput, text: string): unknown {
  if (text === '') return undefined;
  if (type === 'number' || type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (!isJsonType(type)) return text;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Error(`${title || name} must be JSON, such as {"id": "U0ALICE"} or "text".`, { cause });
  }
}
