import { describe, expect, test } from 'vitest';
import { parseInput } from '../../../src/operations/define/arguments/input.ts';
import { parseCommand } from '../../../src/operations/grammar/parse-command.ts';
import { hostingOperations } from '../../../src/operations/hosting-operations.ts';
import { findChange } from '../operation-harness.ts';

const reinstall = findChange('reinstall');

/** Parses a typed reinstall. Returns its body and title, or the problems. */
function parse(words: string) {
  const command = parseCommand(`reinstall VPS-10001 --os debian-13 ${words}`, hostingOperations());
  const parsed = command.kind === 'run' ? parseInput(reinstall, command.raw) : undefined;
  if (parsed?.kind !== 'valid') return { problems: parsed?.problems.map(({ message }) => message) };
  return { body: reinstall.request(parsed.input).body, title: reinstall.title(parsed.input) };
}

describe('extra fields of a reinstall', () => {
  test('are sent and named in the title', () => {
    expect(
      parse('--field hostname=web-01 --field=keep_ip=true --field size=12 --field \'pin="012"\''),
    ).toEqual({
      body: {
        os: 'debian-13',
        delivery: 'api',
        hostname: 'web-01',
        keep_ip: true,
        size: 12,
        pin: '012',
      },
      title: 'Reinstall VPS-10001 with debian-13, hostname=web-01, keep_ip=true, size=12, pin="012"',
    });
  });

  test('are none by default', () => {
    expect(parse('').body).toEqual({ os: 'debian-13', delivery: 'api' });
  });

  test.each([
    ['--field hostname', 'Extra field looks like hostname=web-01'],
    ['--field os=windows', 'Use --os and --delivery for these fields'],
    ['--field Delivery=x', 'Use --os and --delivery for these fields'],
    ['--field __proto__=x', 'A field name has letters, digits, _, . and -'],
    ['--field "a b=x"', 'A field name has letters, digits, _, . and -'],
    [
      '--field root_password=x',
      "Rackhand stores all input, so it can't accept secrets. Set this one at the hosting service",
    ],
  ])('are rejected as %s', (words, message) => {
    expect(parse(words)).toEqual({ problems: [message] });
  });

  test('are sent in the call', () => {
    const body = { os: 'debian-13', delivery: 'api', hostname: 'web-01' };
    expect(reinstall.endpoint.body?.parse(body)).toEqual(body);
  });
});
