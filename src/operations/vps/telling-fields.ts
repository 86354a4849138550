/** Fields that tell servers apart best, best first. */
const telling = ['hostname', 'label', 'ipv4', 'ip', 'ip_address', 'os', 'plan', 'region', 'location'];

/** Fields that say of a server what is said of it anyway. */
export const shownAnyway: readonly string[] = ['vps_name', 'name', 'state', 'status'];

/** Puts the fields that tell servers apart best first; the others follow in the order that they have. */
export function tellingFirst(fields: readonly string[]): readonly string[] {
  const rank = (field: string) => (telling.includes(field) ? telling.indexOf(field) : telling.length);
  return fields.toSorted((a, b) => rank(a) - rank(b));
}
