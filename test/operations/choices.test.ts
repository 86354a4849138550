import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { getReinstallOptions, listVps } from '../../src/hosting/endpoints/vps.ts';
import { findChoice, findSuggestions } from '../../src/operations/choices/matching/find-choice.ts';
import { rankChoices } from '../../src/operations/choices/matching/rank-choices.ts';
import { joinVpsNames, toVpsReference } from '../../src/operations/choices/matching/vps-reference.ts';
import {
  formatIpReference,
  parseIpId,
  parseIpReference,
} from '../../src/operations/choices/sources/ip-reference.ts';
import { operatingSystemChoices } from '../../src/operations/choices/sources/reinstall-options.ts';
import { vpsChoices } from '../../src/operations/choices/sources/vps.ts';
import type { ChoiceSource } from '../../src/operations/define/arguments/choice-source.ts';
import { createStubRead } from './operation-harness.ts';

const acme = [
  { vps_name: 'VPS-10001', hostname: 'web-01.acme.example', state: 'running' },
  { vps_name: 'VPS-10002', hostname: 'web-02.acme.example', state: 'running' },
  {
    vps_name: 'VPS-10006',
    hostname: 'db-02.acme.example',
    label: 'Orders',
    state: 'stopped',
    ips: [{ address: '10.0.0.6' }, '2001:db8::6'],
    gateway: '10.0.0.1',
  },
  { vps_name: 'VPS-10012', hostname: 'legacy-01.acme.example', state: 'running' },
];

const readOf = (fleet: unknown) => createStubRead(new Map([[listVps, fleet]]));

const find = (name: string, fleet: unknown = { vps: acme }) =>
  findChoice(vpsChoices, name, {}, readOf(fleet));

const suggest = async (name: string, fleet: unknown = { vps: acme }) =>
  (await findSuggestions(vpsChoices, name, {}, readOf(fleet))).map(({ value }) => value);

async function findValues(name: string, fleet?: unknown): Promise<readonly string[]> {
  const found = await find(name, fleet);
  if (found.kind === 'known') return [found.choice.value];
  return found.kind === 'several' ? found.choices.map(({ value }) => value) : [];
}

describe('a VPS', () => {
  test.each([
    ['db-02', 'VPS-10006'],
    ['DB-02', 'VPS-10006'],
    ['db-02.acme.example', 'VPS-10006'],
    ['orders', 'VPS-10006'],
    ['legacy-01.acme.example', 'VPS-10012'],
    ['VPS-10001', 'VPS-10001'],
    ['web-01 (VPS-10001)', 'VPS-10001'],
    ['root@web-01', 'VPS-10001'],
    ['10.0.0.6', 'VPS-10006'],
    ['2001:DB8:0::6', 'VPS-10006'],
  ])('is found by %s', async (name, vps) => {
    expect(await find(name)).toMatchObject({ kind: 'known', choice: { value: vps } });
  });

  test('is shown with the name that people use', async () => {
    expect(await find('VPS-10006')).toMatchObject({ choice: { text: 'db-02 (VPS-10006)' } });
  });

  test('is shown with its whole hostname if another has the same first label', async () => {
    const vps = [acme[0], { vps_name: 'VPS-20001', hostname: 'web-01.globex.example' }];
    expect(await find('VPS-20001', { vps })).toMatchObject({
      choice: { text: 'web-01.globex.example (VPS-20001)' },
    });
  });

  test('is asked about if several have the name', async () => {
    const vps = [...acme, { vps_name: 'VPS-20001', hostname: 'web-01.globex.example' }];
    expect(await find('web-01', { vps })).toMatchObject({
      kind: 'several',
      choices: [{ value: 'VPS-10001' }, { value: 'VPS-20001' }],
    });
  });

  test('with the whole name takes precedence over one with the short name', async () => {
    const vps = [...acme, { vps_name: 'VPS-20001', label: 'web-01' }];
    expect(await findValues('web-01', { vps })).toEqual(['VPS-20001']);
  });

  test('is never found by an alias that looks like the VPS name of another', async () => {
    const vps = [
      { vps_name: 'VPS-10001', hostname: 'VPS-10002', label: 'vps-10002' },
      { vps_name: 'VPS-10002', hostname: 'db-01.acme.example' },
    ];
    expect(await findValues('VPS-10002', { vps })).toEqual(['VPS-10002']);
    expect(await findValues('VPS-10003', { vps: [{ vps_name: 'VPS-1', label: 'VPS-10003' }] })).toEqual([]);
  });

  test.each([
    ['VPS 10001', 'vps_10001'],
    ['vps_10001', 'VPS 10001'],
    ['web-01.acme.example.', 'web-01.acme.example.'],
    ['https://web-01', 'https://web-01'],
    ['root@web-01', 'root@web-01'],
    ['10.0.0.6', '10.0.0.6'],
  ])('is asked about if %s is what another is called', async (typed, label) => {
    const vps = [...acme, { vps_name: 'VPS-20002', label }];
    const meant = typed === '10.0.0.6' ? 'VPS-10006' : 'VPS-10001';
    expect((await findValues(typed, { vps })).toSorted()).toEqual([meant, 'VPS-20002']);
    expect(await findValues(typed)).toEqual([meant]);
  });

  test('is asked about if the alias of another can be read as its VPS name', async () => {
    const workspace = { teamId: 'T1', listVpsAliases: async () => new Map([['VPS-20002', 'vps_10001']]) };
    const read = readOf({ vps: [...acme, { vps_name: 'VPS-20002' }] });
    expect(await findChoice(vpsChoices, 'vps_10001', {}, read, { workspace })).toMatchObject({
      kind: 'several',
      choices: [{ value: 'VPS-20002' }, { value: 'VPS-10001' }],
    });
  });

  test('that an incomplete list contains by another name is asked about', async () => {
    const fleet = { vps: acme, meta: { page: 1, pages: 200 } };
    expect(await find('web-01', fleet)).toMatchObject({ kind: 'several', isComplete: false });
    expect(await find('VPS-10001', fleet)).toMatchObject({ kind: 'known' });
    expect(await find('VPS-10077', fleet)).toEqual({ kind: 'unsure' });
  });

  test("that the person can't view is found by its VPS name only", async () => {
    const scope = { isVisible: ({ value }: { value: string }) => value !== 'VPS-10006' };
    const read = readOf({ vps: acme });
    expect(await findChoice(vpsChoices, 'db-02', {}, read, scope)).toEqual({ kind: 'unknown' });
    expect(await findChoice(vpsChoices, 'VPS-10006', {}, read, scope)).toMatchObject({ kind: 'known' });
    expect(await findSuggestions(vpsChoices, 'db-2', {}, read, scope)).toEqual([]);
  });
});

