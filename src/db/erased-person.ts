/** Replaces the ID of an erased person in rows that belong to other people or to the team. */
export const erasedPerson = 'erased';
