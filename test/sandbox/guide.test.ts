import { describe, expect, test } from 'vitest';
import { createGuideSteps, type GuideEvent } from '../../src/sandbox/guide.ts';
import type { CallLogEntry } from '../../src/sandbox/hosting/call-log.ts';

const answered: CallLogEntry = {
  id: 1,
  at: 0,
  method: 'POST',
  path: '/v1/vps/VPS-10001/action',
  query: {},
  body: { action: 'reboot' },
  status: 200,
  key: 'sandbox-key-full',
  tookMs: 3,
  answer: null,
  isOverQuota: false,
  fault: null,
};

const called = (facts: Partial<CallLogEntry>): GuideEvent => ({
  kind: 'call',
  call: { ...answered, ...facts },
});
const createReadEvent = (facts: Partial<CallLogEntry>): GuideEvent => ({
  kind: 'opened',
  call: { ...answered, ...facts },
});

/** Returns which steps an event completes. */
function ticked(happening: GuideEvent): string[] {
  return createGuideSteps('http://127.0.0.1:4010')
    .filter((lesson) => lesson.isCompletedBy(happening))
    .map(({ id }) => id);
}

describe('a step of the guide', () => {
  test.each([
    ['a reboot that was answered well', called({}), ['reboot']],
    ['a reboot that has not been answered', called({ status: 0, tookMs: null }), []],
    ['a reboot that was refused', called({ status: 409 }), []],
    ['another action', called({ body: { action: 'stop' } }), []],
    [
      'a load balancer that was created',
      called({ path: '/v1/services/webgate/load-balancers' }),
      ['load-balancer'],
    ],
    [
      'a load balancer that was deleted',
      called({ method: 'DELETE', path: '/v1/services/webgate/load-balancers/a.example' }),
      [],
    ],
    ['a look at a call that changed something', createReadEvent({}), ['look']],
    ['a look at a read', createReadEvent({ method: 'GET' }), []],
    ['a reboot of web-02', called({ path: '/v1/vps/VPS-10002/action' }), ['reboot', 'approval']],
    [
      'an alert',
      { kind: 'message', text: '⚠️ worker-01 (VPS-10004): CPU 94% (over 90%)' } as const,
      ['alert'],
    ],
    ['a report', { kind: 'message', text: '1 of 12 needs a look: legacy-01 stopped' } as const, ['report']],
    ['another message', { kind: 'message', text: 'Reboot web-01: Done' } as const, []],
    ['a reset', { kind: 'reset' } as const, []],
  ])('is completed by its real event: %s', (_what, happening, steps) => {
    expect(ticked(happening)).toEqual(steps);
  });
});

test('every step has something to try', () => {
  const lessons = createGuideSteps('http://127.0.0.1:4010');
  expect(new Set(lessons.map(({ id }) => id)).size).toBe(lessons.length);
  for (const lesson of lessons) expect(lesson.try).toBeDefined();
});
