import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** Fields that similar services use in the parts that the profile reads. */
const field = fc.constantFrom(
  ...'vps_name name vps id state status data items list result meta value unit key points series'.split(' '),
  ...'snapshots size_gb created_at vlans vlan_id ip_range vlan_ip attached ipv4 ipv6 ip address addresses'.split(
    ' ',
  ),
  ...'domains domain_name dedicated_ports external_port target_port load_balancers backends mode weight'.split(
    ' ',
  ),
  ...'mappings port host port_vps_ssh quotas usage enabled credentials user password rootPassword'.split(' '),
  ...'cpu maxcpu mem maxmem memory used total disk netin rx_bytes uptime load time start step labels'.split(
    ' ',
  ),
  ...'operating_systems os label body delivery enum VPS-10001 vps-10002 1763700000 0 1'.split(' '),
  ...'__proto__ constructor toString length'.split(' '),
);

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    22,
    0.5,
    61,
    1e308,
    1_763_700_000,
    '',
    ' ',
    'VPS-10001',
    'running',
  ),
  fc.constantFrom('10.0.0.5', '2001:db8::1', '10.0.0.0/24', '12 GiB', '12%', '2026-11-21T10:00:00Z', 'NaN'),
  fc.constantFrom(
    'ftp://u:hunter2@host',
    'www.acme.example',
    'root_password',
    'api',
    'debian-13',
    '0.1 0.2 0.3',
  ),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { any } = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5, withCrossShrink: true }, scalar, tie('record'), tie('list')),
  record: fc
    .array(fc.tuple(fc.oneof({ weight: 6, arbitrary: field }, fc.string()), tie('any')), { maxLength: 6 })
    .map((fields) => Object.fromEntries(fields)),
  list: fc.array(tie('any'), { maxLength: 4 }),
}));

/** Any JSON payload. Most of its fields are likely ones. */
export const profilePayload: fc.Arbitrary<unknown> = any;

/** Lists all non-empty values of a payload and their field names, as lower-case text. */
export function collectValues(data: unknown): Set<string> {
  const found = new Set<string>();
  const open: { name?: string; value: unknown }[] = [{ value: data }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { name, value } = next;
    if (typeof value === 'object' && value !== null) {
      const isList = Array.isArray(value);
      for (const [field, inner] of Object.entries(value)) {
        open.push(isList ? { value: inner } : { name: field, value: inner });
      }
    } else if (value !== null && value !== undefined && value !== '') {
      found.add(String(value).toLowerCase());
      if (name) found.add(name.toLowerCase());
    }
  }
  return found;
}
