/** The note for a list without entries if the response doesn't say that the list is empty. */
export const unreadNote = "The list couldn't be read from the service's response.";

/** The note for a list whose later pages weren't read. */
export const incompleteNote = "This list may be incomplete: Rackhand couldn't read it to the end.";
