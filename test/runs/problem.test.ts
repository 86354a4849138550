import { describe, expect, test } from 'vitest';
import { type ErrorCode, RackhandError } from '../../src/errors.ts';
import { HostingError, type HostingFailure } from '../../src/hosting/hosting-error.ts';
import { isOutcomeUnknown, toProblem } from '../../src/runs/problem.ts';

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
  });
});
