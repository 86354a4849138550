import { expect, test } from 'vitest';
import type { Message } from '../../../src/messages/message.ts';
import { reportKinds } from '../../../src/monitoring/reports/delivery/report-messages.ts';
import { createReportKinds } from '../../../src/slack/messages/report-kinds.ts';

const dueMs = Date.parse('2026-11-23T08:00Z');
const hourMs = 3_600_000;

test.each([
  { postedMs: null, isLate: true },
  { postedMs: dueMs, isLate: false },
])('a report says that it is late if it is posted late, not if it is edited later: %o', async (given) => {
  const { [reportKinds.report]: kind } = createReportKinds({
    clients: Object.assign(() => Promise.reject(new Error('nothing is sent')), {
      apiUrl: '',
      adapt: (_: string, message: object) => ({ ...message }),
    }),
    findChannelSteps: async () => () => true,
    now: () => dueMs + hourMs,
  });
  const content = { outcome: { title: 'One VPS' }, dueMs, zone: 'UTC' };
  const message: Message = {
    ...{ teamId: 'T0ACME', key: 'report:1:2', kind: reportKinds.report, content, about: '', creator: null },
    ...{ channel: 'C0OPS', queueChannel: 'C0OPS', movedFrom: null, fallbacks: [], threadTs: null },
    ...{
      version: 1,
      ref: null,
      postingMs: null,
      isMinor: false,
      mayRepeat: false,
      attempts: 0,
      givenUpMs: null,
    },
    postedMs: given.postedMs,
  };
  const [shown] = (await kind?.render(message)) ?? [];
  expect(/This report is late/.test(JSON.stringify(shown))).toBe(given.isLate);
});
