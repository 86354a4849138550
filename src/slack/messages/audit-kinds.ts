import type { types } from '@slack/bolt';
import { toDurationValue } from '../../audit/audit-entry.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { AuditNotification } from '../../audit/subscriptions/audit-notification.ts';
import { auditMessageContent, auditMessageKind } from '../../audit/subscriptions/audit-notifier.ts';
import type { Catalogue } from '../../operations/define/operation.ts';
import { notificationText, toPrintable, truncate } from '../blocks/elements/text.ts';
import { formatValue } from '../blocks/elements/value.ts';
import type { Message } from '../blocks/message.ts';
import type { MessageKind } from './transport.ts';

/** Creates the kind of message that shows activity log entries. Mentions nobody. */
export function createAuditKinds(
  { loadNotifications }: Pick<AuditLog, 'loadNotifications'>,
  catalogue: Catalogue,
): Readonly<Record<string, MessageKind>> {
  return {
    [auditMessageKind]: {
      async render({ teamId, content }) {
        const { runIds } = auditMessageContent.parse(content);
        const notifications = await loadNotifications(teamId, runIds, catalogue);
        return notifications.length === 0 ? [] : [renderAuditNotifications(notifications)];
      },
    },
  };
}

/** Maximum lengths of a line's parts. A message contains up to twenty lines. */
const maxActionChars = 120;
const maxActorChars = 120;
const maxOutcomeChars = 200;

/** Renders activity log entries, one line each. Rich text keeps untrusted text from mentioning anyone. */
export function renderAuditNotifications(notifications: readonly AuditNotification[]): Message {
  const lines = notifications.map(toLine);
  const elements = lines.flatMap(({ what, rest }, index): types.RichTextElement[] => [
    { type: 'text', text: `${index === 0 ? '' : '\n'}${what}`, style: { bold: true } },
    { type: 'text', text: rest },
  ]);
  const [first] = lines;
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : '';
  return {
    text: notificationText(`${first?.what ?? ''}${first?.rest ?? ''}${more}`),
    blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
  };
}

function toLine({ statusText, action, actors, durationMs, summary }: AuditNotification) {
  const parts = [
    statusText,
    formatPart(actors, maxActorChars),
    ...(durationMs === null ? [] : [formatValue(toDurationValue(durationMs))]),
    ...(summary === undefined ? [] : [formatPart(summary, maxOutcomeChars)]),
  ];
  return { what: formatPart(action, maxActionChars), rest: ` · ${parts.join(' · ')}` };
}

function formatPart(text: string, maxChars: number): string {
  return truncate(toPrintable(text).replace(/\s+/g, ' '), maxChars);
}
