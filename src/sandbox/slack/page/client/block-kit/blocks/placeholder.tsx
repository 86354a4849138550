import type { ReactNode } from 'react';

/** Shows what a block or element that the page cannot draw is, and every text in it, so that nothing is lost. */
export function Placeholder({ block }: { readonly block: unknown }): ReactNode {
  const words = [...new Set(wordsIn(block))];
  return (
    <div className="kit-placeholder" role="note">
      <code>{typeIn(block)}</code>
      <span>{words.length > 0 ? words.join(' · ') : 'has no text to show'}</span>
    </div>
  );
}

function typeIn(value: unknown): string {
  return typeof value === 'object' && value !== null && 'type' in value ? String(value.type) : 'unknown';
}

/** Fields whose text is for people. */
const shown: ReadonlySet<string> = new Set([
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

function wordsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    typeof inner === 'string' ? (shown.has(key) && inner !== '' ? [inner] : []) : wordsIn(inner),
  );
}
