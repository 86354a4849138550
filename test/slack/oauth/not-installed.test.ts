import { describe, expect, test } from 'vitest';
import { type ErrorCode, RackhandError } from '../../../src/errors.ts';
import { findRejectionReason, formatInstallHint } from '../../../src/slack/oauth/not-installed.ts';

describe('the hint for installing the app again', () => {
  test('links to the install page if its URL is known', () => {
    expect(formatInstallHint(true, 'https://bot.example.com')).toBe(
      'An owner or admin of this workspace can install it again: <https://bot.example.com/slack/install|Add to Slack>',
    );
  });

  test('names the path of the page, or the settings at Slack if there is no page', () => {
    expect(formatInstallHint(true, undefined)).toMatch(/at \/slack\/install on Rackhand's server/);
    expect(formatInstallHint(false, 'https://bot.example.com')).toMatch(/in the app's settings at Slack/);
  });
});

test('a delivery whose workspace could not be looked up is rejected for that reason', () => {
  const toError = (code: ErrorCode) =>
    Object.assign(new Error(), {
      code: 'slack_bolt_authorization_error',
      original: new RackhandError(code, ''),
    });
  expect(findRejectionReason(toError('database_unreachable'))).toBe('database_unreachable');
  expect(findRejectionReason(toError('suspended'))).toBe('suspended');
  expect(findRejectionReason(toError('internal'))).toBeUndefined();
});
