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

/** Fields of a server that are always shown and therefore never get an extra column. */
export const alwaysShownFields: readonly string[] = ['vps_name', 'name', 'state', 'status'];

/** Moves the identifying fields to the front. The order of the other fields stays the same. */
export function sortIdentifyingFirst(fields: readonly string[]): readonly string[] {
  const rank = (field: string) =>
    identifyingFields.includes(field) ? identifyingFields.indexOf(field) : identifyingFields.length;
  return fields.toSorted((a, b) => rank(a) - rank(b));
}
