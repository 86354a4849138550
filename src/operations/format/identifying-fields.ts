/** Fields that identify a server, the most helpful first. */
export const identifyingFields: readonly string[] = [
  'hostname',
  'label',
  'ipv4',
  'ip',
  'ip_address',
  'os',
  'plan',
  'region',
  'location',
];

/** Fields of a server that are always shown and therefore get no extra column. */
export const alwaysShownFields: readonly string[] = ['vps_name', 'name', 'state', 'status'];

/** Moves identifying fields to the front. The others keep their order. */
export function sortIdentifyingFirst(fields: readonly string[]): readonly string[] {
  const rank = (field: string) =>
    identifyingFields.includes(field) ? identifyingFields.indexOf(field) : identifyingFields.length;
  return fields.toSorted((a, b) => rank(a) - rank(b));
}
