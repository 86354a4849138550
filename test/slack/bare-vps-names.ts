/** Fields of blocks that people don't see. */
const invisibleFields = new Set(['value', 'block_id', 'action_id', 'private_metadata', 'type', 'url']);

function* listVisibleTexts(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  if (typeof value !== 'object' || value === null) return;
  // Text to copy stays as the service writes it.
  if ('style' in value && JSON.stringify(value.style).includes('"code":true')) return;
  for (const [field, inner] of Object.entries(value))
    if (!invisibleFields.has(field)) yield* listVisibleTexts(inner);
}

/** Returns the visible texts that show a VPS of the sandbox without its label. */
export function findBareVpsNames({ text, blocks }: { text?: string; blocks: unknown }): readonly string[] {
  return [...listVisibleTexts([text ?? '', blocks])].filter((one) => /(?<!\()\bVPS-1\d{4}\b/.test(one));
}