test('secrets are looked for only in the VPS whose details are shown', async () => {
  const read: string[] = [];
  const vps = ['VPS-1', 'VPS-2'].map((name) => ({
    vps_name: name,
    notes: {
      get text() {
        read.push(name);
        return 'password: tulip-9';
      },
    },
  }));
  const { choices } = await vpsChoices.load(readOf({ vps }), {}, 0);
  const [first] = rankChoices('vps', choices);
  read.length = 0;
  expect(first?.hint).toBe('');
  expect(new Set(read)).toEqual(new Set(['VPS-1']));
});

describe('a suggestion', () => {
  test.each([
    ['legacy-1', 'VPS-10012'],
    ['legcay-01', 'VPS-10012'],
    ['legacy01.acme.example', 'VPS-10012'],
    ['10012', 'VPS-10012'],
    ['vps10012', 'VPS-10012'],
    ['order', 'VPS-10006'],
    ['db', 'VPS-10006'],
    ['wbe-02', 'VPS-10002'],
  ])('for %s is the only VPS with a close name', async (typed, vps) => {
    expect(await suggest(typed)).toEqual([vps]);
  });

  test.each(['foo', 'web-3.example.com', 'VPS-99999', '<!channel>', ''])(
    'is not made for %j, which is close to no name',
    async (typed) => {
      expect(await suggest(typed)).toEqual([]);
    },
  );

  test.each(['web', 'web-03', 'web-03.acme.example', 'web-0'])(
    'for %s is each of the two that are equally close',
    async (typed) => {
      expect(await suggest(typed)).toEqual(['VPS-10001', 'VPS-10002']);
    },
  );
});

