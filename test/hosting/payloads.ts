import fc from 'fast-check';

/** Fields that the API document names, that other services of this kind have, and that trip up careless code. */
const field = fc.constantFrom(
  ...'vps_name name vps id state status data items list total pages next meta value label credentials'.split(
    ' ',
  ),
  ...'port_vps_ssh password rootPassword api_key VPS-10001 vps-10002 0 1'.split(' '),
  ...'__proto__ constructor toString valueOf hasOwnProperty length'.split(' '),
);

const scalar = fc.oneof(
  fc.constantFrom(null, true, false, 0, -1, 22, 1e308, '', ' ', 'VPS-10001', 'vps-10002', 'running'),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

const { any } = fc.letrec((tie) => ({
  any: fc.oneof({ maxDepth: 5, withCrossShrink: true }, scalar, tie('record'), tie('list')),
  record: fc
    .array(fc.tuple(fc.oneof(field, fc.string()), tie('any')), { maxLength: 5 })
    // As JSON.parse does, and an object literal does not, this keeps a field called __proto__.
    .map((fields) => Object.fromEntries(fields)),
  list: fc.array(tie('any'), { maxLength: 4 }),
}));

/** Any payload that JSON can carry, with the likely fields far more often than chance would have them. */
export const payload: fc.Arbitrary<unknown> = any;
