import type { ReactNode } from 'react';

/** Shows the type and texts of a block or element that can't be rendered. */
export function Placeholder({ block }: { readonly block: unknown }): ReactNode {
  const words = [...new Set(collectTexts(block))];
  return (
    <div className="kit-placeholder" role="note">
      <code>{readType(block)}</code>
      <span>{words.length > 0 ? words.join(' · ') : 'has no text to show'}</span>
    </div>
  );
}

function readType(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : 'unknown';
}

/** Fields that contain text for people. */
const textFields: ReadonlySet<string> = new Set([
  ...[
    'text',
    'title',
    'subtitle',
    'alt_text',
    'label',
    'name',
    'caption',
    'description',
    'fallback',
    'hint',
    'url',
  ],
]);

function collectTexts(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (textFields.has(key) && inner !== '' ? [inner] : []) : collectTexts(inner),
  );
}
