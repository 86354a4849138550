import { describe, expect, test } from 'vitest';
import { howToInstall } from '../../src/slack/install/not-installed.ts';

describe('how the app comes back to a workspace', () => {
  test('is a link where the address of its page is known', () => {
    expect(howToInstall(true, 'https://bot.example.com')).toBe(
      'An owner or admin of this workspace can install it again: <https://bot.example.com/slack/install|Add to Slack>',
    );
  });

  test('is said where it is not, and where it has no such page', () => {
    expect(howToInstall(true, undefined)).toMatch(/at \/slack\/install of the address where Rackhand runs/);
    expect(howToInstall(false, 'https://bot.example.com')).toMatch(/in the settings of the app at Slack/);
  });
});