describe('IP references', () => {
  const reference = fc.record(
    {
      kind: fc.constantFrom('ipv4' as const, 'ipv6' as const),
      id: fc.string({ minLength: 1, unit: 'grapheme' }),
      address: fc.oneof(fc.ipV4(), fc.ipV6(), fc.constant('2001:db8::/64')),
      vpsName: fc.constantFrom('VPS-10001', 'VPS-a_b-c'),
    },
    { requiredKeys: ['kind', 'id'] },
  );

  describe('a reference to an IP resource', () => {
    test('is parsed as it was written, whatever the identifier', () => {
      fc.assert(
        fc.property(reference, (one) => {
          expect(parseIpReference(formatIpReference(one))).toEqual(one);
        }),
      );
    });
  });

  describe('typed text for an IP resource that no list contains', () => {
    test.each([
      ['501', { kind: 'ipv4', id: '501' }],
      ['ipv4:501', { kind: 'ipv4', id: '501' }],
      ['IPv6:ip6-1a2b', { kind: 'ipv6', id: 'ip6-1a2b' }],
      ['ip6-1a2b', { kind: 'ipv6', id: 'ip6-1a2b' }],
      ['ipv6:%zz', { kind: 'ipv6', id: '%zz' }],
      ['198.18.0.10', { kind: 'ipv4', id: '198.18.0.10' }],
    ])('%s is parsed as %j', (written, expected) => {
      expect(parseIpReference(written)).toEqual(expected);
    });

    test("an IPv4 address isn't an identifier: the error says how to give one, and no call is made", () => {
      expect(() => parseIpId('198.18.0.10')).toThrow(/Give its full ID/);
      expect(parseIpId('ipv4:501')).toBe('501');
      expect(parseIpId('2001:db8::1')).toBe('2001:db8::1');
    });
  });
});

const fleet = [
  { value: 'VPS-10001', text: 'web-01 (VPS-10001)', aliases: ['web-01.acme.example'], hint: '2001:db8::1' },
  { value: 'VPS-10003', text: 'mydb (VPS-10003)', aliases: ['mydb'], hint: '10.1.0.3 · Frankfurt' },
  { value: 'VPS-10006', text: 'db-02 (VPS-10006)', aliases: ['db-02.acme.example'], hint: '2001:db8::6' },
];

test.each([
  ['db', ['VPS-10006', 'VPS-10003']],
  ['DB-0', ['VPS-10006']],
  ['2001:db8::6', ['VPS-10006']],
  ['2001:db8', ['VPS-10001', 'VPS-10006']],
  ['10.1', ['VPS-10003']],
  ['2001', []],
  ['10003', ['VPS-10003']],
  ['frank', ['VPS-10003']],
  ['', ['VPS-10001', 'VPS-10003', 'VPS-10006']],
])('%s finds names first, and an address only if it looks like one', (typed, expected) => {
  expect(rankChoices(typed, fleet).map(({ value }) => value)).toEqual(expected);
});

const load = (
  source: ChoiceSource,
  options: unknown,
  given: Record<string, unknown> = { vps: 'VPS-10001' },
) => source.load(createStubRead(new Map([[getReinstallOptions, options]])), given, 0);

describe('the systems to reinstall with', () => {
  test('are listed by name, with the value that the call needs', async () => {
    const { choices, isComplete } = await load(operatingSystemChoices, {
      os: [{ id: 'debian-13', name: 'Debian 13' }],
    });
    expect(choices).toEqual([{ value: 'debian-13', text: 'Debian 13', hint: 'debian-13' }]);
    expect(isComplete).toBe(true);
  });

  test('are not versions, which mean nothing without their family', async () => {
    const { choices } = await load(operatingSystemChoices, {
      operating_systems: [{ family: 'debian', versions: ['12', '13'] }],
      fields: ['os', 'delivery'],
    });
    expect(choices).toEqual([]);
  });

  test('without any from the service are not called complete', async () => {
    expect(await load(operatingSystemChoices, {})).toEqual({ choices: [], isComplete: false });
  });

  test.each([{}, { vps: 'nonsense' }, { vps: '' }])('are none before a VPS is chosen: %j', async (given) => {
    const unread = new Error('nothing is to be read');
    expect(await load(operatingSystemChoices, unread, given)).toEqual({ choices: [], isComplete: false });
  });
});

test.each([
  ['vps 10001', 'VPS-10001'],
  ['vps-10001', 'VPS-10001'],
  ['db-02.acme.example.', 'db-02.acme.example'],
  ['https://db-02.acme.example/login?next=/', 'db-02.acme.example'],
  ['ssh://root@db-02:2222', 'db-02'],
  ['http://[2001:db8::6]:8006', '2001:db8::6'],
  ['web-01', 'web-01'],
  ['Orders (main)', 'Orders (main)'],
])('%s means the VPS %s', (typed, name) => {
  expect(toVpsReference(typed)).toBe(name);
});

test('a VPS name that is typed as two words is one word', () => {
  expect(joinVpsNames(['VPS', '10001', 'web-01', 'vps'])).toEqual(['VPS_10001', 'web-01', 'vps']);
});
