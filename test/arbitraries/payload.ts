import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';

/** Documented fields, fields of similar services, and fields that would break careless code. */
const field = fc.constantFrom(
  ...'vps_name name vps id state status data items list total pages next meta value label credentials'.split(
    ' ',
  ),
  ...'port_vps_ssh password rootPassword api_key VPS-10001 vps-10002 0 1'.split(' '),
  ...'__proto__ constructor toString valueOf hasOwnProperty length'.split(' '),
);

const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 22, 1e308, '', ' ', 'VPS-10001', 'vps-10002', 'running'),
  fc.string({ unit: anyCharacter, maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { any } = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5, withCrossShrink: true }, scalar, tie('record'), tie('list')),
  record: fc
    .array(fc.tuple(fc.oneof(field, fc.string()), tie('any')), { maxLength: 5 })
    // Accepts a field named `__proto__`, like `JSON.parse` and unlike an object literal.
    .map((fields) => Object.fromEntries(fields)),
  list: fc.array(tie('any'), { maxLength: 4 }),
}));

/** Any JSON payload. Most of its fields are likely ones. */
export const anyPayload: fc.Arbitrary<unknown> = any;
