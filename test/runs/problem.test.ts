import { describe, expect, test } from 'vitest';
import { type ErrorCode, RackhandError } from '../../src/errors.ts';
import { HostingError, type HostingFailure } from '../../src/hosting/hosting-error.ts';
import {
  cancelledProblem,
  declinedProblem,
  deniedProblem,
  expiredProblem,
  interruptedProblem,
  isOutcomeUnknown,
  lostReplyProblem,
  mistypedProblem,
  notRunOwnerProblem,
  personalizeKeyRemedy,
  toProblem,
  unreadableRunProblem,
} from '../../src/runs/problem.ts';

const unknown = "It's unknown whether anything was changed.";
const nothing = 'Nothing was changed.';
const check = 'Check the target before you retry.';

describe('after a failed change', () => {
  const fail = (failure: HostingFailure, code: ErrorCode = 'service_failed') =>
    toProblem(new HostingError(code, 'It failed.', failure), { isChanging: true });

  test.each<[string, HostingFailure, string]>([
    ['was not sent', { sendState: 'not-sent' }, nothing],
    ['was refused', { sendState: 'answered', status: 422 }, nothing],
    ['was answered without a status', { sendState: 'answered' }, nothing],
    ['got no answer', { sendState: 'unknown' }, `${unknown} Rackhand won't send the call again by itself.`],
    [
      'failed at the service',
      { sendState: 'answered', status: 500 },
      "The service didn't say whether anything was changed.",
    ],
  ])('a person reads what was changed if the call %s', (_, failure, changed) => {
    const problem = fail(failure);
    expect(problem).toMatchObject({ code: 'service_failed', message: 'It failed.', changed });
    expect(isOutcomeUnknown(problem)).toBe(changed !== nothing);
    if (changed === nothing) expect(problem.advice).toContain('Try again in a few minutes');
    else expect(problem.advice).toBe(check);
    expect(problem).not.toHaveProperty('serviceMessage');
    expect(problem).not.toHaveProperty('nextSteps');
  });

  test.each<[unknown, ErrorCode, string]>([
    [new RackhandError('stopped', 'It failed.'), 'stopped', unknown],
    [new RackhandError('deadline_passed', 'It failed.'), 'deadline_passed', unknown],
    [new RackhandError('input_invalid', 'It failed.'), 'input_invalid', nothing],
    [new Error('a bug'), 'internal', unknown],
  ])('an error that is not of the service says so too: %s', (error, code, changed) => {
    const problem = toProblem(error, { isChanging: true });
    expect(problem).toMatchObject({ code, changed });
    expect(problem.message).toBe(code === 'internal' ? 'Something went wrong in Rackhand.' : 'It failed.');
    expect(toProblem(error, { isChanging: false })).toMatchObject({ code, changed: nothing });
  });

  test('the words of the service are shown, and the key can be replaced by an admin', () => {
    const failure = { sendState: 'answered', status: 401, serviceMessage: 'Revoked.' } as const;
    const problem = fail(failure, 'key_rejected');
    expect(problem).toMatchObject({
      serviceMessage: 'Revoked.',
      nextSteps: [{ label: expect.stringContaining('Key') }],
    });
    expect(fail({ sendState: 'answered', isMessageHidden: true }).message).toBe(
      "It failed. Its own message isn't shown, because it may contain a secret.",
    );
    const own = { label: 'Other', operation: 'list', input: {} };
    const more = { ...problem, nextSteps: [...(problem.nextSteps ?? []), own] };
    expect(personalizeKeyRemedy(more, true)).toMatchObject({
      advice: 'The key may have been revoked. Replace it.',
      nextSteps: more.nextSteps,
    });
    expect(personalizeKeyRemedy(more, false)).toEqual({ ...more, nextSteps: [own] });
    expect(personalizeKeyRemedy({ ...more, advice: 'Wait.' }, true).advice).toBe('Wait.');
    expect(personalizeKeyRemedy(expiredProblem(), false)).toEqual(expiredProblem());
  });
});

test('work that was interrupted can be run again if it changed nothing', () => {
  const run = { operation: 'show', input: { vps: 'VPS-10001' } };
  expect(lostReplyProblem(run.operation, run.input)).toMatchObject({
    code: 'stopped',
    changed: nothing,
    nextSteps: [{ label: 'Try Again', ...run }],
  });
  const change = interruptedProblem('Rackhand restarted.', { isChanging: true }, run);
  expect(change).toMatchObject({ changed: unknown, advice: check });
  expect(change).not.toHaveProperty('nextSteps');
  expect(unreadableRunProblem({ isChanging: true }).changed).toBe(unknown);
  expect(unreadableRunProblem({ isChanging: false }).changed).toBe(nothing);
});

test('a refusal says who decided, and what to do', () => {
  expect(declinedProblem('U0BOB', false)).toMatchObject({
    code: 'cancelled',
    message: 'This request was declined.',
    advice: 'Talk to the person who declined the request.',
    decidedBy: 'U0BOB',
  });
  expect(declinedProblem('U0ALICE', true)).toMatchObject({
    message: 'The requester withdrew this request.',
    advice: 'Run the command again whenever you like.',
  });
  expect(deniedProblem({ message: 'No.', advice: 'Ask.' })).toMatchObject({
    ...{ code: 'not_permitted', message: 'No.', advice: 'Ask.', nextSteps: [] },
  });
  expect(cancelledProblem()).toMatchObject({ code: 'cancelled', message: 'You cancelled this.' });
  expect(expiredProblem()).toMatchObject({ code: 'deadline_passed', changed: nothing });
  expect(mistypedProblem('VPS-10001').message).toBe("The text doesn't match VPS-10001.");
  expect(notRunOwnerProblem()).toMatchObject({ code: 'not_run_owner' });
});
