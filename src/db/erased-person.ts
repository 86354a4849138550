/** Replaces the ID of an erased person in rows that belong to others or to the team. */
export const erasedPerson = 'erased';
