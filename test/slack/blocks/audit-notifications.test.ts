import fc from 'fast-check';
import { findMentions, validateMessage } from 'slack-sandbox';
import { expect, test } from 'vitest';
import type { AuditNotification } from '../../../src/audit/subscriptions/audit-notification.ts';
import { renderAuditNotifications } from '../../../src/slack/messages/audit-kinds.ts';
import { anyCharacter } from '../../arbitraries/any-character.ts';

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 3_000 }),
  fc.constantFrom(
    '<!channel>',
    '<@U0BOB>',
    '@here',
    '<!subteam^S0ONCALL>',
    '*_~`',
    '\u202Ereboot',
    '',
    ' \n ',
  ),
);

const notification: fc.Arbitrary<AuditNotification> = fc.record(
  {
    statusText: hostile,
    action: hostile,
    actors: hostile,
    durationMs: fc.option(fc.nat()),
    summary: hostile,
  },
  { requiredKeys: ['statusText', 'action', 'actors', 'durationMs'] },
);

test('activity log entries are accepted by Slack and mention nobody, whatever names they contain', () => {
  fc.assert(
    fc.property(fc.array(notification, { minLength: 1, maxLength: 20 }), (several) => {
      const message = renderAuditNotifications(several);
      expect(validateMessage(message)).toEqual([]);
      expect(findMentions(message)).toEqual([]);
    }),
    { numRuns: 500 },
  );
});

test('each activity log entry is one line', () => {
  const one: AuditNotification = {
    statusText: '✅ Done',
    action: 'reboot VPS-1\nVPS-2',
    actors: 'alice',
    durationMs: 90_000,
  };
  const message = renderAuditNotifications([one, { ...one, summary: 'So it is.' }]);
  const text = [...JSON.stringify(message.blocks).matchAll(/"text":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, words]) => words)
    .join('');
  expect(text.split('\\n')).toEqual([
    'reboot VPS-1 VPS-2 · ✅ Done · alice · 1 min 30 s',
    'reboot VPS-1 VPS-2 · ✅ Done · alice · 1 min 30 s · So it is.',
  ]);
});
