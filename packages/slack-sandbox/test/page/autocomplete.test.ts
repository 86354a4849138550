import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { autocomplete } from '../../src/page/client/composer/autocomplete.ts';
import type { WorkspaceData } from '../../src/page/client/state/control-api.ts';
import { createTimestampFormatter } from '../../src/page/client/state/timestamp-formatter.ts';

const person = { real_name: 'Alice Adams', role: 'owner', team_id: 'T0ACME', tz: 'UTC' } as const;
const channel = { members: [], has_app: true, is_archived: false, is_private: false, is_shared: false };
const app = {
  id: 'A0SANDBOX',
  number: 1,
  app_token: 'xapp-sandbox',
  name: 'Tester',
  bot_id: 'B0ACME',
  user_id: 'U0APPACME',
  home_tab: true,
  messages_tab: 'open',
  is_assistant: false,
  delivery: 'socket',
  connections: 1,
} as const;
const workspace: WorkspaceData = {
  team: { id: 'T0ACME', name: 'Acme', domain: 'acme' },
  teams: [],
  app,
  apps: [app],
  people: [{ id: 'U0ALICE', name: 'alice', ...person }],
  channels: [{ id: 'C0OPS', name: 'ops', ...channel }],
  groups: [{ id: 'S0ONCALL', handle: 'on-call', name: 'On call', users: ['U0ALICE'] }],
  commands: [{ command: '/vps', description: 'Run a VPS operation' }],
  shortcuts: [],
  functions: [],
  mcp_servers: [],
};

describe('typed text is completed', () => {
  test.each([
    ['/', ['/vps', '/invite', '/remove', '/archive']],
    ['/v', ['/vps', '/invite', '/remove', '/archive'].filter((command) => command.includes('v'))],
    ['ask @adams', ['@alice']],
    ['(@onc', undefined],
    ['(@on', ['@on-call']],
    ['in #o', ['#ops']],
    ['/vps', undefined],
    ['/vps list', undefined],
    ['mail bob@al', undefined],
    ['say /v', undefined],
  ])('%j offers %j', (typed, offered) => {
    expect(autocomplete(typed, workspace)?.suggestions.map(({ text }) => text)).toEqual(offered);
  });

  test('a completion replaces only the last word, whatever is typed', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom('@', '#', '/', '@a', '#o'), (before, part) => {
        const typed = before + part;
        const found = autocomplete(typed, workspace);
        expect(found === undefined || /^[@#/]/.test(typed.slice(found.from))).toBe(true);
      }),
    );
  });
});

describe("a time is written in the person's time zone", () => {
  const noon = `${Date.UTC(2030, 0, 15, 12) / 1000}.000100`;
  const nowMs = Date.UTC(2030, 0, 15, 23);

  test('with the time of day', () => {
    expect(createTimestampFormatter('Europe/Berlin').time(noon).replace('\u202f', ' ')).toBe('1:00 PM');
    expect(createTimestampFormatter('Asia/Tokyo').full(noon)).toContain('(Asia/Tokyo)');
  });

  test('and with the day, which can differ from that elsewhere', () => {
    expect(createTimestampFormatter('UTC').day(noon, nowMs)).toBe('Today');
    expect(createTimestampFormatter('Asia/Tokyo').day(noon, nowMs)).toBe('Yesterday');
    expect(createTimestampFormatter('UTC').day(noon, nowMs + 3 * 86_400_000)).toBe('Tuesday, January 15');
    expect(createTimestampFormatter('UTC').day(noon, nowMs + 360 * 86_400_000)).toBe(
      'Tuesday, January 15, 2030',
    );
  });
});
