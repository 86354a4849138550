import type { PlainTextElement } from '@slack/types';
import type { ReactNode } from 'react';
import { unescapeEntities } from '../../../../mrkdwn/parse-mrkdwn.ts';
import type { Text } from '../block-shapes.ts';
import { EmojiText } from './inline-elements.tsx';
import { Mrkdwn } from './mrkdwn.tsx';

/** Shows a text object of either kind. */
export function TextView({ text }: { readonly text: Text }): ReactNode {
  if (text.type === 'mrkdwn') return <Mrkdwn text={text.text} verbatim={text.verbatim ?? false} />;
  return <PlainText text={text} />;
}

/** Shows text without markup, but with emoji and line breaks. */
export function PlainText({ text: { text, emoji = true } }: { readonly text: PlainTextElement }): ReactNode {
  const shown = unescapeEntities(text);
  return <span className="kit-plain">{emoji ? <EmojiText text={shown} /> : shown}</span>;
}
